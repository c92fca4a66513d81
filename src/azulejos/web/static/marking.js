// Marking pieces in any order, for any game: a payment, discards. What a set means is asked of the server.
import { letter } from "./dialogue.js";

export class Marking {
  /** `judge(slots)` asks what a set means, `tell(verdict)` shows the answer, `why(path)` asks about other places. */
  constructor(table, sheet, { judge, tell, why, icon }) {
    Object.assign(this, { table, sheet, judge, tell, why, icon, units: [], marked: [], move: "", keys: "" });
    table.addEventListener("click", ({ target }) => this.clicked(target.closest?.("[data-slot]")));
    sheet.addEventListener("click", ({ target }) => {
      const index = target.closest("[data-mark]")?.dataset.mark;
      if (index !== undefined) this.toggle(...this.place(Number(index)));
    });
  }

  get active() { return this.units.length > 0; }

  /** New pieces to mark, or none. What was marked stays so if the table is the same (after a reconnection). */
  offer(selection, ply) {
    const kept = selection && this.active && ply === this.ply ? this.marked : null;
    this.units = selection?.units ?? [];
    this.ply = ply;
    this.keys = "";
    if (!selection) return;
    this.take(selection);
    if (kept && String(kept) !== String(selection.marked)) this.change(kept);
  }

  /** The server's word on what is marked; an answer that is overtaken is dropped. */
  judged(verdict) {
    if (this.active && String(verdict.marked) === String(this.marked)) this.take(verdict);
  }

  take(verdict) {
    this.marked = verdict.marked;
    this.move = verdict.move;
    this.verdict = verdict;
    this.draw();
    this.tell(verdict);
  }

  /** The last word once more, after something else was said. */
  repeat() {
    if (this.active && this.verdict) this.tell(this.verdict, true);
  }

  change(marked) {
    this.marked = marked;
    this.move = "";
    this.verdict = null;
    this.draw();
    this.judge(marked);
  }

  // --- clicks and keys -------------------------------------------------------------------------------

  clicked(place) {
    if (!place || !this.active) return;
    const { slot } = place.dataset;
    if (!this.most(slot)) this.why([slot]);
    else this.toggle(slot, Math.max(0, this.pieces(slot).indexOf(place)));
  }

  /** The piece at an index of its place: marked pieces come first. */
  toggle(slot, index) {
    const count = this.count(slot);
    this.set(slot, index < count || count === this.most(slot) ? count - 1 : count + 1);
  }

  set(slot, count) {
    const wanted = { [slot]: count };
    const left = new Map();
    this.change(this.units.map((unit) => unit.slot).filter((name) => {
      const so_far = left.get(name) ?? 0;
      left.set(name, so_far + 1);
      return so_far < (wanted[name] ?? this.count(name));
    }));
  }

  /** A typed character; true if it belongs to a piece. Typed once more, all pieces of a place are put back. */
  typed(character) {
    const keys = this.keys + character.toLowerCase();
    const open = this.units.filter((unit) => unit.key.startsWith(keys));
    this.keys = open.length ? keys : "";
    const unit = open.find(({ key }) => key === keys);
    if (!unit) return open.length > 0;
    this.keys = "";
    const count = this.count(unit.slot);
    this.set(unit.slot, count < this.most(unit.slot) ? count + 1 : 0);
    return true;
  }

  count(slot) { return this.marked.filter((name) => name === slot).length; }

  most(slot) { return this.units.filter((unit) => unit.slot === slot).length; }

  /** A unit of the sheet as a place and an index there. */
  place(index) {
    const { slot } = this.units[index];
    return [slot, this.units.slice(0, index).filter((unit) => unit.slot === slot).length];
  }

  pieces(slot) {
    return [...this.table.querySelectorAll(`.piece[data-slot="${CSS.escape(slot)}"]`)];
  }

  // --- showing ---------------------------------------------------------------------------------------

  draw() {
    for (const slot of new Set(this.units.map((unit) => unit.slot))) {
      this.pieces(slot).forEach((piece, i) => {
        piece.classList.add("can");
        piece.classList.toggle("chosen", i < this.count(slot));
      });
      for (const place of this.table.querySelectorAll(`.slot[data-slot="${CSS.escape(slot)}"]`)) place.classList.add("can");
    }
    const focused = document.activeElement?.dataset.mark;
    this.sheet.replaceChildren(...this.units.map((unit, index) => this.button(unit, index)));
    if (focused !== undefined) this.sheet.querySelector(`[data-mark="${focused}"]`)?.focus({ preventScroll: true });
  }

  button({ kind, name, key }, index) {
    const [slot, place] = this.place(index);
    const button = document.createElement("button");
    button.type = "button";
    button.className = "mark";
    button.dataset.mark = index;
    button.ariaPressed = String(place < this.count(slot));
    const label = document.createElement("span");
    label.textContent = name;
    button.append(letter(key), this.icon(kind), label);
    return button;
  }
}
