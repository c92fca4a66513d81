// @ts-check
// The places of this box: fetched once and the same in every game. Frames say only where they differ.
import { svg } from "./dom.js";
/** @import { Change, Lying, Move, PlanFile, PlanSlot } from "./messages" */
/** @import { Choice } from "./types" */

const DEFAULTS = { key: "", mark: null, caption: null, caption_y: 12, spots: null, size: 1, turn: 0, counted: null, raised: false, optional: false };

export class Places {
  /** @param {PlanFile} plan */
  constructor(plan) {
    this.plan = plan;
    /** @type {(Required<PlanSlot>)[]} */
    this.planned = plan.slots.map((slot) => ({ ...DEFAULTS, ...slot }));
    /** @type {(Required<PlanSlot> | null)[]} as they are now; null: not there, unless something lies there */
    this.now = this.planned.map(asPlanned);
    /** @type {Map<string, number>} */
    this.numbers = new Map(plan.slots.map((slot, i) => [slot.id, i]));
  }

  /** @param {number} slot @param {Change | null} change */
  change(slot, change) {
    this.now[slot] = change && { ...this.planned[slot], ...change };
  }

  /** @param {number} slot */
  reset(slot) { this.now[slot] = asPlanned(this.planned[slot]); }

  /** @param {number} slot */
  at(slot) { return this.now[slot] ?? this.planned[slot]; }

  /** @param {string} id */
  number(id) { return this.numbers.get(id) ?? -1; }

  /** The place around another one ("F2" around "F2.red"); -1 if there is none. @param {number} slot */
  around(slot) {
    const { id } = this.planned[slot];
    return this.number(id.slice(0, Math.max(0, id.lastIndexOf("."))));
  }

  /** The place in `among` that a click on a slot refers to: the slot itself, or one around it. @param {number} slot @param {number[]} among */
  meant(slot, among) {
    for (let at = slot; at >= 0; at = this.around(at)) if (among.includes(at)) return at;
    return -1;
  }

  /** Where a piece is within its place: centre and size. @param {number} slot @param {number} spot */
  middle(slot, spot) {
    const place = this.at(slot);
    const [dx, dy, size = place.size] = place.spots === null ? [0, 0] : this.plan.spots[place.spots][spot] ?? [0, 0];
    return { x: place.x + dx, y: place.y + dy, dx, dy, size };
  }

  /** @param {Lying} piece */
  nameOf([kind, , , , name]) { return name || this.plan.kinds[kind][1]; }

  /** The symbol of a kind of piece. @param {number} kind */
  symbol(kind) { return `#piece-${this.plan.kinds[kind][0]}`; }

  /** A piece as a small picture in a line of text. @param {number} kind */
  icon(kind) {
    return svg("svg", { class: `icon theme-${this.plan.theme}`, viewBox: "-58 -58 116 116", "aria-hidden": "true" }, svg("use", { href: this.symbol(kind) }));
  }

  /** The name of a place outside the picture, where its surroundings are not visible. @param {number} slot */
  named(slot) {
    const around = this.around(slot);
    return around < 0 ? this.at(slot).name : `${this.at(around).name}: ${this.at(slot).name}`;
  }

  /**
   * The moves of a frame: each entry of `products` stands for all combinations of its columns.
   * @param {number[][][]} products @param {Move[]} moves @returns {Choice[]}
   */
  choices(products, moves) {
    const paths = products.flatMap((columns) => columns.reduce(
      (/** @type {number[][]} */ ways, column) => ways.flatMap((way) => column.map((slot) => [...way, slot])), [[]]));
    paths.sort(inOrder);
    const typed = paths.map((path) => ({ path, text: path.map((slot) => this.at(slot).key).join("") }));
    return [...typed, ...moves.map(({ move, path }) => ({ path, text: move }))];
  }
}

/** The place if it is always shown, otherwise null: a scene says when it is there. @param {Required<PlanSlot>} slot */
const asPlanned = (slot) => (slot.optional ? null : slot);

/** Compares paths by the numbers of their places. @param {number[]} one @param {number[]} other */
function inOrder(one, other) {
  const differs = one.findIndex((slot, i) => slot !== other[i]);
  return differs < 0 ? one.length - other.length : one[differs] - (other[differs] ?? -1);
}

/** Fetch the plan and put its pictures into the page. @param {string} address */
export async function load(address) {
  const plan = /** @type {PlanFile} */ (await (await fetch(address)).json());
  const sprite = new DOMParser().parseFromString(await (await fetch(plan.sprite)).text(), "image/svg+xml").documentElement;
  sprite.setAttribute("aria-hidden", "true");
  document.body.prepend(document.importNode(sprite, true));
  return new Places(plan);
}
