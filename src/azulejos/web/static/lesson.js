// @ts-check
// A lesson: a script says what lies where, which paths are accepted, and what is said about the others.
import { $, fill, html, svg } from "./dom.js";
import { pace, skip } from "./motion.js";
import { inSite } from "./root.js";
import { fetchScript, mount, refusedAt, Stage } from "./stage.js";
/** @import { Node, Step, Task } from "./stage.js" */

/** @typedef {{ path: number[], step: Step, accepted: boolean }} Way */

const PATIENT = 2; // errors after which "Show me" becomes the main button
const TAP = 700; // milliseconds between the taps of a demonstration
const MARGIN = 10; // pixels of light around a bright place
const FINGERTIP = [11, 2]; // in the drawing of the hand
const lesson = /** @type {HTMLElement} */ ($("lesson"));
const table = /** @type {HTMLElement} */ ($("lesson-table"));
const KEPT = `azulejos.lesson.${lesson.dataset.box}`;
const script = await fetchScript(lesson.dataset.script);
const upright = matchMedia("(max-aspect-ratio: 1/1)");
const form = upright.matches ? "phone" : "wide";
const { places, renderer, pieces } = await mount(table, { [form]: inSite(script.plans[form]) });
const { panels } = places.plan;
const learner = panels.findIndex(({ seat }) => seat === 0);
const NARROWEST = 270; // pixels: two panels that would be drawn narrower are shown in turn
const high = [0, learner].reduce((sum, panel) => sum + panels[panel].height / panels[panel].width, 0);
const takeTurns = upright.matches && table.clientHeight < NARROWEST * high;
const pictures = panels.map(({ id }) => /** @type {SVGSVGElement} */ (table.querySelector(`[data-panel="${CSS.escape(id)}"]`)));
for (const [i, { width, height, turned = false }] of panels.entries()) {
  const picture = pictures[i];
  picture.classList.toggle("turned", turned);
  picture.setAttribute("viewBox", `0 0 ${width} ${height}`);
  picture.style.flex = `${upright.matches ? height / width : width / height} 1 0`;
}
const stage = new Stage(renderer, pieces);
const wait = (/** @type {number} */ time) => new Promise((done) => { setTimeout(done, pace() ? time : 0); });

let step = 0;
/** @type {Task} */
let task = script.tasks[0];
/** @type {Node} */
let node = script.nodes[0];
/** @type {Way[]} what its moves lead to */
let ways = [];
/** @type {number[][]} */
let legal = [];
let done = false;
/** @type {number[]} */
let path = [];
let errors = 0;
let busy = false;
/** @type {number[]} */
let wrong = [];

// --- showing ---------------------------------------------------------------------------------------------

/** @param {number} index */
async function begin(index) {
  if (index >= script.tasks.length) { finish(); return; }
  const follows = index === step + 1 && task.at_once;
  step = index;
  task = script.tasks[index];
  ask(script.nodes[task.node]);
  path = [...(task.chosen ?? [])];
  errors = 0;
  wrong = [];
  lesson.classList.remove("over");
  $("finished").hidden = true;
  $("task").textContent = task.task;
  $("why").textContent = task.why;
  $("count").textContent = fill(lesson.dataset.of ?? "", { n: index + 1, all: script.tasks.length });
  [...$("strokes").children].forEach((stroke, i) => { stroke.className = i < index ? "done" : i === index ? "now" : ""; });
  say(task.hint, "");
  if (!follows) await stage.show(node.start, { jump: true });
  draw();
  keep(index);
}

/** @param {string} text @param {"" | "error" | "praise"} mood */
function say(text, mood) {
  $("says").textContent = text;
  $("guide").dataset.mood = mood;
  $("next").hidden = mood !== "praise";
  $("show").hidden = mood === "praise" || !task.show.length;
  $("show").classList.toggle("primary", mood === "error" && errors >= PATIENT);
  $("show").classList.toggle("text", !(mood === "error" && errors >= PATIENT));
}

function finish() {
  lesson.classList.add("over");
  $("finished").hidden = false;
  $("goodbye-title").scrollIntoView({ block: "nearest" });
  keep(0, "yes");
}

/** @param {number} index @param {string} [done] */
function keep(index, done) {
  try {
    localStorage.setItem(KEPT, String(index));
    if (done) localStorage.setItem(`azulejos.learned.${lesson.dataset.box}`, done);
  } catch { /* storage is full or forbidden */ }
}

/** @param {Node} next */
function ask(next) {
  node = next;
  done = false;
  legal = places.choices(next.choices ?? [], next.moves ?? []).map((choice) => choice.path);
  ways = Object.entries(next.steps ?? {}).map(([key, to]) => ({ path: key.split(",").map(Number), step: to, accepted: to.answer === undefined || script.replies[to.answer].right }));
}

/** The places that come next in paths. @param {number[][]} paths */
const nexts = (paths) => [...new Set(paths.filter((one) => path.every((slot, i) => one[i] === slot)).map((one) => one[path.length]))].filter((slot) => slot !== undefined);

const targets = () => (done ? [] : nexts(legal));

/** The places that lead on. */
const wanted = () => (done ? [] : nexts(ways.filter(({ accepted }) => accepted).map((way) => way.path)));

/** Marks, light, and the list of places for whoever uses keys. */
function draw() {
  for (const node of table.querySelectorAll(".can, .chosen")) node.classList.remove("can", "chosen");
  mark(path, "chosen");
  if (path.length > (task.chosen ?? []).length || task.chosen) mark(targets(), "can");
  const next = wanted();
  $("places").replaceChildren(...next.map((slot) => {
    const button = html("button", { type: "button", textContent: places.named(slot) });
    button.onclick = () => choose(slot);
    return button;
  }));
  turnTo(next);
  light();
}

/** Show the panel that the next choice needs; when nothing is left to choose, the learner's board. @param {number[]} next */
function turnTo([slot]) {
  if (!takeTurns) return;
  const panel = slot === undefined ? learner : places.planned[slot].panel;
  pictures.forEach((picture, i) => picture.classList.toggle("away", i !== panel));
}

/** @param {number[]} slots @param {string} name */
function mark(slots, name) {
  for (const slot of slots) for (const node of [renderer.nodes[slot], ...pieces.nodesAt(slot)]) node?.classList.add(name);
}

/** Where a place is with its pieces. @param {number} slot */
const boxOf = (slot) => boxAround([renderer.nodes[slot], ...pieces.nodesAt(slot)]);

/** In pixels of the table. @param {(Element | null)[]} nodes */
function boxAround(nodes) {
  const around = table.getBoundingClientRect();
  const boxes = nodes.filter((node) => node?.isConnected).map((node) => /** @type {Element} */ (node).getBoundingClientRect()).filter(({ width }) => width > 0);
  if (!boxes.length) return null;
  const [left, top] = [Math.min(...boxes.map((box) => box.left)), Math.min(...boxes.map((box) => box.top))];
  const [right, bottom] = [Math.max(...boxes.map((box) => box.right)), Math.max(...boxes.map((box) => box.bottom))];
  return { x: left - around.left - MARGIN, y: top - around.top - MARGIN, width: right - left + 2 * MARGIN, height: bottom - top + 2 * MARGIN };
}

/** A plate gets a circle, a row a rounded box. @param {{ width: number, height: number }} box */
function rounding({ width, height }) {
  const [short, long] = [Math.min(width, height), Math.max(width, height)];
  return long < short * 1.2 ? long / 2 : Math.min(18, short / 2);
}

/** Dim everything except the bright places; a hand points at the place to choose next. */
function light() {
  const { clientWidth: width, clientHeight: height } = table;
  const bright = task.bright.map(boxOf).filter((box) => box !== null);
  const faulty = wrong.map(boxOf).filter((box) => box !== null);
  const veil = /** @type {SVGSVGElement} */ ($("veil"));
  veil.setAttribute("viewBox", `0 0 ${width} ${height}`);
  const hole = (/** @type {any} */ box, /** @type {Record<string, any>} */ look) => svg("rect", { ...box, rx: rounding(box), ...look });
  const open = done || !bright.length;
  const mask = svg("mask", { id: "holes" }, svg("rect", { width, height, fill: "#fff" }), ...[...bright, ...faulty].map((box) => hole(box, { fill: "#000" })));
  veil.replaceChildren(...(open ? [] : [mask, svg("rect", { class: "dim", width, height, mask: "url(#holes)" }), ...bright.map((box) => hole(box, { class: "ring" })), ...faulty.map((box) => hole(box, { class: "faulty" })), ...(errors ? [] : [hand(aim(wanted()[0]) ?? bright[0])])]));
}

/** What the hand points at: a piece of the place, or the place itself if it is empty. @param {number} [slot] */
function aim(slot) {
  if (slot === undefined) return null;
  const piece = pieces.nodesAt(slot).find((node) => node.isConnected);
  return piece ? boxAround([piece]) : boxOf(slot);
}

/** The tip of its finger lies in the middle of a box. @param {{ x: number, y: number, width: number, height: number }} box */
const hand = ({ x, y, width, height }) => svg("g", { class: "hand", transform: `translate(${x + width / 2 - FINGERTIP[0]} ${y + height / 2 - FINGERTIP[1]})` },
  svg("path", { d: "M8 2c3-2 6 0 6 3v15l12 3c4 1 6 4 5 8l-3 13H10C5 38 0 32-3 27c-2-3 2-6 5-4l4 3V5z" }));

// --- what the learner does ---------------------------------------------------------------------------------

/** Continue the path with a place. @param {number} slot */
async function choose(slot) {
  const next = [...path, slot];
  const open = ways.filter((way) => way.accepted && next.every((one, i) => way.path[i] === one));
  if (!open.length) { refuse(next, slot); return; }
  const way = open.find((one) => one.path.length === next.length);
  path = next;
  wrong = [];
  if (!way) { say(task.hint, ""); draw(); return; }
  busy = true;
  $("places").replaceChildren(); // while pieces travel: these would lead on from the position before
  const reply = way.step.answer === undefined ? null : script.replies[way.step.answer];
  done = reply !== null;
  if (way.step.to !== undefined) ask(script.nodes[way.step.to]);
  if (!task.at_once) path = [];
  for (const shown of reply?.shown ?? way.step.shown ?? []) await stage.show(shown);
  busy = false;
  if (reply && task.at_once) { begin(step + 1); return; }
  if (reply) { say(reply.said?.[0] ?? "", "praise"); $("next").focus({ preventScroll: true }); } else say(task.hint, "");
  draw();
}

/** Say what was right, what is needed and where. @param {number[]} tried @param {number} slot */
function refuse(tried, slot) {
  errors += 1;
  wrong = [places.around(slot) >= 0 ? places.around(slot) : slot];
  const meant = ways.find((way) => !way.accepted && tried.every((one, i) => way.path[i] === one));
  const said = meant ? script.replies[meant.step.answer ?? 0].said?.[0] : refusedAt(node, tried.slice(0, -1), slot)?.reason;
  say(said ?? task.otherwise, "error");
  light();
}

/** @param {EventTarget | null} target */
function slotOf(target) {
  const node = target instanceof Element ? /** @type {SVGElement | null} */ (target.closest("[data-slot]")) : null;
  return node ? places.number(node.dataset.slot ?? "") : -1;
}

table.addEventListener("click", ({ target }) => {
  const slot = slotOf(target);
  if (busy) { skip(); return; }
  if (slot < 0 || done) return;
  const meant = places.meant(slot, targets());
  if (meant >= 0) { choose(meant); return; }
  const firsts = [...new Set(legal.map(([first]) => first))];
  const start = places.meant(slot, firsts);
  if (start >= 0 && path.length && !task.chosen) { path = []; choose(start); } else refuse([...path, slot], slot);
});
$("show").onclick = async () => {
  path = [...(task.chosen ?? [])];
  for (const way of task.show) {
    for (const slot of way.slice(path.length)) {
      mark([slot], "chosen");
      await wait(TAP);
      await choose(slot);
    }
  }
};
$("next").onclick = () => begin(step + 1);
$("again").onclick = () => begin(0);
addEventListener("resize", light);

lesson.dataset.drawn = "";
const kept = Number(localStorage.getItem(KEPT) ?? 0);
await begin(kept > 0 && kept < script.tasks.length && !script.tasks[kept].chosen ? kept : 0);
lesson.dataset.ready = "";
