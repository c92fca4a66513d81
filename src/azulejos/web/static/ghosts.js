// @ts-check
// A move before it is made: pieces where they would lie, and the points beside their places.
import { gainOrLoss, signed, svg } from "./dom.js";
/** @import { Effect } from "./messages" */
/** @import { Pieces } from "./pieces.js" */
/** @import { Places } from "./plan.js" */
/** @import { Renderer } from "./renderer.js" */

const TEXT = 42; // height of the points; a tile is 100
const BESIDE = 17; // from the middle of a badge to the corner of its place

export class Ghosts {
  /** @param {Places} places @param {Renderer} renderer @param {Pieces} pieces */
  constructor(places, renderer, pieces) {
    this.places = places;
    this.renderer = renderer;
    this.pieces = pieces;
    /** @type {SVGGElement[]} */
    this.nodes = [];
  }

  clear() {
    for (const node of this.nodes.splice(0)) node.remove();
  }

  /** @param {Effect | undefined} effect */
  show(effect) {
    this.clear();
    if (!effect) return;
    for (const [slot, lying] of Object.entries(effect.ghosts ?? {})) for (const piece of lying) this.lay(Number(slot), piece);
    for (const [slot, points] of effect.points ?? []) this.badge(slot, points);
  }

  /** A ghost, unless a piece lies there already. @param {number} slot @param {import("./messages").Lying} piece */
  lay(slot, piece) {
    const [kind, spot = 0] = piece;
    if ((this.pieces.tokens.get(slot) ?? []).some((token) => token.spot === spot)) return;
    const ghost = this.pieces.make(kind);
    ghost.node.classList.add("ghost");
    this.pieces.draw(ghost, slot, piece);
    this.nodes.push(ghost.node);
  }

  /** The points of a place, at its upper right corner. @param {number} slot @param {number} points */
  badge(slot, points) {
    const place = this.renderer.nodes[slot];
    if (!place) return;
    const { x, y } = this.places.at(slot);
    const box = place.getBBox();
    const text = signed(points);
    const width = TEXT * (0.9 + 0.55 * text.length);
    const words = svg("text", { y: TEXT * 0.34, "font-size": TEXT, "text-anchor": "middle" });
    words.textContent = text;
    const panel = this.places.planned[slot].panel;
    const right = Math.min(x + box.x + box.width - BESIDE, this.places.plan.panels[panel].width - width / 2);
    const node = svg("g", { class: `foreseen ${gainOrLoss(points)}`, "aria-hidden": "true", transform: `translate(${right} ${y + box.y + BESIDE / 2})` },
      svg("rect", { x: -width / 2, y: -TEXT * 0.72, width, height: TEXT * 1.44, rx: TEXT * 0.72 }), words);
    this.renderer.panels[panel].picture.append(node);
    this.nodes.push(node);
  }
}
