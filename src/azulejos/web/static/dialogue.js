// @ts-check
// Choosing a move, for any game: a move is a path of places to click. There are no rules of a game here.
import { letter, listed, says } from "./choosing.js";
import { html } from "./dom.js";
import { Previews } from "./previews.js";
/** @import { Places } from "./plan.js" */
/** @import { Renderer } from "./renderer.js" */
/** @import { Pieces } from "./pieces.js" */
/** @import { Ghosts } from "./ghosts.js" */
/** @import { Blocked, Effect, Explained, Previewed } from "./messages" */
/** @import { Choice, Hint, Words } from "./types" */

const REST = 200; // milliseconds until a resting pointer counts as a question
const SLIP = 6; // pixels: a pointer that has moved less since its last click rests
const SHAKE = 300; // milliseconds for which a blocked place is marked
const SIGN = ".badge-slot:has(> use)"; // it can always be asked about
const MARKS = ["can", "legal", "target", "chosen", "hover", "lit", "quiet"];

/**
 * @typedef {object} Asking
 * @property {(move: string, path: number[]) => void} play sends a move
 * @property {(path: number[]) => void} preview asks what the moves that continue a path would do
 * @property {(path: number[]) => void} why asks why a place is blocked
 * @property {(text: string, how?: Hint) => void} hint
 * @property {(path: number[]) => void} chosen hears every change of the path chosen so far
 * @property {() => string} resting what is said while nothing is chosen and nothing is pointed at
 * @property {() => { active: boolean, repeat: () => void }} marking the state of marking pieces, which replaces choosing
 * @property {Words} words
 */

export class Dialogue {
  /**
   * @param {HTMLElement} table @param {HTMLElement} sheet @param {Places} places @param {Renderer} renderer
   * @param {Pieces} pieces @param {Ghosts} ghosts @param {Asking} ask
   */
  constructor(table, sheet, places, renderer, pieces, ghosts, ask) {
    this.table = table;
    this.sheet = sheet;
    this.places = places;
    this.renderer = renderer;
    this.pieces = pieces;
    this.ghosts = ghosts;
    this.asks = ask;
    this.previews = new Previews(ask.preview);
    /** @type {Map<string, { text?: string, section?: string | null, step?: boolean }>} why a path is blocked */
    this.reasons = new Map();
    /** @type {number[]} */
    this.path = [];
    /** @type {Choice[]} */
    this.choices = [];
    this.keyed = true;
    this.keys = "";
    this.lit = -1;
    this.left = false;
    this.pressed = { x: 0, y: 0 };
    /** @type {number | null} */
    this.ply = null;
    /** @type {string | null} */
    this.asking = null;
    this.over = "";
    this.listen();
  }

  listen() {
    const { table, sheet } = this;
    // What gets the focus is previewed for whoever uses keys: after a click it would look like an advice.
    addEventListener("pointerdown", () => { this.keyed = false; }, true);
    addEventListener("keydown", () => { this.keyed = true; }, true);
    table.addEventListener("click", (event) => this.clicked(event));
    table.addEventListener("pointerover", (event) => this.pointed(event));
    table.addEventListener("pointerout", () => { this.point(-1); this.wonder(-1); });
    sheet.addEventListener("click", ({ target }) => {
      const { back, target: slot, blocked } = buttonOf(target)?.dataset ?? {};
      if (back !== undefined) this.back();
      else if (slot !== undefined) this.step(Number(slot));
      else if (blocked !== undefined) this.ask([...this.path, Number(blocked)]);
    });
    table.addEventListener("focusin", ({ target }) => {
      const slot = this.slotOf(target);
      if (slot >= 0 && this.keyed && target instanceof Element && target.matches(":focus-visible")) this.point(slot);
    });
    table.addEventListener("keydown", (event) => {
      const slot = this.slotOf(event.target);
      if ((event.key !== "Enter" && event.key !== " ") || !this.targets().includes(slot)) return;
      event.preventDefault();
      event.stopPropagation();
      this.step(slot);
    });
    sheet.addEventListener("focusin", ({ target }) => { if (this.keyed) this.point(Number(buttonOf(target)?.dataset.target ?? -1)); });
    sheet.addEventListener("focusout", () => this.point(-1));
    sheet.addEventListener("pointerover", ({ target }) => this.point(Number(buttonOf(target)?.dataset.target ?? -1)));
  }

  get active() { return this.choices.length > 0; }

  /** New choices. The path chosen so far is kept if the table is unchanged (after a reconnection). @param {Choice[]} choices @param {number | null} ply */
  offer(choices, ply = null) {
    const same = this.active && ply === this.ply && texts(choices) === texts(this.choices);
    if (!same) {
      this.previews.forget();
      this.reasons.clear();
    }
    this.previews.reset();
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
    const known = this.previews.effects.get(choice.text);
    if (!known || String(choice.path) === String(path)) this.previews.ask(path);
    return known;
  }

  /** @param {Previewed} preview */
  told(preview) {
    const { path, blocked = [] } = preview;
    this.previews.told(preview);
    for (const place of /** @type {NodeListOf<HTMLElement>} */ (this.sheet.querySelectorAll(".effect"))) {
      place.textContent = this.previews.effects.get(place.dataset.move ?? "")?.said ?? place.textContent;
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
    this.shake(/** @type {number} */ (path.at(-1)));
  }

  /** A place that was clicked in vain shakes. @param {number} slot */
  shake(slot) {
    const nodes = [this.renderer.nodes[slot], ...this.pieces.nodesAt(slot)];
    for (const node of nodes) node?.classList.add("blocked");
    setTimeout(() => { for (const node of nodes) node?.classList.remove("blocked"); }, SHAKE);
  }

  /** The pointer rests on a blocked place: show why, if a rule is the reason. With something chosen, only places that the next step could mean are spoken of. @param {number} slot */
  wonder(slot) {
    clearTimeout(this.wondering);
    if (this.lamented) this.rest();
    this.over = slot < 0 ? "" : String([...this.path, slot]);
    if (slot < 0) return;
    const known = this.reasons.get(this.over);
    if (known) this.lament(known);
    else if (!this.path.length) this.wondering = setTimeout(() => this.asks.why([slot]), REST);
  }

  /** What only says which step comes next is no reproach. @param {{ text?: string, section?: string | null, step?: boolean }} reason */
  lament({ text, section = null, step = false }) {
    if (!text) return;
    this.asks.hint(text, { quiet: true, section: step ? null : section });
    this.lamented = true;
  }

  /** The hint for the choice so far, while the pointer is not on a place. */
  rest() {
    this.lamented = false;
    const last = this.path.at(-1);
    if (!this.active) this.asks.marking().repeat();
    else this.asks.hint(last === undefined ? this.asks.resting() : sentence(this.places.named(last)));
  }

  /** The server's answer; `plain` if it only says that nothing can be done there. @param {Explained} why */
  explained({ path, text, section = "", plain = false, step = false }) {
    const key = String(path);
    this.reasons.set(key, plain ? {} : { text, section, step });
    if (this.asking === key) {
      this.asking = null;
      this.asks.hint(text, { bad: !step, section: step ? null : section });
    } else if (this.over === key) this.lament(/** @type {{ text?: string }} */ (this.reasons.get(key)));
  }

  // --- clicks --------------------------------------------------------------------------------------

  /** @param {MouseEvent} event */
  clicked(event) {
    this.pressed = { x: event.clientX, y: event.clientY };
    const slot = this.slotOf(event.target);
    if (this.explain(slot) || slot < 0 || !this.active) return;
    const target = this.places.meant(slot, this.targets());
    if (target >= 0) { this.step(target); return; }
    const firsts = [...new Set(this.choices.map((choice) => choice.path[0]))];
    if (this.path.length && this.places.meant(slot, firsts) >= 0) {
      this.path = [];
      this.step(this.places.meant(slot, firsts));
    } else this.ask([...this.path, slot]);
  }

  /** The place from which a press at a slot can drag pieces: one that begins or continues a move; -1 if there is none. @param {number} slot */
  begins(slot) {
    if (slot < 0 || !this.active) return -1;
    const firsts = this.choices.map((choice) => choice.path[0]);
    for (const among of [this.path.slice(-1), this.targets(), firsts]) {
      const place = this.places.meant(slot, among);
      if (place >= 0) return place;
    }
    return -1;
  }

  /** Choose a place by dragging its pieces away; false if this alone is a move, which has been sent. @param {number} slot */
  lift(slot) {
    if (this.path.at(-1) === slot) return true;
    if (!this.targets().includes(slot)) this.path = [];
    this.step(slot, { alone: true });
    return this.active;
  }

  /** If only one place is left, it is chosen for the player, unless this step stands `alone`. @param {number} target @param {{ alone?: boolean }} [how] */
  step(target, { alone = false } = {}) {
    this.path = [...this.path, target];
    this.keys = this.path.map((slot) => this.places.at(slot).key).join("");
    for (;;) {
      const open = this.open();
      const done = open.find((choice) => choice.path.length === this.path.length);
      const next = this.targets();
      if (done && next.length === 0) { this.finish(done); return; }
      if (alone || new Set(open.map((choice) => choice.text)).size !== 1 || next.length !== 1) break;
      this.path = [...this.path, next[0]];
    }
    this.draw();
    if (this.table.contains(document.activeElement)) return;
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

  /** What a move does, after the name of the place that was chosen for it. @param {number} slot @param {string} said @param {(Effect | undefined)[]} effects */
  tell(slot, said, effects) {
    const loses = effects.length === 1 && worth(effects[0]) < 0;
    this.asks.hint(sentence(`${this.places.named(slot)}: ${said}`), { loses });
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

  /** A sign that is no target says what it means; false for any other place. @param {number} slot */
  explain(slot) {
    if (slot < 0 || this.places.planned[slot].shape !== "badge" || this.targets().includes(slot)) return false;
    this.point(-1);
    this.wonder(-1);
    this.asks.hint(sentence(this.places.at(slot).name));
    this.lamented = true;
    return true;
  }

  /** @param {PointerEvent} event */
  pointed(event) {
    const slot = this.slotOf(event.target);
    if (this.explain(slot)) return;
    const target = slot >= 0 && this.active ? this.places.meant(slot, this.targets()) : -1;
    this.point(target);
    const blocked = slot >= 0 && target < 0 && this.active && this.places.meant(slot, this.path) < 0;
    // Places that change under a resting pointer have not been asked about.
    const moved = Math.hypot(event.clientX - this.pressed.x, event.clientY - this.pressed.y) > SLIP;
    this.wonder(blocked && moved && event.pointerType === "mouse" ? slot : -1);
  }

  /** The player points at a place: highlight it and show what the move would do. @param {number} slot */
  point(slot) {
    if (slot === this.lit) return;
    this.lit = slot;
    for (const element of this.table.querySelectorAll(".lit, .hover, .target")) element.classList.remove("lit", "hover", "target");
    this.ghosts.clear();
    if (slot < 0) return;
    const path = [...this.path, slot];
    const ends = this.open(path).filter((end, i, all) => all.findIndex((other) => other.text === end.text) === i);
    // Few moves begin here: show and highlight the effect of each.
    const told = ends.length <= 2 ? ends.map((end) => this.effect(end, path)) : [];
    this.light([slot], this.isTarget(slot) ? "target" : "hover");
    this.light(told.flatMap((effect) => effect?.lights ?? []), "lit");
    if (told.length === 1 && String(ends[0].path) === String(path)) this.ghosts.show(told[0]);
    const said = told.map((effect, i) => (ends[i].path.length > path.length ? `${this.places.named(/** @type {number} */ (ends[i].path.at(-1)))}: ${effect?.said}` : effect?.said));
    const complete = told.length > 0 && told.every((effect) => effect?.said);
    if (complete) this.tell(slot, said.join("; "), told);
    else this.asks.hint(sentence(this.places.named(slot)));
  }

  /** Whether a place is where something goes; otherwise it is where a move begins. @param {number} slot */
  isTarget(slot) { return this.path.length > 0 || !this.pieces.nodesAt(slot).length; }

  /** Whether the next step puts something down; otherwise it chooses a piece, or nothing is left to choose. */
  asksForPlace() { return this.targets().some((slot) => this.isTarget(slot)); }

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
    for (const element of this.table.querySelectorAll(MARKS.map((mark) => `:is(.piece, .slot).${mark}`).join())) element.classList.remove(...MARKS);
    const targets = this.targets();
    this.light(targets, "can");
    for (const slot of targets) if (this.isTarget(slot)) this.renderer.nodes[slot]?.classList.add("legal");
    this.light(this.path, "chosen");
    this.hush();
    this.ghosts.clear();
    this.lit = -1;
    const focused = this.sheet.contains(document.activeElement) ? buttonOf(document.activeElement)?.dataset.target : undefined;
    this.sheet.replaceChildren(...listed(this));
    this.asks.chosen(this.path);
    if (!quiet) this.rest();
    this.reach(targets); // these two last: what gets the focus is previewed
    if (focused !== undefined) /** @type {HTMLElement | null} */ (this.sheet.querySelector(`[data-target="${focused}"]`))?.focus({ preventScroll: true });
  }

  /** Pieces beside the chosen ones are quiet. */
  hush() {
    if (!this.path.length) return;
    const { picture } = this.renderer.panels[this.places.planned[this.path[0]].panel];
    for (const piece of picture.querySelectorAll(".piece:not(.chosen)")) piece.classList.add("quiet");
  }

  /** Places that can be chosen can be reached with the Tab key. @param {number[]} slots */
  reach(slots) {
    const before = document.activeElement?.closest("[data-slot]")?.getAttribute("data-slot");
    for (const node of this.table.querySelectorAll(".slot[tabindex]")) { if (!node.matches(SIGN)) node.removeAttribute("tabindex"); node.setAttribute("role", "img"); }
    for (const slot of slots) { this.renderer.nodes[slot]?.setAttribute("tabindex", "0"); this.renderer.nodes[slot]?.setAttribute("role", "button"); }
    const next = slots.map((slot) => this.renderer.nodes[slot]).find((node) => node && (this.path.length > 0 || node.dataset.slot === before));
    if (before) next?.focus({ preventScroll: true });
  }

  /** The place under a click or a pointer. @param {EventTarget | null} target */
  slotOf(target) {
    const node = target instanceof Element ? /** @type {SVGElement | null} */ (target.closest("[data-slot]")) : null;
    return node ? this.places.number(node.dataset.slot ?? "") : -1;
  }
}

/** A line of words begins with a capital letter. @param {string} text */
export const sentence = (text) => text.charAt(0).toLocaleUpperCase(document.documentElement.lang) + text.slice(1);

/** The points that a move brings, as far as they are foreseen. @param {Effect | undefined} effect */
export const worth = (effect) => (effect?.points ?? []).reduce((sum, [, points]) => sum + points, 0);

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
