// @ts-check
// Choosing a move, for any game: a move is a path of places to click. There are no rules of a game here.
import { group, letter, says } from "./choosing.js";
import { html } from "./dom.js";
/** @import { Places } from "./plan.js" */
/** @import { Renderer } from "./renderer.js" */
/** @import { Pieces } from "./pieces.js" */
/** @import { Blocked, Effect, Explained, Previewed } from "./messages" */
/** @import { Choice, Hint, Words } from "./types" */

const REST = 200; // milliseconds until a resting pointer counts as a question
const SINGLY = 4; // above this, pieces of a kind are shown as a number

/**
 * @typedef {object} Asking
 * @property {(move: string, path: number[]) => void} play sends a move
 * @property {(path: number[]) => void} preview asks what the moves that continue a path would do
 * @property {(path: number[]) => void} why asks why a place is blocked
 * @property {(text: string, how?: Hint) => void} hint
 * @property {(path: number[]) => void} chosen hears every change of the path chosen so far
 * @property {() => { active: boolean, repeat: () => void }} marking the state of marking pieces, which replaces choosing
 * @property {Words} words
 */

export class Dialogue {
  /**
   * @param {HTMLElement} table @param {HTMLElement} sheet @param {Places} places @param {Renderer} renderer
   * @param {Pieces} pieces @param {Asking} ask
   */
  constructor(table, sheet, places, renderer, pieces, ask) {
    this.table = table;
    this.sheet = sheet;
    this.places = places;
    this.renderer = renderer;
    this.pieces = pieces;
    this.asks = ask;
    /** @type {Map<string, Effect>} by the move's text */
    this.effects = new Map();
    /** @type {Set<string>} */
    this.asked = new Set();
    /** @type {Map<string, { text?: string, section?: string | null }>} why a path is blocked */
    this.reasons = new Map();
    /** @type {number[]} */
    this.path = [];
    /** @type {Choice[]} */
    this.choices = [];
    this.keys = "";
    this.lit = -1;
    this.left = false;
    /** @type {number | null} */
    this.ply = null;
    /** @type {string | null} */
    this.asking = null;
    this.over = "";
    this.listen();
  }

  listen() {
    const { table, sheet } = this;
    table.addEventListener("click", (event) => this.clicked(event));
    table.addEventListener("pointerover", (event) => this.pointed(event));
    table.addEventListener("pointerout", () => { this.point(-1); this.wonder(-1); });
    sheet.addEventListener("click", ({ target }) => {
      const { back, target: slot, blocked } = buttonOf(target)?.dataset ?? {};
      if (back !== undefined) this.back();
      else if (slot !== undefined) this.step(Number(slot));
      else if (blocked !== undefined) this.ask([...this.path, Number(blocked)]);
    });
    sheet.addEventListener("focusin", ({ target }) => this.point(Number(buttonOf(target)?.dataset.target ?? -1)));
    sheet.addEventListener("focusout", () => this.point(-1));
    sheet.addEventListener("pointerover", ({ target }) => this.point(Number(buttonOf(target)?.dataset.target ?? -1)));
  }

  get active() { return this.choices.length > 0; }

  /** New choices. The path chosen so far is kept if the table is unchanged (after a reconnection). @param {Choice[]} choices @param {number | null} ply */
  offer(choices, ply = null) {
    const same = this.active && ply === this.ply && texts(choices) === texts(this.choices);
    if (!same) {
      this.effects.clear();
      this.reasons.clear();
    }
    this.asked.clear();
    this.choices = choices;
    this.ply = ply;
    if (!same || this.open().length === 0) {
      this.path = [];
      this.keys = "";
    }
    this.draw({ quiet: same });
  }

  /** Choices that continue a path. */
  open(path = this.path) {
    return this.choices.filter((choice) => path.every((slot, i) => choice.path[i] === slot));
  }

  targets() {
    return [...new Set(this.open().map((choice) => choice.path[this.path.length]))].filter((slot) => slot !== undefined);
  }

  // --- previews: each requested once, when the player points at a move ------------------------------

  /** The effect of a choice that continues a path; nothing until the server has answered. @param {Choice} choice @param {number[]} path */
  effect(choice, path) {
    const key = String(path);
    if (!this.effects.has(choice.text) && !this.asked.has(key)) {
      this.asked.add(key);
      this.asks.preview(path);
    }
    return this.effects.get(choice.text);
  }

  /** @param {Previewed} preview */
  told({ effects = [], path, blocked = [], superseded }) {
    if (superseded) { this.asked.delete(String(path)); return; }
    for (const effect of effects) this.effects.set(effect.move, effect);
    for (const place of /** @type {NodeListOf<HTMLElement>} */ (this.sheet.querySelectorAll(".effect"))) {
      place.textContent = this.effects.get(place.dataset.move ?? "")?.said ?? place.textContent;
    }
    if (String(path) === String(this.path)) this.block(blocked);
    const { lit } = this;
    this.lit = -1;
    this.point(lit);
  }

  // --- blocked places, and why -----------------------------------------------------------------------

  /** The sheet lists blocked places too, after the others, each with its reason. @param {Blocked[]} blocked */
  block(blocked) {
    for (const { slot, reason } of blocked) {
      this.reasons.set(String([...this.path, slot]), { text: reason });
      const { words } = says(this.places.named(slot), "reason", reason);
      this.sheet.append(html("button", { type: "button", className: "target blocked", ariaDisabled: "true", data: { blocked: slot } }, letter("–"), words));
    }
  }

  /** The player asks about a place: the answer is announced, with a link to the rules. @param {number[]} path */
  ask(path) {
    this.asking = String(path);
    this.asks.why(path);
  }

  /** The pointer rests on a blocked place: show why, if a rule is the reason. @param {number} slot */
  wonder(slot) {
    clearTimeout(this.wondering);
    if (this.lamented) this.rest();
    this.over = slot < 0 ? "" : String([...this.path, slot]);
    if (slot < 0) return;
    const known = this.reasons.get(this.over);
    if (known) this.lament(known);
    else this.wondering = setTimeout(() => this.asks.why([...this.path, slot]), REST);
  }

  /** @param {{ text?: string, section?: string | null }} reason */
  lament({ text, section = null }) {
    if (!text) return;
    this.asks.hint(text, { bad: true, quiet: true, section });
    this.lamented = true;
  }

  /** The hint for the choice so far, while the pointer is not on a place. */
  rest() {
    this.lamented = false;
    const last = this.path.at(-1);
    if (!this.active) this.asks.marking().repeat();
    else this.asks.hint(last === undefined ? this.asks.words.pick : this.places.named(last));
  }

  /** The server's answer; `plain` if it only says that nothing can be done there. @param {Explained} why */
  explained({ path, text, section = "", plain = false }) {
    const key = String(path);
    this.reasons.set(key, plain ? {} : { text, section });
    if (this.asking === key) {
      this.asking = null;
      this.asks.hint(text, { bad: true, section });
    } else if (this.over === key) this.lament(/** @type {{ text?: string }} */ (this.reasons.get(key)));
  }

  // --- clicks --------------------------------------------------------------------------------------

  /** @param {Event} event */
  clicked(event) {
    const slot = this.slotOf(event.target);
    if (slot < 0 || !this.active) return;
    const target = this.places.meant(slot, this.targets());
    if (target >= 0) { this.step(target); return; }
    const firsts = [...new Set(this.choices.map((choice) => choice.path[0]))];
    if (this.path.length && this.places.meant(slot, firsts) >= 0) {
      this.path = [];
      this.step(this.places.meant(slot, firsts));
    } else this.ask([...this.path, slot]);
  }

  /** @param {number} target */
  step(target) {
    this.path = [...this.path, target];
    this.keys = this.path.map((slot) => this.places.at(slot).key).join("");
    // If only one place is left, it is chosen for the player.
    for (;;) {
      const open = this.open();
      const done = open.find((choice) => choice.path.length === this.path.length);
      const next = this.targets();
      if (done && next.length === 0) { this.finish(done); return; }
      if (new Set(open.map((choice) => choice.text)).size !== 1 || next.length !== 1) break;
      this.path = [...this.path, next[0]];
    }
    this.draw();
    /** @type {HTMLElement | null} */ (this.sheet.querySelector("button.target"))?.focus({ preventScroll: true });
  }

  back() {
    this.path = this.path.slice(0, -1);
    this.keys = "";
    this.draw();
  }

  /** @param {Choice} choice */
  finish(choice) {
    const focused = document.activeElement;
    this.left = Boolean(this.sheet.contains(focused) && focused?.matches(":focus-visible"));
    const { path } = choice;
    this.offer([]);
    this.light(path, "chosen");
    this.asks.play(choice.text, path);
  }

  // --- keys: the move's text is the key sequence ----------------------------------------------------

  /** A typed character; true if it belongs to some move. @param {string} character */
  typed(character) {
    const keys = this.keys + character.toLowerCase();
    const open = this.choices.filter((choice) => choice.text.startsWith(keys));
    if (open.length === 0) return false;
    this.keys = keys;
    if (open.every((choice) => choice.text === keys)) {
      this.finish(open[0]);
      return true;
    }
    this.path = this.reached(common(open.map((choice) => choice.path)), keys);
    this.draw();
    this.asks.hint(keys);
    return true;
  }

  /** The path, if the keys typed so far name every place of it. @param {number[]} path @param {string} keys */
  reached(path, keys) {
    const needed = path.reduce((sum, slot) => sum + this.places.at(slot).key.length, 0);
    return keys.length >= needed ? path : [];
  }

  // --- light ---------------------------------------------------------------------------------------

  /** @param {PointerEvent} event */
  pointed(event) {
    const slot = this.slotOf(event.target);
    const target = slot >= 0 && this.active ? this.places.meant(slot, this.targets()) : -1;
    this.point(target);
    const can = event.target instanceof Element && event.target.closest("[data-slot]")?.classList.contains("can");
    const blocked = slot >= 0 && target < 0 && (this.active || (this.asks.marking().active && !can));
    this.wonder(blocked && event.pointerType === "mouse" ? slot : -1);
  }

  /** The player points at a place: highlight it and show what the move would do. @param {number} slot */
  point(slot) {
    if (slot === this.lit) return;
    this.lit = slot;
    for (const element of this.table.querySelectorAll(".lit")) element.classList.remove("lit");
    if (slot < 0) return;
    const path = [...this.path, slot];
    const ends = this.open(path).filter((end, i, all) => all.findIndex((other) => other.text === end.text) === i);
    // Few moves begin here: show and highlight the effect of each.
    const told = ends.length <= 2 ? ends.map((end) => this.effect(end, path)) : [];
    this.light([slot, ...told.flatMap((effect) => effect?.lights ?? [])], "lit");
    const said = told.map((effect, i) => (ends[i].path.length > path.length ? `${this.places.named(/** @type {number} */ (ends[i].path.at(-1)))}: ${effect?.said}` : effect?.said));
    const complete = told.length > 0 && told.every((effect) => effect?.said);
    this.asks.hint(complete ? `${this.places.named(slot)}: ${said.join("; ")}` : this.places.named(slot));
  }

  /** @param {number[]} slots @param {string} mark */
  light(slots, mark) {
    for (const slot of slots) {
      this.renderer.nodes[slot]?.classList.add(mark);
      for (const piece of this.pieces.nodesAt(slot)) piece.classList.add(mark);
    }
  }

  /** Update the marks on the table and the buttons in the sheet; `quiet` keeps the last hint. @param {{ quiet?: boolean }} [how] */
  draw({ quiet = false } = {}) {
    this.table.classList.toggle("choosing", this.path.length > 0);
    for (const element of this.table.querySelectorAll(".can, .chosen, .lit")) element.classList.remove("can", "chosen", "lit");
    this.light(this.targets(), "can");
    this.light(this.path, "chosen");
    this.lit = -1;
    this.drawSheet();
    this.asks.chosen(this.path);
    if (!quiet) this.rest();
  }

  /** The place under a click or a pointer. @param {EventTarget | null} target */
  slotOf(target) {
    const node = target instanceof Element ? /** @type {SVGElement | null} */ (target.closest("[data-slot]")) : null;
    return node ? this.places.number(node.dataset.slot ?? "") : -1;
  }

  // --- the sheet ------------------------------------------------------------------------------------

  drawSheet() {
    const open = this.open();
    const depth = this.path.length;
    const direct = new Set(open.filter((choice) => choice.path.length === depth + 1).map((choice) => choice.text));
    // If one button makes the whole move, no button for its first step is needed.
    const targets = this.targets().filter((slot) => open.some((choice) => choice.path[depth] === slot && (choice.path.length === depth + 1 || !direct.has(choice.text))));
    /** @type {Map<number, HTMLElement[]>} */ const groups = new Map();
    for (const slot of targets) {
      const button = this.button(slot);
      const around = button.classList.contains("target") ? -1 : this.places.around(slot);
      const place = around < 0 ? slot : around;
      groups.set(place, [...(groups.get(place) ?? []), button]);
    }
    const parts = [...groups].map(([place, members]) => (targets.includes(place) ? members[0] : group(this.places.at(place).name, members)));
    if (depth) parts.unshift(html("button", { type: "button", textContent: `↩ ${this.asks.words.cancel}`, data: { back: "" } }));
    this.sheet.replaceChildren(...parts);
  }

  /** @param {number} slot */
  button(slot) {
    const { key } = this.places.at(slot);
    const end = this.open([...this.path, slot]).find((choice) => choice.path.length === this.path.length + 1);
    const button = html("button", { type: "button", data: { target: slot } }, letter(key));
    if (end) {
      const { words, said } = says(this.places.named(slot), "effect", this.effect(end, this.path)?.said ?? "");
      said.dataset.move = end.text;
      button.classList.add("target");
      button.append(words);
    } else if (this.pictured(slot).length) {
      button.append(...this.pictured(slot), html("span", { className: "hidden-title", textContent: this.places.named(slot) }));
    } else button.append(html("span", { textContent: this.places.named(slot) }));
    return button;
  }

  /** The pieces of a place within another one, as pictures. @param {number} slot */
  pictured(slot) {
    return (this.renderer.lies.get(slot) ?? []).flatMap(([kind, , count = 1]) => {
      const picture = () => this.places.icon(kind);
      return count > SINGLY ? [`${count}×`, picture()] : Array.from({ length: count }, picture);
    });
  }
}

/** @param {EventTarget | null} target */
const buttonOf = (target) => (target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest("button")) : null);

/** @param {Choice[]} choices */
const texts = (choices) => choices.map(({ text }) => text).join(" ");

/** The common beginning of paths. @param {number[][]} paths */
function common(paths) {
  const first = paths[0] ?? [];
  const end = first.findIndex((slot, i) => paths.some((path) => path[i] !== slot));
  return end < 0 ? first.slice(0, -1) : first.slice(0, end);
}
