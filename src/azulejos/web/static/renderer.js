// @ts-check
// Draws the places of every panel from the plan and updates them from the frames. Pieces are in pieces.js.
import { svg } from "./dom.js";
import { drawing } from "./markup.js";
/** @import { Places } from "./plan.js" */
/** @import { Frame, Lying, PlanSlot } from "./messages" */

const LAYERS = ["ground", "slots", "labels", "pieces", "raised", "keys"];

export class Renderer {
  /** @param {Places} places @param {ParentNode} page contains the panels' pictures, still empty */
  constructor(places, page) {
    this.places = places;
    /** @type {Map<number, Element>} */
    this.outlines = new Map();
    this.panels = places.plan.panels.map((panel) => {
      const picture = /** @type {SVGSVGElement} */ (page.querySelector(`svg[data-panel="${CSS.escape(panel.id)}"]`));
      const layers = Object.fromEntries(LAYERS.map((name) => [name, svg("g", { "data-layer": name })]));
      picture.replaceChildren(...Object.values(layers));
      layers.ground.replaceChildren(...nodesOf(parsed(panel.ground)));
      return { picture, layers };
    });
    this.nodes = places.planned.map(() => /** @type {SVGGElement | null} */ (null));
    this.keys = places.planned.map(() => /** @type {SVGGElement | null} */ (null));
    /** @type {Map<number, Lying[]>} */
    this.lies = new Map();
    this.labels = places.plan.labels.map((label) => {
      const node = svg("text", { class: label.style, x: label.x, y: label.y, "font-size": label.size, "text-anchor": label.anchor });
      node.textContent = label.text;
      this.panels[label.panel].layers.labels.append(node);
      return node;
    });
    places.planned.forEach((_, slot) => this.draw(slot));
  }

  /** Draw a panel in another form; its pieces follow in pieces.js. @param {number} panel @param {import("./plan.js").Form} form */
  reshape(panel, form) {
    const { picture, layers: { ground } } = this.panels[panel];
    const { width, height, turned = false, ground: drawn } = form.panels[panel];
    const active = ground.querySelector(".board.active") !== null;
    this.places.reshape(panel, form);
    picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
    picture.classList.toggle("turned", turned);
    ground.replaceChildren(...nodesOf(parsed(drawn)));
    ground.querySelector(".board")?.classList.toggle("active", active);
    form.labels.forEach((label, i) => {
      if (label.panel !== panel) return;
      const { x, y, size, anchor } = label;
      for (const [name, value] of Object.entries({ x, y, "font-size": size, "text-anchor": anchor })) this.labels[i].setAttribute(name, String(value));
    });
    this.places.planned.forEach((planned, slot) => { if (planned.panel === panel) this.draw(slot); });
  }

  /** Show a frame's places and labels; pieces first, since the position of a group depends on its pieces. @param {Frame} frame */
  show(frame) {
    const { whole, places = {}, lies = {}, labels = {} } = frame.news;
    if (whole) this.forget();
    for (const [key, change] of Object.entries(places)) this.places.change(Number(key), change);
    for (const [key, pieces] of Object.entries(lies)) this.lies.set(Number(key), pieces);
    for (const slot of new Set([...Object.keys(places), ...Object.keys(lies)].map(Number))) this.draw(slot);
    for (const [key, words] of Object.entries(labels)) this.write(Number(key), words?.text, words?.style);
    this.panels.forEach(({ layers }, i) => layers.ground.querySelector(".board")?.classList.toggle("active", this.places.plan.panels[i].seat === frame.to_move));
  }

  /** Reset everything to the plan, without pieces. */
  forget() {
    for (const slot of this.places.planned.keys()) {
      const before = this.places.now[slot];
      this.places.reset(slot);
      const changed = before !== this.places.now[slot] || this.lies.get(slot)?.length;
      this.lies.delete(slot);
      if (changed) this.draw(slot);
    }
    for (const label of this.places.plan.labels.keys()) this.write(label);
  }

  /** @param {number} label @param {string} [text] @param {string} [style] */
  write(label, text = this.places.plan.labels[label].text, style = this.places.plan.labels[label].style) {
    this.labels[label].textContent = text;
    this.labels[label].setAttribute("class", style);
  }

  /** Draw a place again, at the same position in the document. @param {number} slot */
  draw(slot) {
    const pieces = this.lies.get(slot) ?? [];
    const place = this.places.now[slot] ?? (pieces.length ? this.places.planned[slot] : null);
    const { layers } = this.panels[this.places.planned[slot].panel];
    this.nodes[slot] = this.put(this.nodes, slot, place && this.place(slot, place, pieces), place?.raised ? layers.raised : layers.slots);
    this.keys[slot] = this.put(this.keys, slot, place?.key ? this.key(slot, place, pieces) : null, layers.keys);
  }

  /**
   * Replace a node, keeping the marks that a choice has set; a new one is inserted in plan order.
   * @param {(SVGGElement | null)[]} nodes @param {number} slot @param {SVGGElement | null} node @param {SVGGElement} layer
   */
  put(nodes, slot, node, layer) {
    const old = nodes[slot];
    if (node && old) {
      for (const mark of ["can", "chosen", "lit", "legal", "target", "blocked", "hinted", "unused"]) node.classList.toggle(mark, old.classList.contains(mark));
      old.replaceWith(node);
    } else if (node) {
      const next = nodes.findIndex((other, i) => i > slot && other?.parentNode === layer);
      layer.insertBefore(node, next < 0 ? null : nodes[next]);
    } else old?.remove();
    return node;
  }

  /** @param {number} slot @param {Required<PlanSlot>} place @param {Lying[]} pieces */
  place(slot, place, pieces) {
    const { id, shape, x, y, turn, mark, caption, caption_y } = place;
    const node = svg("g", {
      class: `slot ${shape}-slot`, "data-slot": id, role: "img", "aria-label": this.spoken(slot, place, pieces),
      transform: `translate(${x} ${y})${turn ? ` rotate(${turn})` : ""}`,
    });
    if (shape === "badge" && mark) node.setAttribute("tabindex", "0"); // its words can be asked for (tip.js)
    if (shape === "group") for (const [, spot = 0] of pieces) node.append(this.outlineAt(slot, place, spot));
    else node.append(...this.outline(place));
    if (mark) for (const { dx, dy, size } of this.middles(slot, place)) node.append(svg("use", { href: `#${mark}`, transform: `translate(${dx} ${dy}) scale(${size})` }));
    if (caption !== null) {
      const words = svg("text", { class: "caption", y: caption_y, "font-size": 34, "text-anchor": "middle" });
      words.textContent = caption;
      node.append(words);
    }
    node.classList.toggle("has-area", node.querySelector(":scope > .hit") !== null);
    return node;
  }

  /** @param {Required<PlanSlot>} place */
  outline({ outline }) {
    const drawn = this.outlines.get(outline) ?? parsed(this.places.plan.outlines[outline]);
    this.outlines.set(outline, drawn);
    return nodesOf(drawn);
  }

  /** @param {number} slot @param {Required<PlanSlot>} place @param {number} spot */
  outlineAt(slot, place, spot) {
    const { dx, dy, size } = this.places.middle(slot, spot);
    return svg("g", { transform: `translate(${dx} ${dy}) scale(${size})` }, ...this.outline(place));
  }

  /** @param {number} slot @param {Required<PlanSlot>} place */
  middles(slot, place) {
    const count = place.spots === null ? 1 : this.places.plan.spots[place.spots].length;
    return Array.from({ length: count }, (_, spot) => this.places.middle(slot, spot));
  }

  /** The name of a place and of the pieces in it; a group says where it is. @param {number} slot @param {Required<PlanSlot>} place @param {Lying[]} pieces */
  spoken(slot, place, pieces) {
    if (place.shape === "group") {
      const count = pieces.reduce((sum, [, , n = 1]) => sum + n, 0);
      const names = place.counted === null ? [] : this.places.plan.counted[place.counted];
      const around = this.places.around(slot);
      const told = names[Math.min(count, names.length) - 1] ?? place.name;
      return around < 0 ? told : `${this.places.at(around).name}: ${told}`;
    }
    if (place.shape === "area" || !pieces.length) return place.name;
    const there = pieces.map((piece) => ((piece[2] ?? 1) === 1 ? this.places.nameOf(piece) : `${piece[2]} × ${this.places.nameOf(piece)}`));
    return there.length === 1 && there[0] === place.name ? place.name : `${place.name}: ${there.join(", ")}`;
  }

  /** The key to type for a place, drawn above its pieces. @param {number} slot @param {Required<PlanSlot>} place @param {Lying[]} pieces */
  key(slot, place, pieces) {
    const { x, y } = place.spots === null ? place : this.places.middle(slot, place.shape === "group" ? pieces[0][1] ?? 0 : 0);
    const text = svg("text", { y: 11, "font-size": 32, "text-anchor": "middle" });
    text.textContent = place.key;
    return svg("g", { class: "key", "data-for": place.id, "aria-hidden": "true", transform: `translate(${x - 24} ${y - 27})` },
      svg("rect", { x: -26, y: -22, width: 52, height: 44, rx: 8 }), text);
  }
}

/** Copies of what is drawn. @param {Element} drawn */
const nodesOf = (drawn) => [...drawn.childNodes].map((node) => document.importNode(node, true));

/** @param {string} markup */
function parsed(markup) {
  return drawing(`<svg xmlns="http://www.w3.org/2000/svg">${markup}</svg>`);
}
