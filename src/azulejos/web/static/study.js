// @ts-check
// The study board: shows the position at a node of the tree, sends moves, and asks the judge about it.
import { mountTable } from "./arrange.js";
import { Connection } from "./connection.js";
import { Dialogue } from "./dialogue.js";
import { $, fill, html, svg } from "./dom.js";
import { Drag } from "./drag.js";
import { Ghosts } from "./ghosts.js";
import { Marking } from "./marking.js";
import { skip, travel } from "./motion.js";
import { inSite } from "./root.js";
import { Editor } from "./study_editor.js";
import { Lines } from "./study_lines.js";
import { OutlookView } from "./study_outlook.js";
import { Thinker } from "./thinker.js";
/** @import { Board, Frame, NodesChanged, Lying, NoJudge, Opened, NodeOutlook, Prepare, Rate, Refusal, NodesRemoved } from "./messages" */

const CHANCE = -1;
const study = /** @type {HTMLElement} */ ($("study"));
const mat = /** @type {HTMLElement} */ ($("mat"));
/** @type {Record<string, string>} */
const words = JSON.parse($("words").textContent);
/** @type {string[]} */
const names = JSON.parse($("names").textContent);
const { places, renderer, pieces, arrangement } = await mountTable(study);
const ghosts = new Ghosts(places, renderer, pieces);

/** @type {Board | null} */
let shown = null;
let wanted = 0;
let ready = false;
const node = () => shown?.node ?? 0;

/** @param {string} text @param {{ bad?: boolean }} [how] */
function hint(text, { bad = false } = {}) {
  $("hint").textContent = text;
  $("hint").classList.toggle("bad", bad);
}

/** @param {object} message */
const send = (message) => connection.send(message);
/** @param {any} message */
const command = (message) => connection.command(message);

const dialogue = new Dialogue(mat, /** @type {HTMLElement} */ ($("sheet")), places, renderer, pieces, ghosts, {
  play: (move) => command({ do: "add", node: node(), move }),
  why: (path) => send({ do: "why", path }),
  preview: (path) => send({ do: "preview", path, ply: node() }),
  marking: () => marking,
  chosen: () => arrow([]),
  resting: () => "",
  hint, words,
});
const drag = new Drag(mat, places, renderer, pieces, dialogue, () => go(lines.before(node())));
const marking = new Marking(mat, /** @type {HTMLElement} */ ($("sheet")), places, renderer, pieces, {
  judge: (slots) => send({ do: "mark", slots, ply: node() }),
  tell: ({ said, problem = "", move = "" }) => {
    hint(problem ? `${said} ${problem}` : said, { bad: Boolean(problem) });
    $("pay").hidden = !move;
  },
  why: (path) => dialogue.ask(path),
});
$("pay").onclick = () => { if (marking.move) command({ do: "add", node: node(), move: marking.move }); };

const lines = new Lines(/** @type {HTMLElement} */ ($("tree")), /** @type {HTMLElement} */ ($("canvas")), places, words, go);
const outlook = new OutlookView(places, words, names, (move) => command({ do: "add", node: node(), move }), arrow);
const editor = new Editor(words, command, () => shown);

const thinker = new Thinker(send);

const connection = new Connection(inSite(`study/${study.dataset.id}/live`), { protocol: study.dataset.protocol ?? "", plan: study.dataset.digest ?? "" }, {
  nodes: (/** @type {NodesChanged} */ { nodes }) => lines.grow(nodes),
  removed: (/** @type {NodesRemoved} */ { nodes }) => lines.shed(nodes),
  board: (/** @type {Board} */ board) => show(board),
  outlook: (/** @type {NodeOutlook} */ found) => { if (found.node === node()) outlook.hear(found); },
  nojudge: (/** @type {NoJudge} */ { node: at, text }) => { if (at === node()) outlook.rest(text); },
  prepare: (/** @type {Prepare} */ files) => thinker.prepare(files),
  rate: (/** @type {Rate} */ asked) => thinker.rate(asked),
  preview: (/** @type {any} */ told) => { if (told.ply === node()) dialogue.told(told); },
  why: (/** @type {any} */ answer) => dialogue.explained(answer),
  judged: (/** @type {any} */ { verdict }) => marking.judged(verdict),
  opened: (/** @type {Opened} */ { address = "" }) => { if (address) location.href = inSite(address); else editor.accepted(); },
  refused: (/** @type {Refusal} */ { text }) => {
    if (editor.open) { editor.refused(text); return; }
    hint(text, { bad: true });
    drag.letGo();
    if (shown) offer(shown);
  },
  done: (/** @type {{ id: number }} */ { id }) => { if (id === 0) begin(); },
  lost: () => { hint(words.lost, { bad: true }); ready = false; outlook.rest(words.lost); },
  back: () => hint(words.back),
  pending: () => {},
});

/** The whole tree has arrived. */
function begin() {
  connection.answered();
  lines.lay();
  ready = true;
  if (shown) renderer.lies.clear();
  go(shown ? node() : lines.at(location.hash.slice(1)));
  study.dataset.ready = "";
}

// --- showing -----------------------------------------------------------------------------------------------

/** @param {number} to */
function go(to) {
  wanted = to;
  if (ready) send({ do: "visit", node: to });
}

/** @param {Board} board */
async function show(board) {
  const { news } = board;
  /** @type {Map<number, Lying[]>} */
  const lies = new Map(Object.entries(news.lies ?? {}).map(([slot, lying]) => [Number(slot), lying]));
  if (news.whole) for (const slot of pieces.tokens.keys()) if (!lies.has(slot)) lies.set(slot, []);
  const moved = pieces.show(lies);
  const travels = drag.claim(news.whole ? moved.filter(({ source }) => source >= 0) : moved);
  renderer.show(/** @type {Frame} */ ({ news, to_move: board.to_move }));
  const same = shown?.node === board.node;
  shown = board;
  wanted = board.node;
  surround(board);
  offer(board);
  drag.offered();
  if (!same || !outlook.shown) consider(board);
  await travel(travels);
}

/** Everything beside the table. @param {Board} board */
function surround(board) {
  const twig = lines.twigs.get(board.node);
  lines.mark(board.node);
  $("status").textContent = board.status;
  board.scores.forEach((score, seat) => { for (const place of mat.querySelectorAll(`[data-score="${seat}"]`)) place.textContent = String(score); });
  hint("");
  arrow([]);
  $("deal").hidden = board.to_move !== CHANCE;
  const stops = lines.line(board.node);
  const at = Math.max(0, stops.indexOf(board.node));
  $("slider").max = stops.length - 1;
  $("slider").value = at;
  const last = Math.max(...stops.map((each) => lines.twigs.get(each)?.turn ?? 0));
  $("where").textContent = twig?.turn ? fill(words.where, { round: twig.round, n: twig.turn, last }) : "";
  $("back").disabled = board.node === 0;
  $("on").disabled = at === stops.length - 1;
  if (document.activeElement !== $("comment")) $("comment").value = twig?.comment ?? "";
  $("promote").disabled = !lines.path(board.node).some((each) => (lines.twigs.get(each)?.order ?? 0) > 0);
  $("remove").disabled = board.node === 0;
  const address = lines.address(board.node);
  history.replaceState(null, "", `#${address}`);
  $("play-on").elements.at.value = address;
  $("picture").href = inSite(`study/${study.dataset.id}/picture.svg?at=${address}`);
  list(stops);
}

/** The current line as a list, with its branches, for screen readers. @param {number[]} stops */
function list(stops) {
  if (!$("list").closest("details").open) return;
  $("list").replaceChildren(...stops.map((stop) => {
    const entry = (/** @type {number} */ to, /** @type {string} */ text) => html("button", { type: "button", className: "text", textContent: text, onclick: () => go(to), ariaCurrent: to === node() ? "true" : null });
    const others = lines.childrenOf(lines.twigs.get(stop)?.parent ?? -1).filter((other) => other !== stop && lines.endOf(other) !== stop);
    return html("li", {}, entry(stop, lines.spoken(lines.twigs.get(stop))), ...others.map((other, i) => entry(lines.endOf(other), `${fill(words.branch, { n: i + 1 })}: ${lines.spoken(lines.twigs.get(lines.endOf(other)))}`)));
  }));
}
$("list").closest("details").ontoggle = () => list(lines.line(node()));

/** @param {Board} board */
function offer({ offer: offered, node: at }) {
  const { choices = [], moves = [], selection = null, pale = [] } = offered ?? {};
  dialogue.offer(places.choices(choices, moves), at);
  for (const piece of mat.querySelectorAll(".piece.dim")) piece.classList.remove("dim");
  for (const slot of pale) for (const piece of pieces.nodesAt(slot)) piece.classList.add("dim");
  $("pay").hidden = true;
  marking.offer(selection, at);
}

/** Ask the judge about the position. @param {Board} board */
function consider({ to_move, node: at }) {
  outlook.clear(to_move);
  thinker.stop();
  if (!document.hidden) send({ do: "judge", node: at, engine: $("engine")?.value ?? "" });
}
addEventListener("visibilitychange", () => {
  if (document.hidden) send({ do: "pause" });
  else if (shown && !outlook.shown?.finished) consider(shown);
});
if ($("engine")) $("engine").onchange = () => { if (shown) consider(shown); };

/** The middle of a place on the screen, in pixels of the mat. @param {number} slot */
function middle(slot) {
  const around = mat.getBoundingClientRect();
  const boxes = [renderer.nodes[slot], ...pieces.nodesAt(slot)].filter((each) => each?.isConnected).map((each) => /** @type {Element} */ (each).getBoundingClientRect()).filter(({ width }) => width > 0);
  if (!boxes.length) return null;
  const [left, right] = [Math.min(...boxes.map((box) => box.left)), Math.max(...boxes.map((box) => box.right))];
  const [top, bottom] = [Math.min(...boxes.map((box) => box.top)), Math.max(...boxes.map((box) => box.bottom))];
  return { x: (left + right) / 2 - around.left, y: (top + bottom) / 2 - around.top };
}

/** Draw an arrow along a path of places, and light them. @param {number[]} path */
function arrow(path) {
  const picture = /** @type {SVGSVGElement} */ ($("arrows"));
  for (const lit of mat.querySelectorAll(".lit")) lit.classList.remove("lit");
  picture.replaceChildren();
  for (const slot of path) for (const each of [renderer.nodes[slot], ...pieces.nodesAt(slot)]) each?.classList.add("lit");
  const [from, to] = [path[0], path.at(-1)].map((slot) => (slot === undefined ? null : middle(slot)));
  if (!from || !to || path.length < 2) return;
  picture.setAttribute("viewBox", `0 0 ${mat.clientWidth} ${mat.clientHeight}`);
  const bend = { x: (from.x + to.x) / 2 + (to.y - from.y) / 4, y: (from.y + to.y) / 2 - (to.x - from.x) / 4 };
  const angle = Math.atan2(to.y - bend.y, to.x - bend.x);
  const tip = (/** @type {number} */ turn) => `${to.x - 16 * Math.cos(angle + turn)} ${to.y - 16 * Math.sin(angle + turn)}`;
  const curve = `M${from.x} ${from.y}Q${bend.x} ${bend.y} ${to.x} ${to.y}`;
  const head = `M${tip(0.5)}L${to.x} ${to.y}L${tip(-0.5)}`;
  picture.replaceChildren(svg("path", { class: "halo", d: curve + head }), svg("path", { d: curve + head }));
}

/** Whose side is shown: their board is the large one. @param {number} seat */
function look(seat) {
  outlook.seat = seat;
  const boards = /** @type {HTMLElement[]} */ ([...mat.querySelectorAll(".board-place")]);
  const turn = (/** @type {HTMLElement} */ place) => (Number(place.dataset.seatPlace) - seat + boards.length) % boards.length;
  const [first, ...others] = boards.sort((a, b) => turn(a) - turn(b));
  if (!first.matches(".own")) {
    mat.querySelector(".own")?.replaceWith(first);
    mat.querySelector(".others")?.append(...others);
    for (const place of boards) place.className = `place board-place ${place === first ? "own" : "other"}`;
    arrangement.arrange();
  }
  outlook.turned();
}

// --- what the visitor does -----------------------------------------------------------------------------------

$("back").onclick = () => go(lines.before(wanted));
$("on").onclick = () => go(lines.next(wanted));
$("deal").onclick = () => command({ do: "draw", node: node() });
$("slider").oninput = () => { const stop = lines.line(node())[$("slider").valueAsNumber]; if (stop !== undefined) go(stop); };
$("who").onclick = () => look((outlook.seat + 1) % names.length);
$("promote").onclick = () => command({ do: "promote", node: node() });
$("remove").onclick = () => { const gone = node(); go(lines.before(gone)); command({ do: "remove", node: gone }); };
$("edit").onclick = () => editor.show();
$("comment").onchange = () => command({ do: "comment", node: node(), text: $("comment").value });
$("share").onclick = async () => { await navigator.clipboard?.writeText(location.href).catch(() => {}); hint(words.copied); };
if ($("copy")) $("copy").onclick = () => command({ do: "duplicate" });
for (const tab of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".tabs [data-tab]"))) tab.onclick = () => {
  study.dataset.tab = tab.dataset.tab;
  for (const other of document.querySelectorAll(".tabs [data-tab]")) other.ariaPressed = String(other === tab);
  lines.draw();
};
addEventListener("hashchange", () => go(lines.at(location.hash.slice(1))));
addEventListener("pointerdown", skip, true);

/** @type {Record<string, () => void>} */
const KEYS = {
  ArrowLeft: () => go(lines.before(wanted)),
  ArrowRight: () => go(lines.next(wanted)),
  ArrowUp: () => go(lines.beside(wanted, -1)),
  ArrowDown: () => go(lines.beside(wanted, 1)),
  Home: () => go(0),
  End: () => go(/** @type {number} */ (lines.line(wanted).at(-1))),
  Escape: () => { dialogue.keys = ""; if (dialogue.path.length) dialogue.back(); },
};
addEventListener("keydown", (event) => {
  const target = event.target instanceof Element ? event.target : study;
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest("input, select, textarea, dialog")) return;
  skip();
  const { key } = event;
  if (key in KEYS) KEYS[key]();
  else if (key.length !== 1 || key === " ") return;
  else if (marking.active) marking.typed(key);
  else if (dialogue.active && !dialogue.typed(key)) hint(`${dialogue.keys}${key} ?`, { bad: true });
  event.preventDefault();
});
