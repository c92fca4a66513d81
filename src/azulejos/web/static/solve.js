// @ts-check
// A position with a question: choose a turn, get the answer. A script says what every turn leads to (learn/script.py);
// there is no connection. Whoever embeds it hears what was done (`hear`).
import { mountTable } from "./arrange.js";
import { Arrow } from "./arrow.js";
import { closeUp } from "./close_up.js";
import { Dialogue } from "./dialogue.js";
import { $, fill, html, plain } from "./dom.js";
import { Drag } from "./drag.js";
import { Ghosts } from "./ghosts.js";
import { Loupe } from "./loupe.js";
import { pace, skip } from "./motion.js";
import { sound } from "./sound.js";
import { fetchScript, refusedAt, Stage } from "./stage.js";
import { Views } from "./views.js";
/** @import { Node, Reply, Script, Shown, Step } from "./stage.js" */
/** @import { Hint } from "./types" */

/** @typedef {{ first: "right" | "helped" | "wrong" | "", tries: number, hints: number, solved: boolean, shown: boolean }} Sitting what somebody has done so far */

const PAUSE = 650; // milliseconds between the moves of a refutation
const READING = 42; // milliseconds a letter that a sentence stays while an answer is walked
const HINTS = 3; // where, why, which
const root = document.documentElement;
const table = /** @type {HTMLElement} */ ($("table"));
const mat = /** @type {HTMLElement} */ (table.querySelector(".mat"));
const sheet = /** @type {HTMLElement} */ ($("sheet"));
/** @type {Record<string, string>} */
const words = JSON.parse($("words").textContent);

const { places, renderer, pieces, arrangement } = await mountTable(table);
const views = $("views") && new Views(mat, $("views"), places, arrangement);
const ghosts = new Ghosts(places, renderer, pieces);
const loupe = new Loupe(mat, places, renderer, () => dialogue.targets());

const dialogue = new Dialogue(mat, sheet, places, renderer, pieces, ghosts, {
  play: (move) => { sound("place"); play(move); },
  preview: (path) => queueMicrotask(() => dialogue.told({ type: "preview", ply: 0, path, blocked: node.blocked?.[String(path)] ?? [] })),
  why: (path) => queueMicrotask(() => {
    const known = refusedAt(node, path.slice(0, -1), path.at(-1));
    dialogue.explained({ type: "why", path, text: known?.reason ?? words.nothing, plain: !known });
  }),
  marking: () => ({ active: false, repeat: () => hint("") }),
  chosen: (path) => { loupe.chosen(path); views?.follow(dialogue.targets(), !path.length); },
  resting: () => "",
  hint, words,
});
const drag = new Drag(mat, places, renderer, pieces, dialogue, () => back());
const arrow = new Arrow(renderer, pieces);
const stage = new Stage(renderer, pieces, (travels) => drag.claim(travels));

/** The first node is in the page: it is drawn before the script arrives. @type {Node} */
let node = JSON.parse($("first").textContent);
/** @type {Script | null} */
let script = null;
/** Nodes of this turn, to undo its moves. @type {Node[]} */
let turn = [];
/** Decisions that are still to be asked, with the reply that leads there. @type {{ to: number, said: string[] }[]} */
let pending = [];
let busy = false;
const seatHere = Math.max(0, node.start.to_move);
/** @type {Sitting} */
const sitting = { first: "", tries: 0, hints: 0, solved: false, shown: false };
const wait = (/** @type {number} */ time) => new Promise((done) => { setTimeout(done, pace() && !document.hidden ? time * pace() : 0); });
/** @type {((sitting: Sitting) => void)[]} */
const hearers = [];
const changed = () => { for (const hearer of hearers) hearer({ ...sitting }); };

/** Be told whatever the person does. @param {(sitting: Sitting) => void} hearer */
export const hear = (hearer) => { hearers.push(hearer); };

// --- what is said ------------------------------------------------------------------------------------------------

/** @param {string} text @param {Hint} [how] */
function hint(text, { bad = false, quiet = false } = {}) {
  $("hint").textContent = text;
  $("hint").classList.toggle("bad", bad);
  if (bad && !quiet) $("spoken").textContent = text;
}

/** @param {"ask" | "hint" | "wrong" | "right" | "shown"} state @param {string} title @param {string[]} [sentences] */
function say(state, title, sentences = []) {
  table.dataset.state = state;
  $("verdict").textContent = title;
  $("said").replaceChildren(...sentences.map((text) => html("p", { textContent: text })));
  $("feedback").hidden = state === "ask";
  hint("");
  const over = sitting.solved || sitting.shown;
  $("try-again").hidden = state !== "wrong";
  $("ask-hint").hidden = $("show-answer").hidden = over;
  $("ask-hint").disabled = sitting.hints >= HINTS || state === "wrong";
  for (const id of ["next", "play-on", "share"]) if ($(id)) $(id).hidden = !over;
  if ($("propose")) $("propose").hidden = over;
}

/** Who sits there. */
function name() {
  for (const card of /** @type {NodeListOf<HTMLElement>} */ (table.querySelectorAll("[data-seat-card]"))) {
    const who = words[`seat${card.dataset.seatCard}`] ?? "";
    card.querySelector(".name")?.replaceChildren(who);
    card.querySelector(".face")?.replaceChildren(who.slice(0, 1));
  }
}

/** What the seats have before and after. @param {number[]} before @param {number[]} after */
const pointsTold = (before, after) => html("p", { className: "points-told" },
  ...[seatHere, 1 - seatHere].map((seat) => html("span", {}, `${words[`seat${seat}`]} `, html("b", { textContent: `${plain(before[seat])} → ${plain(after[seat])}` }))));

/** Scores beside the names: as they are, or before and after. @param {number[]} before @param {number[]} [after] */
function score(before, after = before) {
  before.forEach((points, seat) => {
    const place = table.querySelector(`[data-seat-card="${seat}"] .score-now`);
    if (!place) return;
    const shown = [points, ...(after[seat] === points ? [] : [after[seat]])].map(plain);
    place.textContent = shown.join(" → ");
    place.classList.toggle("changes", shown.length > 1);
  });
}

// --- asking --------------------------------------------------------------------------------------------------------

/** Offer the moves of a node. @param {Node} next */
function offer(next) {
  node = next;
  const asked = table.dataset.goal !== "safe";
  dialogue.offer(asked ? places.choices(node.choices ?? [], node.moves ?? []) : [], ply += 1);
  for (const effect of node.effects ?? []) dialogue.previews.effects.set(effect.move, effect);
  table.dataset.at = String(script?.nodes.indexOf(next) ?? 0);
  arrow.clear();
  drag.offered();
}
let ply = 0;

/** Begin a decision. @param {Node} decision */
async function begin(decision) {
  turn = [];
  await stage.show(decision.start);
  score(decision.scores ?? []);
  say("ask", "", []);
  offer(decision);
}

/** Undo a move of this turn. */
async function back() {
  if (dialogue.path.length) { dialogue.back(); return; }
  const before = turn.pop();
  if (!before || busy) return;
  await stage.show(before.start);
  offer(before);
}

/** @param {string} move */
async function play(move) {
  const { nodes, replies } = await loaded();
  const step = node.steps?.[move] ?? /** @type {Step} */ ({});
  const decision = turn[0] ?? node;
  if (step.to !== undefined) {
    turn.push(node);
    for (const shown of step.shown ?? []) await stage.show(shown);
    offer(nodes[step.to]);
    return;
  }
  const reply = replies[step.answer ?? 0];
  sitting.tries += 1;
  sitting.first ||= reply.right ? "right" : "wrong";
  if (reply.right) await right(reply, decision);
  else await wrong(reply, decision);
  changed();
}

/** The turn stays, its refutation is played, and the sentence says what it costs. @param {Reply} reply @param {Node} decision */
async function wrong(reply, decision) {
  await follow(reply.shown);
  score(decision.scores ?? [], reply.scores);
  turn = [decision];
  say("wrong", words.wrong, reply.said);
  if (decision.scores && reply.scores) $("said").append(pointsTold(decision.scores, reply.scores));
  $("try-again").focus({ preventScroll: true });
}

/** @param {Reply} reply @param {Node} decision */
async function right(reply, decision) {
  const [first, ...others] = reply.next ?? [];
  await follow(reply.shown);
  if (first) {
    if (!sitting.shown) pending.push(...others.map(({ to, said = [] }) => ({ to, said })));
    await wait(PAUSE);
    await follow(first.shown);
    await goOn(first.to, [...(first.said ?? []), ...(sitting.shown ? [] : [words.reply])]);
    return;
  }
  const other = pending.pop();
  if (other !== undefined) {
    await wait(PAUSE);
    await stage.show((/** @type {Script} */ (script)).nodes[other.to].start);
    await goOn(other.to, [words.otherwise, ...other.said]);
    return;
  }
  score(decision.scores ?? [], reply.scores);
  sitting.solved = !sitting.shown;
  end(reply, sitting.shown ? words.answer : words.right, decision);
}

/** Ask the next decision. @param {number} number @param {string[]} sentences */
async function goOn(number, sentences) {
  const next = (/** @type {Script} */ (script)).nodes[number];
  turn = [];
  score(next.scores ?? []);
  if (sitting.shown) { await read(sentences); await demonstrate(next); return; }
  say("hint", words.soFar, sentences);
  offer(next);
}

/** Say something in the middle of an answer that is walked, and leave time to read it. @param {string[]} sentences */
async function read(sentences) {
  if (!sentences.length) return;
  say("shown", words.answer, sentences);
  for (const id of ["next", "play-on", "share"]) if ($(id)) $(id).hidden = true;
  await wait(READING * sentences.join(" ").length);
}

/** @param {Reply} reply @param {string} title @param {Node} decision */
function end(reply, title, decision) {
  dialogue.offer([]);
  arrow.clear();
  say(sitting.solved ? "right" : "shown", title, reply.said);
  if (decision.scores && reply.scores) $("said").prepend(pointsTold(decision.scores, reply.scores));
  if (words.proved) $("said").append(html("p", { className: "proved", textContent: words.proved }));
  if (sitting.solved) { sound("end"); table.querySelector(".own")?.classList.add("glows"); }
  ($("next") ?? $("share"))?.focus({ preventScroll: true });
}

/** Show positions one after the other. @param {Shown[]} [shown] */
async function follow(shown = []) {
  busy = true;
  delete table.dataset.at;
  dialogue.offer([]);
  for (const [number, each] of shown.entries()) {
    if (number) await wait(PAUSE);
    await stage.show(each);
  }
  busy = false;
}

/** Play the right turn of a decision. @param {Node} decision */
async function demonstrate(decision) {
  node = decision;
  turn = [];
  dialogue.offer([]);
  arrow.show(decision.path ?? []);
  await read(decision.told ?? []);
  for (const move of decision.best ?? []) {
    dialogue.offer([]);
    dialogue.light(node.path ?? [], "chosen");
    await wait(PAUSE);
    arrow.clear();
    await play(move);
  }
}

// --- hints: where, why, which ----------------------------------------------------------------------------------------

async function help() {
  await loaded();
  sitting.first ||= "helped";
  sitting.hints += 1;
  const { path = [], glow = path, told = [] } = turn[0] ?? node;
  const last = sitting.hints >= HINTS;
  dialogue.offer(places.choices(node.choices ?? [], node.moves ?? []), ply); // without the lights of the step before
  dialogue.light(last ? path : glow, "target");
  if (last) arrow.show(path);
  say("hint", words[`hint${sitting.hints}`], [[words.where], [words.theme || words.noTheme], told][sitting.hints - 1]);
  changed();
}

/** The script; it is fetched while the person thinks. @returns {Promise<Script>} */
async function loaded() {
  if (!script) {
    say("hint", "", [words.loading]);
    script = /** @type {Script} */ (await arriving);
    say("ask", "", []);
    offer(script.nodes[0]);
  }
  return script;
}

// --- a proposed turn: safe or not ---------------------------------------------------------------------------------------

/** Show a turn as it would be. @param {Node} first */
function propose({ path = [], effects = [], best = [] }) {
  const effect = effects.find(({ move }) => move === best[0]);
  dialogue.light(path.slice(0, 1), "chosen");
  dialogue.light(path.slice(1), "target");
  ghosts.show(effect);
  hint(`${turnOf(path)}: ${effect?.said ?? ""}`);
}

/** A turn as the names of its places. @param {number[]} path */
const turnOf = (path) => path.map((slot) => places.named(slot)).join(" → ");

/** @param {boolean} safe @param {boolean} [asked] the answer was asked for, not guessed */
async function judge(safe, asked = false) {
  const { nodes, replies } = await loaded();
  ghosts.clear();
  /** @type {Step} */ let step = {};
  for (const move of nodes[0].best ?? []) {
    step = (step.to === undefined ? nodes[0] : nodes[step.to]).steps?.[move] ?? {};
    await follow(step.shown ?? []);
  }
  const reply = replies[step.answer ?? 0];
  const found = safe === (table.dataset.safe !== undefined);
  sitting.tries += 1;
  sitting.first ||= found ? "right" : "wrong";
  sitting.solved = found;
  sitting.shown = !found;
  table.toggleAttribute("data-missed", !found && !asked);
  await follow(reply.shown);
  score(nodes[0].scores ?? [], reply.scores);
  end(reply, found ? words.right : asked ? words.answer : words.wrong, nodes[0]);
  changed();
}

// --- buttons and keys ----------------------------------------------------------------------------------------------------

$("try-again").onclick = () => begin(turn[0] ?? node);
$("ask-hint").onclick = help;
$("show-answer").onclick = async () => {
  const { nodes } = await loaded();
  const decision = turn[0] ?? node;
  sitting.first ||= "wrong";
  sitting.shown = true;
  changed();
  if (table.dataset.goal === "safe") { await judge(table.dataset.safe === undefined, true); return; }
  await begin(nodes.includes(decision) ? decision : nodes[0]);
  await demonstrate(turn[0] ?? node);
};
for (const button of document.querySelectorAll("[data-judge]")) {
  /** @type {HTMLElement} */ (button).onclick = () => judge(/** @type {HTMLElement} */ (button).dataset.judge === "safe");
}

addEventListener("pointerdown", skip, true);
addEventListener("keydown", (event) => {
  skip();
  const target = event.target instanceof Element ? event.target : root;
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, dialog, [popover]")) return;
  if (event.key === "Escape" || event.key === "Backspace") { dialogue.keys = ""; back(); }
  else if (event.key === "?") root.classList.toggle("show-keys");
  else if (event.key.length !== 1 || event.key === " " || !dialogue.active) return;
  else if (!dialogue.typed(event.key)) hint(`${dialogue.keys}${event.key} ?`, { bad: true });
  event.preventDefault();
});

const arriving = fetchScript(table.dataset.script);
await stage.show(node.start, { jump: true });
closeUp(renderer, places);
addEventListener("resize", async () => { await arrangement.arrange(); closeUp(renderer, places); });
name();
score(node.scores ?? []);
offer(node);
table.dataset.ready = "";
arriving.then((found) => {
  if (script) return;
  script = found;
  if (!turn.length && !dialogue.path.length) offer(found.nodes[0]);
  else node = found.nodes[0];
  if (table.dataset.goal === "safe") propose(found.nodes[0]);
  table.dataset.loaded = "";
}).catch(() => { say("hint", "", [words.failed]); });
