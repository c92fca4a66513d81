// @ts-check
// The places of this box: fetched once and the same in every game. Frames say only where they differ.
import { svg } from "./dom.js";
import { drawing } from "./markup.js";
import { inSite } from "./root.js";
/** @import { SlotChange, Lying, PathMove, PlanFile, PlanLabel, PlanPanel, PlanSlot } from "./messages" */
/** @import { Choice } from "./types" */

const DEFAULTS = { key: "", mark: null, caption: null, caption_y: 12, spots: null, size: 1, turn: 0, counted: null, raised: false, optional: false };

/** @typedef {{ panels: PlanPanel[], labels: PlanLabel[], slots: Partial<Required<PlanSlot>>[] }} Form lengths of the same places */

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
    /** @type {Map<string, Form>} */
    this.forms = new Map();
  }

  /**
   * Add a form: the same places with other lengths. Its spots and outlines are added to those of the plan.
   * @param {string} name @param {PlanFile} plan
   */
  add(name, plan) {
    const [outlines, spots] = [this.plan.outlines.length, this.plan.spots.length];
    if (plan !== this.plan) {
      this.plan.outlines.push(...plan.outlines);
      this.plan.spots.push(...plan.spots);
    }
    const [first, second] = plan === this.plan ? [0, 0] : [outlines, spots];
    const slots = plan.slots.map((slot) => {
      const { x, y, outline, size, caption_y, turn, spots: own } = { ...DEFAULTS, ...slot };
      return { x, y, outline: outline + first, size, caption_y, turn, spots: own === null ? null : own + second };
    });
    this.forms.set(name, { panels: [...plan.panels], labels: plan.labels, slots });
  }

  /** Give the places of a panel the lengths of a form. @param {number} panel @param {Form} form */
  reshape(panel, form) {
    this.planned.forEach((planned, slot) => {
      if (planned.panel !== panel) return;
      const { [slot]: now } = this.now;
      this.planned[slot] = { ...planned, ...form.slots[slot] };
      this.now[slot] = now === planned ? this.planned[slot] : now && { ...now, ...form.slots[slot] };
    });
    this.plan.panels[panel] = form.panels[panel];
  }

  /** @param {number} slot @param {SlotChange | null} change */
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
   * @param {number[][][]} products @param {PathMove[]} moves @returns {Choice[]}
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

/** The plan of a form. @param {string} address @returns {Promise<PlanFile>} */
export const fetched = async (address) => (await part(address)).json();

const TOO_MANY = 429;
const AGAIN = 1000; // milliseconds

/** A part without which the page would never come alive: if that was too much at once, ask again. @param {string} address @returns {Promise<Response>} */
export async function part(address) {
  const answer = await fetch(address);
  if (answer.status !== TOO_MANY) return answer;
  await new Promise((resolve) => { setTimeout(resolve, AGAIN); });
  return part(address);
}

/** Put the pictures of a plan into the page. @param {PlanFile} plan */
export async function embed(plan) {
  const sprite = drawing(await (await part(inSite(plan.sprite))).text());
  sprite.setAttribute("aria-hidden", "true");
  document.body.prepend(document.importNode(sprite, true));
}
