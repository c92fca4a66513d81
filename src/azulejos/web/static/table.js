// @ts-check
// The table: shows frames one after the other and turns the player's input into messages (README.md).
import { mountTable } from "./arrange.js";
import { Asks } from "./asks.js";
import { Band } from "./band.js";
import { Chat } from "./chat.js";
import { Connection, reloaded } from "./connection.js";
import { Dialogue, worth } from "./dialogue.js";
import { $, fill, html, shownElsewhere, signed } from "./dom.js";
import { Drag } from "./drag.js";
import { ownNumber } from "./fair.js";
import { Ghosts } from "./ghosts.js";
import { Hints } from "./hints.js";
import { Log } from "./log.js";
import { FINGER, Loupe, sizeOf } from "./loupe.js";
import { Marking } from "./marking.js";
import { skip, travel } from "./motion.js";
import { Points } from "./points.js";
import { Replay } from "./replay.js";
import { inSite } from "./root.js";
import { Seats } from "./seats.js";
import { Views } from "./views.js";
import { keysShown, open as openSection, showKeys } from "./side.js";
import { Show } from "./show.js";
import { sound } from "./sound.js";
import { changes } from "./stage.js";
import { Thinker } from "./thinker.js";
/** @import { Frame, Refusal, TextAnswer, ScoredAction } from "./messages" */
/** @import { Command, Travel } from "./types" */

const root = document.documentElement;
const table = /** @type {HTMLElement} */ ($("table"));
const mat = /** @type {HTMLElement} */ (table.querySelector(".mat"));
const sheet = /** @type {HTMLElement} */ ($("sheet"));
/** @type {Record<string, string>} */
const words = JSON.parse($("words").textContent);
const { places, renderer, pieces, arrangement } = await mountTable(table);
/** @type {Promise<import("./tip.js").Tip> | undefined} loaded with the first sign that is asked about */
let tip;
for (const type of ["pointerover", "focusin"]) mat.addEventListener(type, ({ target }) => {
  const sign = target instanceof Element ? target.closest(".badge-slot[tabindex]") : null;
  if (sign) (tip ??= import("./tip.js").then(({ Tip }) => new Tip(mat))).then((tip) => tip.about(sign));
});
const views = $("views") && new Views(mat, $("views"), places, arrangement);
const loupe = new Loupe(mat, places, renderer, () => dialogue.targets());
const band = new Band(places, words);
const log = new Log(places, words);
const points = new Points(words);
const seats = new Seats(words);
const ghosts = new Ghosts(places, renderer, pieces);
const scoring = new Show(renderer, pieces);
/** @type {import("./result.js").Result | undefined} loaded with the first result */
let result;
/** @type {Frame[]} */
const queue = [];
/** @type {Frame | null} */
let shown = null;
let busy = false;
let confirmed = false;
let called = false;
let wantsAgain = false;
/** @type {number[]} the path of the last step that was played here */
let stepped = [];
/** @type {ReturnType<typeof setInterval> | undefined} */
let countdown;
/** @type {ReturnType<typeof setTimeout> | undefined} */
let slow;

const FEW = 3; // so many places to choose from fit into the bar
const OVER = -2; // nobody is to move: the game is over
const SLOW = 600; // milliseconds until the page says that a move has not been answered yet

const atOnce = () => root.dataset.confirm === "off";
const asking = () => document.activeElement === $("question");
const ply = () => shown?.ply ?? 0;
const hint = band.hint.bind(band);

const dialogue = new Dialogue(mat, sheet, places, renderer, pieces, ghosts, {
  play: (move, path) => {
    sound("place");
    stepped = path;
    $("does").replaceChildren(...band.summary(path, renderer));
    connection.command({ do: "play", move, ply: ply(), at_once: atOnce() });
  },
  why: (path) => connection.ask({ do: "why", path }),
  preview: (path) => connection.ask({ do: "preview", path, ply: ply() }),
  marking: () => marking,
  chosen: (path) => {
    loupe.chosen(path);
    offerUndo(path.length > 0);
    views?.follow(dialogue.targets(), !path.length);
    $("options").replaceChildren(...(path.length ? options() : []));
  },
  resting: () => hints.spoken,
  hint, words,
});

const drag = new Drag(mat, places, renderer, pieces, dialogue, () => connection.command({ do: "undo", ply: ply() }));

const marking = new Marking(mat, sheet, places, renderer, pieces, {
  judge: (slots) => {
    $("confirm").disabled = true;
    connection.ask({ do: "mark", slots, ply: ply() });
  },
  tell: ({ said, problem = "", move = "" }, quiet = false) => {
    hint(problem ? `${said} ${problem}` : said, { bad: Boolean(problem), quiet });
    if (!problem && !quiet) band.speak(said);
    $("does").replaceChildren(html("span", { className: "paid", textContent: problem ? "" : said })); // on a phone Confirm covers the hint
    $("confirm").disabled = !move;
  },
  why: (path) => dialogue.ask(path),
});

/** A command that concerns the others at the table. @param {Command} sent */
function command(sent) {
  wantsAgain ||= (sent.do === "propose" && sent.what === "again") || (sent.do === "reply" && sent.yes && Boolean(shown?.over));
  connection.command(sent);
}

const replay = new Replay(table.dataset.id ?? "", (look) => connection.ask(look), words);
/** @type {Promise<import("./banter.js").Banter> | undefined} */
let bots;
/** What bots say: loaded with the first turn. */
const banter = () => bots ??= import("./banter.js").then(({ Banter }) => new Banter(words));
const chat = new Chat((line) => connection.command(line));
const hints = new Hints(renderer, pieces, { ask: (question) => connection.ask(question), changed: () => seats.onTick(), say: () => hint(hints.spoken), speak: (text) => band.speak(text), look: (slots) => views?.follow(slots, true) }, words);
const asks = new Asks({
  command, present: () => replay.to(Infinity), replaceAfter: Number(table.dataset.replaceAfter) * 1000,
  seated: table.dataset.watching === undefined,
}, hints, words);
seats.onTick = () => { if (shown) asks.show(shown, seats.seats, seats.seats.map((_, seat) => seats.awayFor(seat))); };

const thinker = new Thinker((said) => connection.ask(said));

const version = { protocol: table.dataset.protocol ?? "", plan: table.dataset.digest ?? "" };
const connection = new Connection(inSite(`t/${table.dataset.id}/live`), version, {
  frame: (frame) => { replay.hear(frame); queue.push(frame); next(); if (frame.news.whole) { whole = frame; kept?.hear(frame); } },
  talk: (talk) => chat.hear(talk),
  weighed: (told) => replay.prospects.hear(told),
  moves: (moves) => { log.complement(moves); if (shown) { log.show(seats.seats); log.mark(shown.ply); } },
  preview: (told) => { if (told.ply === ply()) dialogue.told(told); },
  why: (answer) => dialogue.explained(answer),
  judged: ({ verdict }) => marking.judged(verdict),
  hint: (told) => hints.hear(told),
  prepare: (files) => thinker.prepare(files),
  think: (turn) => thinker.think(turn),
  search: (asked) => thinker.look(asked),
  said: (/** @type {TextAnswer} */ { text }) => { $("answer").textContent = text; },
  done: () => kept?.done(),
  refused: (/** @type {Refusal} */ { text, section = "" }) => {
    hint(text, { bad: true, section });
    if (asking()) $("answer").textContent = text;
    drag.letGo();
    hints.failed();
    kept?.forget();
    if (shown) offer(shown);
  },
  lost: () => { hint(words.lost, { bad: true }); root.dataset.line = "lost"; wait(connection.pending); },
  back: () => { hint(words.back); band.speak(words.back); delete root.dataset.line; },
  pending: wait,
}, ownNumber());

/** Buttons for the next step, if there are few places and a finger cannot hit them. */
function options() {
  const targets = dialogue.targets();
  const small = targets.length <= FEW && matchMedia("(pointer: coarse)").matches && targets.some((slot) => sizeOf(renderer.nodes[slot]) < FINGER);
  return small ? targets.map((slot) => html("button", { type: "button", textContent: places.at(slot).name, onclick: () => dialogue.step(slot) })) : [];
}

/** A turn that is made without a connection, at tables of several people. @type {import("./kept.js").Kept | undefined} */
let kept;
/** The last frame that the server sent as a whole. @type {Frame | null} */
let whole = null;
if ("others" in table.dataset) import("./kept.js").then(({ Kept }) => {
  kept = new Kept(table.dataset.id ?? "", connection, hint, JSON.parse($("kept-words").textContent), () => { if (shown) { buttons(shown); offer(shown); } });
  if (whole) kept.hear(whole);
});

/** A command has been sent, or answered. @param {import("./connection.js").Sent | null} pending */
function wait(pending) {
  clearTimeout(slow);
  if (!pending) { delete root.dataset.pending; return; }
  root.dataset.pending = "";
  $("confirm").disabled = $("undo").disabled = true;
  slow = setTimeout(() => { if (!root.dataset.line) hint(words.pending); }, SLOW);
  if (root.dataset.line) kept?.choose(pending, shown?.course ?? 0, pending.do === "play" && Boolean(pending.at_once));
}

// --- showing frames ----------------------------------------------------------------------------------

/** Show what has arrived, one frame after the other: whatever goes wrong with one, the next ones come. */
async function next() {
  if (busy || queue.length === 0) return;
  busy = true;
  try {
    await present(/** @type {Frame} */ (queue.shift()));
  } finally {
    busy = false;
    next();
  }
}

/** @param {Frame} frame */
async function present(frame) {
  const watched = shown !== null && !shown.over;
  const moved = pieces.show(changes(frame.news, pieces));
  const travels = drag.claim(frame.news.whole ? moved.filter(({ source }) => source >= 0) : moved);
  const scored = show(frame);
  trace(frame, travels, scored);
  drag.offered();
  band.speak((frame.told ?? []).join(" "));
  noises(frame, travels.length, scored);
  if (watched && (frame.news.log?.length || scored.length)) banter().then((bots) => bots.hear(frame, scored, seats.seats));
  if (counts(frame, scored)) {
    await scoring.run(scored, travels, seats.seats);
    conclude(frame);
  } else await travel(travels);
  if (watched && frame.over && frame.live) end(frame);
}

/** The game has ended before the eyes of the viewer. @param {Frame} frame */
async function end(frame) {
  sound("end");
  if (!seats.ending) return;
  (await banter()).end(seats.ending, seats.seats);
  if (!queue.length) {
    result ??= new (await import("./result.js")).Result(points, () => replay.to(0), words);
    result.open(frame, seats.ending, seats.seats);
    result.asked(frame.asked?.text ?? "");
  }
}

/** Whether the points of a frame are counted before the eyes of the player. @param {Frame} frame @param {ScoredAction[]} scored */
const counts = (frame, scored) => frame.live && scored.length > 0 && !frame.news.whole && !document.hidden;

/** What is going on, and where the points came from: after the show, which must not be told how it ends. @param {Frame} frame */
function conclude(frame) {
  band.show(frame, log.mark(frame.ply), seats.seats);
  points.show(frame, seats.seats);
}

/** The last turn stays marked until the next one: what it moved, and where that came from. @param {Frame} frame @param {Travel[]} travels @param {ScoredAction[]} scored */
function trace({ news, live, moved = [] }, travels, scored) {
  if (live && !news.log?.length && !scored.length) return;
  for (const node of table.querySelectorAll(".moved-last")) node.classList.remove("moved-last");
  if (!live) for (const slot of moved) leave(slot, pieces.nodesAt(slot));
  if (!live || scored.length) return;
  for (const { node, merges, source, to } of travels.filter((one) => one.source >= 0 && !one.dealt)) {
    for (const marked of merges ? pieces.nodesAt(to) : [node]) marked.classList.add("moved-last");
    leave(source, []);
  }
}

/** A place that the last turn changed, with what lies there now: something empty is marked as a whole. @param {number} slot @param {Element[]} there */
function leave(slot, there) {
  const around = places.around(slot);
  const left = there.length ? there : [renderer.nodes[around < 0 ? slot : around]];
  for (const marked of left) marked?.classList.add("moved-last");
}

/** @param {Frame} frame @returns {ScoredAction[]} what was scored */
function show(frame) {
  renderer.show(frame);
  seats.hear(frame);
  log.hear(frame);
  const scored = points.hear(frame);
  if (frame.mine) lay(frame.to_move);
  log.show(seats.seats);
  const last = log.mark(frame.ply);
  if (!frame.live && !last && !log.complete) connection.ask({ do: "earlier" });
  if (counts(frame, scored)) band.say(frame.over ? words.lastPoints : words.counting);
  else conclude(frame);
  seats.show(frame);
  const before = shown;
  shown = frame;
  result?.asked(frame.asked?.text ?? "");
  hints.show(frame);
  if (!before && $("forgot")) openSection("people"); // the answer to the form there
  seats.onTick();
  if (wantsAgain && seats.ending?.rematch) location.href = inSite(seats.ending.rematch);
  root.dataset.turn = frame.mine ? "mine" : "";
  root.toggleAttribute("data-looking", !frame.live);
  root.dataset.ply = String(frame.ply);
  document.title = frame.title;
  if (!frame.mine && (before?.mine || !before)) hint(kept?.told || (table.dataset.watching === undefined ? "" : words.watching));
  buttons(frame);
  offer(frame);
  lead(frame);
  return scored;
}

/** Offer the possible moves; none while another frame follows. @param {Frame} frame */
function offer(frame) {
  const waits = queue.length > 0 || frame.more;
  const { choices = [], moves = [], selection = null, pale = [] } = (waits ? null : frame.offer) ?? {};
  dialogue.offer(places.choices(choices, moves), frame.ply);
  foresee(frame);
  dim(pale);
  marking.offer(selection, frame.ply);
  if (selection) views?.follow(selection.slots, false);
}

/** The board of the player to move at this screen gets the large place; the others follow in turn order. @param {number} seat */
function lay(seat) {
  const boards = /** @type {HTMLElement[]} */ ([...table.querySelectorAll(".own, .other")]);
  const turn = (/** @type {HTMLElement} */ place) => (Number(/** @type {SVGElement} */ (place.querySelector("[data-seat]")).dataset.seat) - seat + boards.length) % boards.length;
  const [first, ...others] = boards.sort((a, b) => turn(a) - turn(b));
  if (first.matches(".own")) return;
  table.querySelector(".own")?.replaceWith(first);
  table.querySelector(".others")?.append(...others);
  for (const place of boards) place.className = `place board-place ${place === first ? "own" : "other"}`;
  arrangement.arrange();
}

/** Move the keyboard focus on: from the moves to the confirmation, and back. A frame that answers something else changes nothing. @param {Frame} frame */
function lead(frame) {
  if (queue.length || !frame.mine) return;
  if (dialogue.left && frame.confirm) {
    $("confirm").focus({ preventScroll: true });
    dialogue.left = false;
  }
  if (confirmed && !frame.confirm) {
    sheet.focus({ preventScroll: true });
    confirmed = false;
  }
}

/** Pieces that cannot be used now are pale; a click on one shows why. @param {number[]} slots */
function dim(slots) {
  for (const piece of table.querySelectorAll(".piece.dim")) piece.classList.remove("dim");
  for (const slot of slots) for (const piece of pieces.nodesAt(slot)) piece.classList.add("dim");
}

/** @param {Frame} frame */
function buttons(frame) {
  $("confirm").disabled = !frame.confirm;
  price(frame);
  if (!frame.confirm) $("does").replaceChildren();
  else if (!$("does").hasChildNodes()) $("does").replaceChildren(...band.summary(stepped, renderer)); // its piece lies there now
  const again = $("again");
  if (again) again.hidden = !frame.over;
  if ($("to-contest")) $("to-contest").hidden = !frame.over;
  $("to-review").hidden = !frame.over;
  if (frame.over) $("leaver")?.remove();
  if (frame.ply) $("invite")?.remove(); // the game has begun: every seat is taken
  const goesOn = frame.to_move !== OVER;
  $("branch").hidden = !goesOn || (!frame.over && (frame.live || table.dataset.others !== undefined));
  const watching = table.dataset.watching !== undefined;
  $("confirm").hidden = watching || frame.over || !frame.live || !$("branch").hidden; // other buttons replace it
  if ($("replay").hidden === Boolean(frame.over)) shownElsewhere(/** @type {NodeListOf<HTMLElement>} */ (table.querySelectorAll(".effects")), () => { $("replay").hidden = !frame.over; });
  offerUndo(false);
  $("branch").elements.ply.value = frame.ply;
  clearInterval(countdown);
  $("confirm").dataset.left = "";
  if (frame.confirm && root.dataset.confirm === "countdown") countDown(3);
}

/** The points that the turn brings, on the button that confirms it. @param {Frame} frame */
function price({ foreseen }) {
  const points = worth(foreseen ?? undefined);
  $("worth").textContent = points ? signed(points) : "";
  $("worth").classList.toggle("loss", points < 0);
}

/** What the turn does is shown until it is confirmed: nobody could point at a place that was the only one. @param {Frame} frame */
function foresee({ foreseen }) {
  if (!foreseen) return;
  ghosts.show(foreseen);
  if (stepped.length) dialogue.tell(/** @type {number} */ (stepped.at(-1)), foreseen.said, [foreseen]);
}

/** Undo a step of this turn; if there is none, take back the last turn. @param {boolean} chosen whether a step has been chosen */
function offerUndo(chosen) {
  $("undo").disabled = !chosen && !shown?.undo;
  $("ask-back").hidden = $("confirm").hidden || !$("undo").disabled || !shown?.can_take_back;
  $("undo").hidden = $("confirm").hidden || !$("ask-back").hidden;
  $("hint-button").hidden = $("confirm").hidden || !hints.possible;
}

/** @param {number} left seconds */
function countDown(left) {
  $("confirm").dataset.left = left;
  countdown = setInterval(() => {
    left -= 1;
    $("confirm").dataset.left = left || "";
    if (left === 0) confirm();
    if (left <= 0) clearInterval(countdown);
  }, 1000);
}

/** @param {Frame} frame @param {number} moved @param {ScoredAction[]} scored */
function noises(frame, moved, scored) {
  if (frame.called && !called) sound("turn");
  else if (scored.length) sound("score");
  else if (frame.mine && !frame.undo && moved) sound("turn");
  else if (moved) sound("place");
  called = Boolean(frame.called);
}

// --- what the player does ----------------------------------------------------------------------------

function confirm() {
  if (kept?.keep()) return;
  if (!(shown?.confirm || marking.active) || $("confirm").disabled) return;
  confirmed = $("confirm").matches(":focus-visible");
  if (marking.active) connection.command({ do: "play", move: marking.move, ply: ply(), at_once: true });
  else connection.command({ do: "confirm", ply: ply() });
}

function undo() {
  if (kept?.drop()) return;
  if (dialogue.path.length) dialogue.back();
  else if (shown?.undo && !$("undo").disabled) connection.command({ do: "undo", ply: ply() });
}

$("confirm").onclick = confirm;
$("undo").onclick = undo;
$("first").onclick = $("replay").onclick = () => replay.to(0);
$("back").onclick = () => replay.step(-1);
$("on").onclick = () => replay.step(1);
$("now").onclick = () => replay.to(Infinity);
$("log").onclick = (/** @type {MouseEvent} */ { target }) => {
  const button = target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest(".goto")) : null;
  if (button) replay.to(Number(button.dataset.stop));
  const line = target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest("[data-line]")) : null;
  if (line) playOn("line", Number(line.dataset.line));
};
/** Play on from a moment, or from a line that was taken back. @param {string} name @param {number} value */
function playOn(name, value) {
  const field = $("branch").elements[0];
  field.name = name;
  field.value = value;
  $("branch").submit();
}
if ($("again")) $("again").onsubmit = (/** @type {Event} */ event) => {
  event.preventDefault();
  if (seats.ending?.rematch) location.href = inSite(seats.ending.rematch);
  else command({ do: "propose", what: "again" });
};
$("ask").onsubmit = (/** @type {Event} */ event) => {
  event.preventDefault();
  const text = $("question").value.trim();
  if (!text) { confirm(); return; }
  connection.command({ do: "ask", text, ply: ply(), at_once: atOnce() });
  $("question").value = "";
};
$("fly").onclick = () => /** @type {HTMLElement} */ (document.querySelector("#settings [name=motion][value=normal]")).click();
/** Whatever is moving is where it belongs. */
function finish() {
  scoring.skip();
  skip();
}
addEventListener("pointerdown", finish, true);
addEventListener("keydown", finish, true);
addEventListener("visibilitychange", () => { if (document.hidden) finish(); });

/** What a key does if it is not a character of a move. @type {Record<string, () => void>} */
const KEYS = {
  ArrowLeft: () => replay.step(-1),
  ArrowRight: () => replay.step(1),
  End: () => replay.to(Infinity),
  Home: () => replay.to(0),
  Escape: () => { dialogue.keys = marking.keys = ""; undo(); },
  Backspace: () => { dialogue.keys = marking.keys = ""; undo(); },
  "?": () => showKeys(!keysShown()),
};

addEventListener("keydown", (event) => {
  const target = event.target instanceof Element ? event.target : root;
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, dialog")) return;
  const { key } = event;
  if (key in KEYS) KEYS[key]();
  else if (key === "Enter" && !$("confirm").disabled && !target.closest("button, a, summary")) confirm();
  else if (key.length !== 1 || key === " ") return;
  else if (marking.active) { if (!marking.typed(key)) hint(`${key} ?`, { bad: true }); }
  else if (!dialogue.active) return;
  else if (!dialogue.typed(key)) hint(`${dialogue.keys}${key} ?`, { bad: true });
  event.preventDefault();
});

queue.push(JSON.parse($("frame").textContent));
next();
const again = reloaded();
if (again) hint(again);
