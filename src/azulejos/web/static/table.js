// The table: shows frames one after the other and turns what the player does into messages.
import { Dialogue } from "./dialogue.js";
import { departures, fly, rise, settle, skip } from "./flights.js";
import { Line } from "./line.js";
import { Marking } from "./marking.js";
import { sound } from "./sounds.js";

const $ = (id) => document.getElementById(id);
const root = document.documentElement;
const table = $("table");
const words = JSON.parse($("words").textContent);
const queue = [];
const unsaid = [];
let shown = null;
let busy = false;
let confirmed = false;
let countdown = 0;
let ticking = 0;
let clock = 0;

const decimal = (value) => value.toLocaleString(document.documentElement.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => values[name]);

function icon(kind) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", `icon ${[...table.classList].find((name) => name.startsWith("theme-"))}`);
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#icon-${kind}`);
  svg.append(use);
  return svg;
}

/** Words for whoever listens; what is said at once is said together. */
function speak(text) {
  if (!text) return;
  if (!unsaid.length) setTimeout(() => { $("spoken").textContent = unsaid.splice(0).join(" "); });
  unsaid.push(text);
}

/** Words in the hint line; with a link to a section of the rules, or to their beginning (an empty name). What is
 *  bad is spoken too, unless it is about a place that is only pointed at. */
function hint(text, { bad = false, section = null, quiet = false } = {}) {
  if (bad && !quiet) speak(text);
  const words_ = document.createElement("span");
  words_.textContent = text;
  $("hint").replaceChildren(words_);
  $("hint").classList.toggle("bad", bad);
  if (section === null) return;
  const link = $("to-rules").content.firstElementChild.cloneNode(true);
  if (section) link.href += `#${section}`;
  $("hint").append(" ", link);
}

const atOnce = () => root.dataset.confirm === "off";
const dialogue = new Dialogue(table.querySelector(".mat"), $("sheet"), {
  play: (move) => {
    sound("place");
    line.send({ do: "play", move, ply: shown.ply, at_once: atOnce() });
  },
  why: (path) => line.send({ do: "why", path }),
  preview: (path) => line.send({ do: "preview", path, ply: shown.ply }),
  marking: () => marking,
  hint, words, icon,
});

const marking = new Marking(table.querySelector(".mat"), $("sheet"), {
  judge: (slots) => {
    $("confirm").disabled = true;
    line.send({ do: "mark", slots, ply: shown.ply });
  },
  tell: ({ said, problem, move }, quiet = false) => {
    hint(problem ? `${said} ${problem}` : said, { bad: Boolean(problem), quiet });
    if (!problem && !quiet) speak(said);
    $("confirm").disabled = !move;
  },
  why: (path) => dialogue.ask(path),
  icon,
});

const line = new Line(`/t/${table.dataset.id}/live`, {
  frame: (frame) => { queue.push(frame); next(); },
  preview: ({ ply, effects, path, blocked }) => { if (ply === shown?.ply) dialogue.told(effects, path, blocked); },
  why: (answer) => dialogue.explained(answer),
  judged: (verdict) => marking.judged(verdict),
  said: ({ text, section }) => { if (asking()) $("answer").textContent = text; else hint(text, { bad: true, section }); },
  refused: ({ text, section }) => { hint(text, { bad: true, section }); if (asking()) $("answer").textContent = text; },
  lost: () => { hint(words.lost, { bad: true }); root.dataset.line = "lost"; },
  back: () => { hint(words.back); speak(words.back); delete root.dataset.line; },
});

const asking = () => document.activeElement === $("question");

// --- showing frames ----------------------------------------------------------------------------------

async function next() {
  if (busy || queue.length === 0) return;
  busy = true;
  const frame = queue.shift();
  const starts = departures(table, frame.flights);
  show(frame);
  rise(table, frame.scored, frame.sums);
  speak(frame.told.join(" "));
  noises(frame);
  await fly(table, frame.flights, starts, icon);
  busy = false;
  next();
}

function show(frame) {
  for (const [id, html] of Object.entries(frame.fragments)) {
    const place = $(id);
    if (!place) continue;
    place.innerHTML = html;
    if (place.matches(".drawn")) place.parentElement.ariaLabel = place.firstElementChild.ariaLabel;
  }
  if (frame.mine) lay(frame.to_move);
  for (const [id, layers] of Object.entries(frame.parts)) redraw($(id), layers);
  write(frame);
  const before = shown;
  shown = frame;
  root.dataset.turn = frame.mine ? "mine" : "";
  root.dataset.ply = frame.ply;
  document.title = frame.title;
  dialogue.offer(queue.length || frame.selection ? [] : frame.choices, frame.slots, frame.ply, frame.effects);
  if (!frame.mine && (before?.mine || !before)) hint(table.dataset.watching === undefined ? "" : words.watching);
  buttons(frame);
  dim(frame.pale);
  marking.offer(queue.length ? null : frame.selection, frame.ply);
  progress(frame.thinking);
  clocks(frame);
  lead(frame);
}

/** Who is to move at this screen has the large place; the others follow in turn order. */
function lay(seat) {
  const places = [...table.querySelectorAll(".own, .other")];
  const wait = (place) => (place.querySelector("[data-seat]").dataset.seat - seat + places.length) % places.length;
  const [first, ...others] = places.sort((a, b) => wait(a) - wait(b));
  if (first.matches(".own")) return;
  table.querySelector(".mat").prepend(first);
  table.querySelector(".others").append(...others);
  for (const place of places) place.className = place === first ? "place own" : "place other";
}

/** Whoever works with the keyboard is led on: from the moves to the confirmation, and back. */
function lead(frame) {
  if (queue.length || !frame.mine) return;
  if (dialogue.left && frame.confirm) $("confirm").focus({ preventScroll: true });
  if (confirmed && !frame.confirm) $("sheet").focus({ preventScroll: true });
  dialogue.left = confirmed = false;
}

/** Pieces of no use now are pale; a click on one says why. */
function dim(slots) {
  for (const piece of table.querySelectorAll(".piece.dim")) piece.classList.remove("dim");
  for (const slot of slots) for (const piece of table.querySelectorAll(`.piece[data-slot="${CSS.escape(slot)}"]`)) piece.classList.add("dim");
}

/** Draw changed parts anew: each in its place, or on top of its layer; null removes it. */
function redraw(panel, layers) {
  for (const [layer, parts] of Object.entries(layers)) {
    const sheet = panel.querySelector(`[data-layer="${layer}"]`);
    for (const [name, html] of Object.entries(parts)) {
      let part = sheet.querySelector(`[data-part="${CSS.escape(name)}"]`);
      if (html === null) part?.remove();
      else {
        if (!part) {
          part = sheet.appendChild(document.createElementNS("http://www.w3.org/2000/svg", "g"));
          part.dataset.part = name;
        }
        part.innerHTML = html;
      }
    }
  }
}

/** New lines of the log, newest first; a turn that goes on takes the place of its beginning. */
function write({ lines }) {
  if (!lines.length) return;
  const list = $("log").querySelector("ol");
  $("log").querySelector(".none")?.remove();
  for (const html of lines) {
    const begun = list.firstElementChild;
    list.insertAdjacentHTML("afterbegin", html);
    if (begun?.dataset.turn === list.firstElementChild.dataset.turn) begun.remove();
  }
}

function buttons(frame) {
  const { index, last, back, on } = frame.walk;
  $("where").textContent = fill(words.where, { index, last });
  $("first").disabled = $("back").disabled = back === null;
  $("on").disabled = on === null;
  $("now").disabled = frame.live;
  $("undo").disabled = !frame.undo;
  $("confirm").disabled = !frame.confirm;
  const again = $("again");
  if (again) again.hidden = !frame.over;
  if (frame.over) $("leaver")?.remove();
  if (frame.ply) $("invite")?.remove(); // the game has begun: every seat is taken
  $("branch").hidden = !frame.over && (frame.live || table.dataset.others !== undefined);
  $("undo").hidden = $("confirm").hidden = frame.over || !$("branch").hidden; // others take their place
  $("branch").elements.ply.value = frame.ply;
  clearInterval(countdown);
  $("confirm").dataset.left = "";
  if (frame.confirm && root.dataset.confirm === "countdown") countDown(3);
}

function countDown(left) {
  $("confirm").dataset.left = left;
  countdown = setInterval(() => {
    left -= 1;
    $("confirm").dataset.left = left || "";
    if (left === 0) confirm();
    if (left <= 0) clearInterval(countdown);
  }, 1000);
}

function noises(frame) {
  if (frame.over && frame.live && frame.scored.length) sound("end");
  else if (frame.scored.length) sound("score");
  else if (frame.mine && !frame.undo && frame.flights.length) sound("turn");
  else if (frame.flights.length) sound("place");
}

function progress(thinking) {
  const bar = $("progress");
  clearInterval(ticking);
  $("seconds").textContent = "";
  for (const animation of bar.getAnimations()) animation.cancel();
  if (!thinking) return;
  bar.animate([{ transform: "scaleX(0)" }, { transform: "scaleX(1)" }], { duration: thinking.budget, delay: -thinking.elapsed, fill: "forwards" });
  const began = performance.now() - thinking.elapsed;
  const budget = thinking.budget / 1000;
  const tick = () => {
    const seconds = Math.min(budget, (performance.now() - began) / 1000);
    $("seconds").textContent = fill(words.thinking, { seconds: decimal(seconds), budget });
  };
  ticking = setInterval(tick, 100);
}

function clocks({ clocks: left, to_move: mover, over }) {
  clearInterval(clock);
  const since = performance.now();
  const tick = () => left.forEach((time, seat) => {
    const place = table.querySelector(`.clock[data-seat="${seat}"]`);
    const gone = seat === mover && !over ? performance.now() - since : 0;
    const seconds = Math.max(0, Math.round((time - gone) / 1000));
    if (place) place.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  });
  tick();
  if (left.length) clock = setInterval(tick, 500);
}

// --- what the player does ----------------------------------------------------------------------------

function confirm() {
  if (!(shown?.confirm || marking.active) || $("confirm").disabled) return;
  confirmed = $("confirm").matches(":focus-visible");
  $("confirm").disabled = $("undo").disabled = true;
  if (marking.active) line.send({ do: "play", move: marking.move, ply: shown.ply, at_once: true });
  else line.send({ do: "confirm", ply: shown.ply });
}

function undo() {
  if (dialogue.path.length) dialogue.back();
  else if (shown?.undo && !$("undo").disabled) line.send({ do: "undo", ply: shown.ply });
}

const look = (ply) => line.send({ do: "look", ply });

$("confirm").onclick = confirm;
$("undo").onclick = undo;
$("first").onclick = () => look(0);
$("back").onclick = () => shown?.walk.back !== null && look(shown.walk.back);
$("on").onclick = () => shown?.walk.on !== null && look(shown.walk.on);
$("now").onclick = () => look(null);
$("log").onclick = ({ target }) => {
  const button = target.closest(".goto");
  if (button) look(Number(button.dataset.ply));
};
$("ask").onsubmit = (event) => {
  event.preventDefault();
  const text = $("question").value.trim();
  if (!text) return confirm();
  line.send({ do: "ask", text, ply: shown.ply, at_once: atOnce() });
  $("question").value = "";
};
$("fly").onclick = () => {
  const { motion } = document.querySelector("#settings form").elements;
  motion.value = "normal";
  motion.dispatchEvent(new Event("change", { bubbles: true }));
};
$("keys").onclick = () => { $("keys").ariaPressed = String(table.classList.toggle("show-keys")); };
addEventListener("pointerdown", ({ target }) => {
  skip();
  if (!target.closest?.("#confirm")) settle(); // points were read; those of the turn that is confirmed stay
});

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest?.("input, select, textarea")) return;
  const { key } = event;
  if (key === "ArrowLeft") $("back").click();
  else if (key === "ArrowRight") $("on").click();
  else if (key === "End") look(null);
  else if (key === "Home") look(0);
  else if (key === "Escape" || key === "Backspace") { dialogue.keys = marking.keys = ""; undo(); }
  else if (key === "?") $("keys").click();
  else if (key === "Enter" && !$("confirm").disabled && !event.target.closest?.("button, a, summary")) confirm();
  else if (key.length === 1 && key !== " " && marking.active) { if (!marking.typed(key)) hint(`${key} ?`, { bad: true }); }
  else if (key.length === 1 && key !== " " && dialogue.active) { if (!dialogue.typed(key)) hint(`${dialogue.keys ?? ""}${key} ?`, { bad: true }); }
  else return;
  event.preventDefault();
});
