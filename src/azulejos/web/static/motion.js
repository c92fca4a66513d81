// @ts-check
// Animations: travelling pieces, and points that rise from the places that earned them. They never block input.
import { gainOrLoss, html, plain, signed } from "./dom.js";
/** @import { Scoring } from "./messages" */
/** @import { Travel } from "./types" */

/** @type {Record<string, number>} milliseconds of a journey */
const SPEED = { slow: 900, normal: 500, fast: 250 };
const STAGGER = 40;
const LIFT = 50; // height halfway; a tile is 100
const still = matchMedia("(prefers-reduced-motion: reduce)");

export function duration() {
  const motion = document.documentElement.dataset.motion ?? "normal";
  if (motion === "off" || (motion === "system" && still.matches)) return 0;
  return SPEED[motion] ?? SPEED.normal;
}

/** @type {Set<Animation>} */
const running = new Set();

/** Animate pieces from where they were to where they are. Resolves when all have landed. @param {Travel[]} travels */
export async function travel(travels) {
  const time = duration();
  await Promise.all(travels.map((one, i) => journey(one, time, (i % 8) * STAGGER)));
}

/** @param {Travel} travel @param {number} time @param {number} delay */
async function journey({ node, from, merges }, time, delay) {
  const carrier = /** @type {SVGGElement} */ (node.firstElementChild);
  for (const old of carrier.getAnimations()) old.cancel();
  const here = /** @type {DOMMatrix} */ (node.getScreenCTM());
  if (time && here.a + here.b !== 0 && from.scale) {
    const start = new DOMPoint(from.x, from.y).matrixTransform(here.inverse());
    const size = from.scale / Math.hypot(here.a, here.b);
    const panel = /** @type {HTMLElement | null} */ (node.closest(".place"));
    panel?.classList.add("arriving");
    const animation = carrier.animate([
      { transform: `translate(${start.x}px, ${start.y}px) scale(${size})` },
      { transform: `translate(${start.x / 2}px, ${start.y / 2 - LIFT}px) scale(${(1 + size) / 2 + 0.06})`, offset: 0.5 },
      { transform: "none" },
    ], { duration: time, delay, easing: "cubic-bezier(.3,.7,.2,1)", fill: "backwards" });
    running.add(animation);
    await animation.finished.catch(() => {});
    running.delete(animation);
    if (!running.size) lower();
  }
  if (merges) node.remove();
}

/** End all journeys at once. */
export function skip() {
  for (const animation of running) animation.finish();
  lower();
}

/** No panel lies above the others any more. */
function lower() {
  for (const panel of document.querySelectorAll(".arriving")) panel.classList.remove("arriving");
}

// --- points ------------------------------------------------------------------------------------------

const STAY = 4000;
const EDGE = 4;
const MOST = 40;
const GLOW = "drop-shadow(0 0 9px var(--lit)) drop-shadow(0 0 3px var(--lit))";

/** @typedef {{ word: HTMLElement, pieces: Element[] }} Risen */
/** @typedef {{ seat: number, text: string, loss: boolean, place: Element | null, pieces: Element[] }} Rising */
/** @type {Risen[]} */
let shown = [];

/** Remove all points, rising or at rest. */
export function settle() {
  for (const { word, pieces } of shown) {
    word.remove();
    for (const piece of pieces) piece.classList.remove("earning");
  }
  shown = [];
}

/**
 * "+3" rises from the place that earned it while the pieces that count light up, one after the other; the board
 * writes "10 + 5 = 15". Without motion everything is shown at once for a while.
 * @param {Element} table @param {Scoring[]} parts
 * @param {{ place: (slot: number) => Element | null, pieces: (slot: number) => Element[] }} nodes
 */
export function rise(table, parts, nodes) {
  if (!parts.length) return;
  settle();
  const time = duration();
  const terms = parts.flatMap((part) => part.terms.map(([seat, points, , slot, lights]) => ({
    seat, text: signed(points), loss: points < 0,
    place: slot === null ? null : nodes.place(slot), pieces: lights.flatMap(nodes.pieces),
  })));
  const marks = (time ? terms : merged(terms)).slice(0, MOST).map((term) => mark(table, term)).filter((one) => one !== null);
  shown = [...marks, ...sums(parts).map(([seat, text]) => sum(table, seat, text)).filter((one) => one !== null)];
  if (!time) for (const { pieces } of marks) for (const piece of pieces) piece.classList.add("earning");
  marks.forEach(({ word, pieces }, i) => {
    if (!time) return;
    const when = { duration: time * 2.5, delay: i * time * Math.min(0.6, 8 / marks.length), fill: /** @type {FillMode} */ ("both") };
    word.animate([{ opacity: 0, transform: "translateY(12px)" }, { opacity: 1, offset: 0.2 }, { opacity: 0, transform: "translateY(-30px)" }], when);
    for (const piece of pieces) piece.animate([{ filter: "none" }, { filter: GLOW, offset: 0.2 }, { filter: GLOW, offset: 0.7 }, { filter: "none" }], { ...when, fill: "none" });
  });
  const mine = shown;
  setTimeout(() => { if (shown === mine) settle(); }, Math.max(STAY, time * 8));
}

/** Add up the terms of one place. @param {Rising[]} terms */
function merged(terms) {
  /** @type {Map<unknown, Rising>} */ const places = new Map();
  for (const term of terms) {
    const first = places.get(term.place ?? term.seat);
    places.set(term.place ?? term.seat, first ? { ...first, text: `${first.text} ${term.text}`, loss: first.loss && term.loss, pieces: [...first.pieces, ...term.pieces] } : term);
  }
  return [...places.values()];
}

/** The change of each seat's score, as "10 + 5 = 15". @param {Scoring[]} parts @returns {[number, string][]} */
function sums(parts) {
  return parts[0].before.flatMap((before, seat) => {
    const gained = parts.reduce((sum, part) => sum + part.terms.reduce((all, [who, points]) => all + (who === seat ? points : 0), 0), 0);
    return gained ? [[seat, `${plain(before)} ${gained < 0 ? "−" : "+"} ${Math.abs(gained)} = ${plain(before + gained)}`]] : [];
  });
}

/** @param {Element} table @param {Rising} term @returns {Risen | null} */
function mark(table, { seat, text, loss, place, pieces }) {
  const board = place ?? table.querySelector(`svg[data-seat="${seat}"]`);
  if (!board) return null;
  const box = board.getBoundingClientRect();
  const at = place ? [box.left + box.width / 2 - 18, box.top] : [box.left + box.width / 2, box.top + box.height * 0.12];
  return { word: written(`rise ${gainOrLoss(loss ? -1 : 1)}`, text, at[0], at[1]), pieces };
}

/** Beside the score of a board. @param {Element} table @param {number} seat @param {string} text @returns {Risen | null} */
function sum(table, seat, text) {
  const score = table.querySelector(`svg[data-seat="${seat}"] .score`);
  if (!score) return null;
  const box = score.getBoundingClientRect();
  return { word: written("sums", text, box.left - 6, box.top + box.height / 2 - 12), pieces: [] };
}

/** A text above the page, shifted so that it stays within the page. @param {string} className @param {string} text @param {number} left @param {number} top */
function written(className, text, left, top) {
  const word = html("span", { className, ariaHidden: "true", textContent: text });
  word.style.left = `${left + scrollX}px`;
  word.style.top = `${top + scrollY}px`;
  document.body.append(word);
  const box = word.getBoundingClientRect();
  const inside = Math.max(EDGE - box.left, Math.min(0, document.documentElement.clientWidth - EDGE - box.right));
  word.style.left = `${left + scrollX + inside}px`;
  return word;
}
