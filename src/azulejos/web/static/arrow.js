// @ts-check
// An arrow from one place of the table to another, above all panels; it follows them when the window changes.
import { svg } from "./dom.js";
/** @import { Pieces } from "./pieces.js" */
/** @import { Renderer } from "./renderer.js" */

const BEND = 0.16; // of its length, to the side
const HEAD = 15; // pixels from the tip to the ends of its barbs
const SPREAD = 0.5; // radians between the shaft and a barb

export class Arrow {
  /** @param {Renderer} renderer @param {Pieces} pieces */
  constructor(renderer, pieces) {
    this.renderer = renderer;
    this.pieces = pieces;
    this.node = svg("svg", { class: "turn-arrow", "aria-hidden": "true" });
    /** @type {number[]} */
    this.slots = [];
    this.seen = new ResizeObserver(() => this.draw());
  }

  /** Point from the first of these places to the last; none: no arrow. @param {number[]} slots */
  show(slots) {
    this.slots = slots.length > 1 ? slots : [];
    this.seen.disconnect();
    if (this.slots.length) {
      document.body.append(this.node);
      this.seen.observe(document.body);
      for (const { picture } of this.renderer.panels) this.seen.observe(picture);
    }
    this.draw();
  }

  clear() { this.show([]); }

  draw() {
    const [from, to] = [this.slots[0], this.slots.at(-1)].map((slot) => (slot === undefined ? null : this.middle(slot)));
    if (!from || !to) { this.node.remove(); return; }
    const [dx, dy] = [to.x - from.x, to.y - from.y];
    const bend = { x: (from.x + to.x) / 2 - BEND * dy, y: (from.y + to.y) / 2 + BEND * dx };
    const angle = Math.atan2(to.y - bend.y, to.x - bend.x);
    const barbs = [SPREAD, -SPREAD].map((turn) => `${to.x - HEAD * Math.cos(angle + turn)} ${to.y - HEAD * Math.sin(angle + turn)}`);
    const drawn = `M${from.x} ${from.y}Q${bend.x} ${bend.y} ${to.x} ${to.y}M${barbs[0]}L${to.x} ${to.y}L${barbs[1]}`;
    this.node.replaceChildren(...["under", "over"].map((name) => svg("path", { class: name, d: drawn })));
  }

  /** The middle of a place on the screen: of its pieces, if it has some. @param {number} slot */
  middle(slot) {
    const lying = this.pieces.nodesAt(slot).filter((node) => node.isConnected);
    const nodes = lying.length ? lying : [this.renderer.nodes[slot]];
    const boxes = nodes.flatMap((node) => (node ? [node.getBoundingClientRect()] : [])).filter(({ width }) => width > 0);
    if (!boxes.length) return null;
    const mean = (/** @type {(box: DOMRect) => number} */ of) => boxes.reduce((sum, box) => sum + of(box), 0) / boxes.length;
    return { x: mean(({ x, width }) => x + width / 2), y: mean(({ y, height }) => y + height / 2) };
  }
}
