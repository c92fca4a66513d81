// Choosing a move, for any game: a move is a path of slots to click. No rule of a game stands here.

const UNTOLD = { said: "", lights: [] };
const REST = 200; // milliseconds until a pointer that rests is taken for a question

export class Dialogue {
  /** `play(text)` sends a move, `preview(path)` asks what the moves that go on from a path would do and which
   *  places are blocked, `why(path)` why one is, `hint(text)` says something; `marking()` is
   *  where pieces are marked instead. */
  constructor(table, sheet, { play, preview, why, marking, hint, words, icon }) {
    Object.assign(this, { table, sheet, play, preview, why, marking, hint, words, icon });
    this.effects = {};
    this.asked = new Set();
    this.reasons = new Map();
    this.path = [];
    this.choices = [];
    this.slots = {};
    table.addEventListener("click", (event) => this.clicked(event));
    table.addEventListener("pointerover", (event) => this.pointed(event));
    table.addEventListener("pointerout", () => { this.point(null); this.wonder(null); });
    sheet.addEventListener("click", ({ target }) => {
      const button = target.closest("button");
      if (!button) return;
      if (button.dataset.back !== undefined) this.back();
      else if (button.dataset.target !== undefined) this.step(button.dataset.target);
      else if (button.dataset.blocked !== undefined) this.ask([...this.path, button.dataset.blocked]);
    });
    sheet.addEventListener("focusin", ({ target }) => this.point(target.dataset.target ?? null));
    sheet.addEventListener("focusout", () => this.point(null));
    sheet.addEventListener("pointerover", ({ target }) => this.point(target.closest("button")?.dataset.target ?? null));
  }

  get active() { return this.choices.length > 0; }

  /** New choices, and what those would do that a single click makes. What was chosen so far stays chosen if the
   *  table is the same (after a reconnection). */
  offer(choices, slots, ply = null, effects = {}) {
    const same = this.active && ply === this.ply && moves(choices) === moves(this.choices);
    this.effects = same ? { ...this.effects, ...effects } : effects;
    this.asked.clear();
    if (!same) this.reasons.clear();
    this.choices = choices;
    this.slots = slots;
    this.ply = ply;
    if (!same || this.open().length === 0) {
      this.path = [];
      this.keys = "";
    }
    this.draw({ quiet: same });
  }

  /** Choices that go on from the path chosen so far. */
  open(path = this.path) {
    return this.choices.filter((choice) => path.every((slot, i) => choice.path[i] === slot));
  }

  targets() {
    return [...new Set(this.open().map((choice) => choice.path[this.path.length]))].filter(Boolean);
  }

  // --- previews: asked for when somebody reaches for a move, once each ------------------------------

  /** What a choice that goes on from a path would do and which places it concerns; nothing until the server has told. */
  effect(choice, path) {
    const key = path.join(" ");
    if (!(choice.text in this.effects) && !this.asked.has(key)) {
      this.asked.add(key);
      this.preview(path);
    }
    return this.effects[choice.text] ?? UNTOLD;
  }

  told(effects, path = [], blocked = []) {
    Object.assign(this.effects, effects);
    for (const place of this.sheet.querySelectorAll(".effect")) place.textContent = this.effects[place.dataset.move]?.said ?? place.textContent;
    if (String(path) === String(this.path)) this.block(blocked);
    const { lit } = this;
    this.lit = null;
    this.point(lit);
  }

  // --- places where nothing goes: why not ------------------------------------------------------------

  /** Blocked places stand in the sheet too, behind the others, each with its reason. */
  block(places) {
    for (const { slot, name, reason } of places) {
      this.reasons.set([...this.path, slot].join(" "), { text: reason });
      const button = document.createElement("button");
      button.type = "button";
      button.className = "target blocked";
      button.dataset.blocked = slot;
      button.ariaDisabled = "true";
      button.append(letter("–"), says(name, "reason", reason));
      this.sheet.append(button);
    }
  }

  /** Somebody asks about a place: the answer is said aloud, with the way to the rules. */
  ask(path) {
    this.asking = path.join(" ");
    this.why(path);
  }

  /** The pointer rests on a place where nothing goes: say why, if the rules have a reason. */
  wonder(slot) {
    clearTimeout(this.wondering);
    if (this.lamented) this.rest();
    this.over = slot && [...this.path, slot].join(" ");
    if (!slot) return;
    if (this.reasons.has(this.over)) this.lament(this.reasons.get(this.over));
    else this.wondering = setTimeout(() => this.why([...this.path, slot]), REST);
  }

  lament({ text, section = null }) {
    if (!text) return;
    this.hint(text, { bad: true, quiet: true, section });
    this.lamented = true;
  }

  /** The hint of the choice so far, while nothing is pointed at. */
  rest() {
    this.lamented = false;
    if (this.active) this.hint(this.path.length ? this.named(this.path.at(-1)) : this.words.pick);
    else this.marking().repeat();
  }

  /** The server's answer; `plain` if there is no more to say than that nothing goes there. */
  explained({ path, text, section, plain }) {
    const key = path.join(" ");
    this.reasons.set(key, plain ? {} : { text, section });
    if (this.asking === key) {
      this.asking = null;
      this.hint(text, { bad: true, section });
    } else if (this.over === key) this.lament(this.reasons.get(key));
  }

  // --- clicks --------------------------------------------------------------------------------------

  clicked(event) {
    const place = event.target.closest?.("[data-slot]");
    if (!place || !this.active) return;
    const targets = this.targets();
    const target = meant(place.dataset.slot, targets);
    if (target) this.step(target);
    else if (this.path.length && meant(place.dataset.slot, [...new Set(this.choices.map((c) => c.path[0]))])) {
      this.path = [];
      this.step(meant(place.dataset.slot, this.targets()));
    } else this.ask([...this.path, place.dataset.slot]);
  }

  step(target) {
    this.path = [...this.path, target];
    this.keys = this.path.map((slot) => this.slots[slot]?.key ?? "").join("");
    // A single answer is given for the player.
    for (;;) {
      const open = this.open();
      const done = open.find((choice) => choice.path.length === this.path.length);
      const next = this.targets();
      if (done && next.length === 0) return this.finish(done);
      if (new Set(open.map((choice) => choice.text)).size !== 1 || next.length !== 1) break;
      this.path = [...this.path, next[0]];
    }
    this.draw();
    this.sheet.querySelector("button.target")?.focus({ preventScroll: true });
  }

  back() {
    this.path = this.path.slice(0, -1);
    this.keys = "";
    this.draw();
  }

  finish(choice) {
    const { text } = choice;
    this.left = this.sheet.matches(":focus-within") && document.activeElement.matches(":focus-visible");
    this.offer([], {});
    this.play(text);
  }

  // --- keys: the move's text is the key sequence ----------------------------------------------------

  /** A typed character; true if it belongs to some move. */
  typed(character) {
    const keys = (this.keys ?? "") + character.toLowerCase();
    const open = this.choices.filter((choice) => choice.text.startsWith(keys));
    if (open.length === 0) return false;
    this.keys = keys;
    const whole = open.find((choice) => choice.text === keys);
    if (whole && open.every((choice) => choice.text === keys)) {
      this.finish(whole);
      return true;
    }
    this.path = common(open.map((choice) => choice.path));
    if (!this.path.every((slot, i) => keys.length >= lengthOf(this.path.slice(0, i + 1), this.slots))) this.path = [];
    this.draw();
    this.hint(keys);
    return true;
  }

  // --- light ---------------------------------------------------------------------------------------

  pointed(event) {
    const place = event.target.closest?.("[data-slot]");
    const target = place && this.active ? meant(place.dataset.slot, this.targets()) : null;
    this.point(target);
    const blocked = place && !target && (this.active || (this.marking().active && !place.classList.contains("can")));
    this.wonder(blocked && event.pointerType === "mouse" ? place.dataset.slot : null);
  }

  point(slot) {
    if (slot === this.lit) return;
    this.lit = slot;
    for (const element of this.table.querySelectorAll(".lit")) element.classList.remove("lit");
    if (!slot) return;
    const path = [...this.path, slot];
    const ends = this.open(path).filter((end, i, all) => all.findIndex((other) => other.text === end.text) === i);
    // Few moves begin here: what each would do is said and lit.
    const told = ends.length <= 2 ? ends.map((end) => this.effect(end, path)) : [];
    for (const lit of [slot, ...told.flatMap(({ lights }) => lights)]) for (const element of this.at(lit)) element.classList.add("lit");
    const said = told.map((effect, i) => (ends[i].path.length > path.length ? `${this.named(ends[i].path.at(-1))}: ${effect.said}` : effect.said));
    this.hint(told.every((effect) => effect.said) && told.length ? `${this.named(slot)}: ${said.join("; ")}` : this.named(slot));
  }

  at(slot) {
    return this.table.querySelectorAll(`[data-slot="${CSS.escape(slot)}"]`);
  }

  named(slot) {
    const { name = slot, around = "" } = this.slots[slot] ?? {};
    return around ? `${around}: ${name}` : name;
  }

  /** Marks on the table and buttons in the sheet; `quiet` leaves what was said last. */
  draw({ quiet = false } = {}) {
    this.table.classList.toggle("choosing", this.path.length > 0);
    for (const element of this.table.querySelectorAll(".can, .chosen, .lit")) element.classList.remove("can", "chosen", "lit");
    for (const slot of this.targets()) for (const element of this.at(slot)) element.classList.add("can");
    for (const slot of this.path) for (const element of this.at(slot)) element.classList.add("chosen");
    this.lit = null;
    this.drawSheet();
    if (!quiet) this.rest();
  }

  // --- the sheet: the same choices as buttons, for fingers, keyboards and screen readers ------------

  drawSheet() {
    const open = this.open();
    const direct = new Set(open.filter((choice) => choice.path.length === this.path.length + 1).map((choice) => choice.text));
    // What a button does at once needs no second button that does it in two steps.
    const targets = this.targets().filter((slot) => open.some((choice) => choice.path[this.path.length] === slot
      && (choice.path.length === this.path.length + 1 || !direct.has(choice.text))));
    const buttons = targets.map((slot) => this.button(slot));
    const groups = new Map();
    targets.forEach((slot, i) => {
      const around = buttons[i].classList.contains("target") ? "" : this.slots[slot]?.around ?? "";
      if (!around) groups.set(slot, [buttons[i]]);
      else groups.set(around, [...(groups.get(around) ?? []), buttons[i]]);
    });
    const parts = [...groups].map(([name, members]) => (members[0].classList.contains("target") ? members[0] : group(name, members)));
    if (this.path.length) {
      const back = document.createElement("button");
      back.type = "button";
      back.dataset.back = "";
      back.textContent = `↩ ${this.words.cancel}`;
      parts.unshift(back);
    }
    this.sheet.replaceChildren(...parts);
  }

  button(slot) {
    const { key = "", pieces = [] } = this.slots[slot] ?? {};
    const ends = this.open([...this.path, slot]).filter((choice) => choice.path.length === this.path.length + 1);
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.target = slot;
    button.append(letter(key));
    if (pieces.length && !ends.length) {
      for (const [kind, count] of pieces) {
        if (count > 4) button.append(`${count}×`);
        for (let i = 0; i < (count > 4 ? 1 : count); i += 1) button.append(this.icon(kind));
      }
      button.ariaLabel = `${this.named(slot)} (${key})`;
    } else if (!ends.length) {
      const label = document.createElement("span");
      label.textContent = this.named(slot);
      button.append(label);
    } else {
      const words = says(this.named(slot), "effect", this.effect(ends[0], this.path).said);
      words.lastElementChild.dataset.move = ends[0].text;
      button.classList.add("target");
      button.append(words);
    }
    return button;
  }
}

/** The key to type, beside what it means. */
export function letter(key) {
  const written = document.createElement("span");
  written.className = "letter";
  written.textContent = key;
  written.ariaHidden = "true";
  return written;
}

/** A place, and what is said of it. */
function says(name, kind, text) {
  const [words, label, said] = ["span", "span", "span"].map((tag) => document.createElement(tag));
  words.className = "says";
  label.textContent = name;
  said.className = kind;
  said.textContent = text;
  words.append(label, " ", said);
  return words;
}

function group(name, members) {
  const box = document.createElement("div");
  box.className = "group";
  box.role = "group";
  box.ariaLabel = name;
  box.append(...members);
  return box;
}

const moves = (choices) => choices.map(({ text }) => text).join(" ");

/** The target that a click on a slot means: the slot itself, or the one around it. */
function meant(slot, targets) {
  for (let id = slot; id; id = id.slice(0, Math.max(0, id.lastIndexOf(".")))) if (targets.includes(id)) return id;
  return null;
}

function common(paths) {
  const first = paths[0] ?? [];
  const end = first.findIndex((slot, i) => paths.some((path) => path[i] !== slot));
  return end < 0 ? first.slice(0, -1) : first.slice(0, end);
}

function lengthOf(path, slots) {
  return path.reduce((sum, slot) => sum + (slots[slot]?.key.length ?? 0), 0);
}
