// @ts-check
// The set-up: chips for the seats and cards for who sits there. The fields of the plain form hold what is chosen.
import { $, fill, html } from "./dom.js";
import { alone } from "./line.js";
import { inSite } from "./root.js";

const form = /** @type {HTMLFormElement} */ ($("set-up"));
const words = /** @type {Record<string, string>} */ (/** @type {unknown} */ (form.dataset));
const MOST = 4;
const KEPT = "azulejos.set-up";
const UNDO = 6000; // milliseconds in which a removed player can be brought back

/** @param {number} seat @returns {HTMLSelectElement} */
const field = (seat) => $(`seat${seat}`);
/** @param {number} seat @returns {HTMLInputElement} */
const nameField = (seat) => /** @type {any} */ (form.elements.namedItem(`name${seat}`));
/** @param {string} name @returns {HTMLInputElement | undefined} */
const checked = (name) => /** @type {any} */ (form.querySelector(`input[name="${name}"]:checked`)) ?? undefined;
const seats = () => Array.from({ length: MOST }, (_, seat) => seat).filter((seat) => field(seat).value !== "none");
const cover = () => checked("cover")?.value ?? "";

let chosen = 1;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let forgetting;

// --- seats ---------------------------------------------------------------------------------------------

/** The card of what sits on a seat. @param {number} seat @returns {HTMLInputElement | null} */
const cardOf = (seat) => form.querySelector(`input[name="pick"][value="${CSS.escape(field(seat).value)}"]`);

/** @param {number} seat */
function nameOf(seat) {
  const kind = field(seat).value;
  if (kind === "you") return nameField(seat).value.trim() || (seat === 0 ? capital(words.you) : fill(words.player, { n: seat + 1 }));
  return kind === "friend" ? words.someone : cardOf(seat)?.dataset.name ?? "";
}

/** @param {number} seat */
function roleOf(seat) {
  const kind = field(seat).value;
  if (kind === "you") return seat === 0 ? words.you : words.here;
  if (kind === "friend") return words.waits;
  return [words.bot, cardOf(seat)?.dataset.word].filter(Boolean).join(", ");
}

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {number} seat */
function chip(seat) {
  const picture = cardOf(seat)?.closest("label")?.querySelector(".face")?.cloneNode(true) ?? "";
  const [name, role] = [nameOf(seat), roleOf(seat)];
  const said = [html("b", { textContent: name }), ...(name.toLowerCase() === role.toLowerCase() ? [] : [html("small", { textContent: role })])];
  const pick = html("button", { type: "button", className: "pick", ariaPressed: String(seat === chosen) }, picture, html("span", {}, ...said));
  pick.onclick = () => choose(seat);
  const whole = html("div", { className: `chip${seat === chosen ? " chosen" : ""}` }, pick);
  if (seat && seats().length > 2) {
    const cross = html("button", { type: "button", className: "remove", textContent: "×", ariaLabel: fill(words.remove, { name: nameOf(seat) }) });
    cross.onclick = () => remove(seat);
    whole.append(cross);
  }
  return whole;
}

/** A dashed chip that fills the next free seat. @param {string} text @param {string} kind */
function adder(text, kind) {
  const button = html("button", { type: "button", className: "chip add", textContent: text });
  button.onclick = () => {
    const seat = Array.from({ length: MOST }, (_, i) => i).find((i) => field(i).value === "none");
    if (seat === undefined) return;
    field(seat).value = kind;
    choose(seat);
  };
  return button;
}

/** @param {number} seat */
function remove(seat) {
  const [kind, name] = [field(seat).value, nameOf(seat)];
  for (let at = seat; at < MOST; at += 1) {
    field(at).value = at + 1 < MOST ? field(at + 1).value : "none";
    nameField(at).value = at + 1 < MOST ? nameField(at + 1).value : "";
  }
  choose(Math.min(chosen, seats().length - 1) || 1);
  const back = html("button", { type: "button", className: "text", textContent: words.undo });
  back.onclick = () => {
    field(seats().length).value = kind;
    choose(seats().length - 1);
  };
  say(fill(words.removed, { name }), back);
}

/** @param {number} seat */
function choose(seat) {
  chosen = seat;
  draw();
}

// --- what is shown -------------------------------------------------------------------------------------

function draw() {
  const focused = document.activeElement?.closest("#chips") ? [...document.querySelectorAll("#chips button")].indexOf(/** @type {any} */ (document.activeElement)) : -1;
  const taken = seats();
  const free = MOST - taken.length;
  const more = [...(free > 0 ? [adder(`+ ${words.new}`, words.opponent)] : []), ...(free > 1 && !alone ? [adder(words.friend, "friend")] : [])];
  $("chips").replaceChildren(...taken.map(chip), ...more);
  if (focused >= 0) /** @type {HTMLElement | null} */ (document.querySelectorAll("#chips button")[focused])?.focus();
  $("whose").textContent = fill(words.whose, { n: chosen + 1 });
  const card = cardOf(chosen);
  for (const one of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("input[name=pick]"))) one.checked = one === card;
  if (card?.closest("details")) /** @type {HTMLDetailsElement} */ (card.closest("details")).open = true;
  $("cards").hidden = chosen === 0;
  /** @type {HTMLElement} */ (form.querySelector(".more-bots")).hidden = chosen === 0;
  $("name-field").hidden = field(chosen).value !== "you";
  $("name").value = nameField(chosen).value;
  centre(card?.closest("label"));
  begins(taken);
  summarise();
  keep();
}

/** Bring a card into the middle of its row, without scrolling the page. @param {HTMLElement | null | undefined} card */
function centre(card) {
  const row = card?.parentElement;
  if (!card || !row) return;
  const [one, all] = [card.getBoundingClientRect(), row.getBoundingClientRect()];
  row.scrollLeft += one.left + one.width / 2 - all.left - all.width / 2;
}

/** Only seats that are taken can begin; they are called by name. @param {number[]} taken */
function begins(taken) {
  for (const radio of /** @type {NodeListOf<HTMLInputElement>} */ (form.querySelectorAll("#begins input"))) {
    const seat = Number(radio.value) - 1;
    if (Number.isNaN(seat)) continue;
    const label = /** @type {HTMLElement} */ (radio.closest("label"));
    label.hidden = !taken.includes(seat);
    /** @type {HTMLElement} */ (label.querySelector("span")).textContent = nameOf(seat);
    if (label.hidden && radio.checked) /** @type {HTMLInputElement} */ (form.querySelector("#begins input")).checked = true;
  }
}

function summarise() {
  const title = checked("cover")?.dataset.title ?? "";
  const variant = checked("box")?.closest("label")?.querySelector("b")?.textContent ?? "";
  const clock = checked("minutes")?.closest("label")?.textContent ?? "";
  clearTimeout(forgetting);
  $("summary").replaceChildren(html("b", { textContent: fill(words.against, { game: title, names: seats().map(nameOf).join(", ") }) }),
    html("small", { textContent: [variant, `${$("clock-title").textContent}: ${clock}`].filter(Boolean).join(" · ") }));
}

/** A line in the foot, for a while. @param {string} text @param {Node[]} more */
function say(text, ...more) {
  $("summary").replaceChildren(html("b", { textContent: text }), ...more);
  forgetting = setTimeout(summarise, UNDO);
}

/** Another box: its variants and settings appear; what it does not have is said. */
function turn() {
  const before = checked("box");
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-of]"))) {
    part.hidden = part.dataset.of !== cover();
    for (const input of /** @type {NodeListOf<HTMLInputElement>} */ (part.querySelectorAll("select, textarea, input[type=file]"))) input.disabled = part.hidden;
  }
  const own = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll(".variants:not([hidden]) input")]);
  const [was, mine] = [place(before), own.find((one) => place(one) === place(before)) ?? own[0]];
  mine.checked = true;
  rarer();
  draw();
  if (before && was > 0 && called(mine) !== called(before)) say(fill(words.lost, { box: checked("cover")?.dataset.title, choice: called(before) }));
}

/** @param {HTMLInputElement | undefined} input its place among the variants of its box */
const place = (input) => [...(input?.closest(".variants")?.querySelectorAll("input") ?? [])].indexOf(/** @type {any} */ (input));

/** @param {HTMLInputElement} input */
const called = (input) => input.closest("label")?.querySelector("b")?.textContent ?? "";

/** Options that have no effect without another one are shown only with it. */
function rarer() {
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (form.querySelectorAll("[data-only]"))) {
    if (part.dataset.of !== cover()) continue;
    const [name, value] = (part.dataset.only ?? "").split("=");
    const other = /** @type {HTMLSelectElement | null} */ (form.querySelector(`[data-of="${CSS.escape(cover())}"] [name="option-${CSS.escape(name)}"]`));
    part.hidden = other?.value !== value;
  }
}

// --- what was entered is kept in the browser ---------------------------------------------------------------

function keep() {
  const kept = Object.fromEntries([...new FormData(form)].filter(([name, value]) => typeof value === "string" && /^(seat|name)\d$/.test(name)));
  try { localStorage.setItem(KEPT, JSON.stringify(kept)); } catch { /* storage is full or forbidden */ }
}

/** Names that were typed here before; what the server remembers comes first. */
function restore() {
  let kept = {};
  try { kept = JSON.parse(localStorage.getItem(KEPT) ?? "{}"); } catch { /* nothing was kept */ }
  for (const [name, value] of Object.entries(kept)) {
    const input = /** @type {any} */ (form.elements.namedItem(name));
    if (input && name.startsWith("name") && !input.value) input.value = value;
  }
}

form.addEventListener("change", ({ target }) => {
  const input = /** @type {HTMLInputElement} */ (target);
  if (input.name === "pick") {
    field(chosen).value = input.value;
    draw();
  } else if (input.name === "cover") turn();
  else if (input.name.startsWith("option-") || input.name === "box" || input.name === "minutes") {
    rarer();
    summarise();
  }
});
$("name").addEventListener("input", () => {
  nameField(chosen).value = $("name").value;
  /** @type {HTMLElement} */ (document.querySelector("#chips .chosen b")).textContent = nameOf(chosen);
  begins(seats());
  summarise();
  keep();
});
addEventListener("keydown", ({ key }) => { if (key === "Escape" && !document.querySelector(":popover-open")) location.assign(inSite("")); });

restore();
rarer();
draw();
