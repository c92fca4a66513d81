// @ts-check
// Marking pieces in any order, for any game: payments and discards. The server decides what a set of pieces stands for.
import { letter } from "./choosing.js";
import { html } from "./dom.js";
/** @import { Places } from "./plan.js" */
/** @import { Pieces } from "./pieces.js" */
/** @import { Renderer } from "./renderer.js" */
/** @import { Markable, MarkedVerdict } from "./messages" */

/**
 * @typedef {object} Judge
 * @property {(slots: number[]) => void} judge asks what a set stands for
 * @property {(verdict: MarkedVerdict, quiet?: boolean) => void} tell shows the answer
 * @property {(path: number[]) => void} why asks about another place
 */

export class Marking {
  /** @param {HTMLElement} table @param {HTMLElement} sheet @param {Places} places @param {Renderer} renderer @param {Pieces} pieces @param {Judge} on */
  constructor(table, sheet, places, renderer, pieces, on) {
    this.sheet = sheet;
    this.places = places;
    this.renderer = renderer;
    this.pieces = pieces;
    this.on = on;
    /** @type {number[]} each place, repeated once per piece that can be marked */
    this.slots = [];
    /** @type {number[]} */
    this.marked = [];
    /** @type {Map<number, number[]>} the pieces of a place by index: those that were marked first, then the others */
    this.orders = new Map();
    this.move = "";
    this.keys = "";
    /** @type {MarkedVerdict | null} */
    this.verdict = null;
    table.addEventListener("click", ({ target }) => this.clicked(target instanceof Element ? target.closest("[data-slot]") : null));
    table.addEventListener("keydown", (event) => {
      const place = event.target instanceof Element ? event.target.closest("[data-slot]") : null;
      if (!this.active || !place || (event.key !== "Enter" && event.key !== " ")) return;
      event.preventDefault();
      event.stopPropagation();
      this.clicked(place);
    });
    sheet.addEventListener("click", ({ target }) => {
      const button = target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest("[data-mark]")) : null;
      if (button) this.toggle(...this.place(Number(button.dataset.mark)));
    });
  }

  get active() { return this.slots.length > 0; }

  /** New pieces to mark, or none. Marks are kept if the table is unchanged (after a reconnection). @param {Markable | null} selection @param {number} ply */
  offer(selection, ply) {
    const kept = selection && this.active && ply === this.ply ? this.marked : null;
    if (!kept) this.orders.clear();
    this.slots = selection?.slots ?? [];
    this.ply = ply;
    this.keys = "";
    if (!selection) return;
    this.take(selection.verdict);
    if (kept && String(kept) !== String(selection.verdict.marked)) this.change(kept);
  }

  /** The server's verdict on the marked pieces; an outdated answer is dropped. @param {MarkedVerdict} verdict */
  judged(verdict) {
    if (this.active && String(verdict.marked) === String(this.marked)) this.take(verdict);
  }

  /** @param {MarkedVerdict} verdict */
  take(verdict) {
    this.marked = verdict.marked;
    this.move = verdict.move ?? "";
    this.verdict = verdict;
    this.draw();
    this.on.tell(verdict);
  }

  /** Show the last verdict again, after another hint. */
  repeat() {
    if (this.active && this.verdict) this.on.tell(this.verdict, true);
  }

  /** @param {number[]} marked */
  change(marked) {
    this.marked = marked;
    this.move = "";
    this.verdict = null;
    this.draw();
    this.on.judge(marked);
  }

  // --- clicks and keys -------------------------------------------------------------------------------

  /** @param {Element | null} place */
  clicked(place) {
    if (!place || !this.active) return;
    const slot = this.places.number(/** @type {SVGElement} */ (place).dataset.slot ?? "");
    const index = this.pieces.nodesAt(slot).indexOf(/** @type {SVGGElement} */ (place));
    if (!this.most(slot)) this.on.why([slot]);
    else if (index < 0) this.another(slot);
    else this.toggle(slot, index);
  }

  /** Mark one more piece of a place; if all are marked, unmark them. @param {number} slot */
  another(slot) { this.set(slot, this.count(slot) < this.most(slot) ? this.count(slot) + 1 : 0); }

  /** Mark the piece at an index of its place, or unmark it. @param {number} slot @param {number} index */
  toggle(slot, index) {
    const count = this.count(slot) + (this.isMarked(slot, index) ? -1 : 1);
    const others = this.order(slot).filter((one) => one !== index);
    const before = Math.min(count, this.count(slot));
    this.orders.set(slot, [...others.slice(0, before), index, ...others.slice(before)]);
    this.set(slot, count);
  }

  /** @param {number} slot @param {number} count */
  set(slot, count) {
    /** @type {Map<number, number>} */ const so_far = new Map();
    this.change(this.slots.filter((name) => {
      const before = so_far.get(name) ?? 0;
      so_far.set(name, before + 1);
      return before < (name === slot ? count : this.count(name));
    }));
  }

  /** A typed character; true if it belongs to a piece. @param {string} character */
  typed(character) {
    const keys = this.keys + character.toLowerCase();
    const open = this.slots.filter((slot) => this.places.at(slot).key.startsWith(keys));
    this.keys = open.length ? keys : "";
    const slot = open.find((one) => this.places.at(one).key === keys);
    if (slot === undefined) return open.length > 0;
    this.keys = "";
    this.another(slot);
    return true;
  }

  /** @param {number} slot */
  count(slot) { return this.marked.filter((one) => one === slot).length; }

  /** @param {number} slot */
  most(slot) { return this.slots.filter((one) => one === slot).length; }

  /** @param {number} slot */
  order(slot) { return this.orders.get(slot) ?? Array.from({ length: this.most(slot) }, (_, index) => index); }

  /** @param {number} slot @param {number} index */
  isMarked(slot, index) { return this.order(slot).slice(0, this.count(slot)).includes(index); }

  /** An entry of the sheet as a place and an index there. @param {number} index @returns {[number, number]} */
  place(index) {
    const slot = this.slots[index];
    return [slot, this.slots.slice(0, index).filter((one) => one === slot).length];
  }

  // --- showing ---------------------------------------------------------------------------------------

  draw() {
    for (const slot of new Set(this.slots)) {
      this.pieces.nodesAt(slot).forEach((piece, i) => {
        piece.classList.add("can");
        piece.classList.toggle("chosen", this.isMarked(slot, i));
      });
      this.renderer.nodes[slot]?.classList.add("can");
      this.renderer.nodes[slot]?.setAttribute("tabindex", "0");
      this.renderer.nodes[slot]?.setAttribute("role", "button");
    }
    const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset.mark;
    this.sheet.replaceChildren(...this.slots.map((_, index) => this.button(index)));
    if (focused !== undefined) /** @type {HTMLElement | null} */ (this.sheet.querySelector(`[data-mark="${focused}"]`))?.focus({ preventScroll: true });
  }

  /** @param {number} index */
  button(index) {
    const [slot, place] = this.place(index);
    const [piece] = this.renderer.lies.get(slot) ?? [];
    const button = html("button", { type: "button", className: "mark", ariaPressed: String(this.isMarked(slot, place)), data: { mark: index } });
    button.append(letter(this.places.at(slot).key));
    if (piece) button.append(this.places.icon(piece[0]), html("span", { textContent: this.places.nameOf(piece) }));
    return button;
  }
}
