// @ts-check
// Journeys of pieces. They never block input: a click or a key ends them.
/** @import { Travel } from "./types" */

/** @type {Record<string, number>} how many times as long a journey takes */
const PACE = { slow: 1.8, normal: 1, fast: 0.6 };
const SHORTEST = 280; // milliseconds, by distance
const LONGEST = 380;
const FAR = 700; // pixels
const SLIDE = 260; // within a panel
const SLIDE_DELAY = 40;
const STAGGER = 35;
const DEAL_STAGGER = 45;
const FADE = 120;
const PATIENCE = 1000; // milliseconds after its end
const ARC = 50; // height halfway; a tile is 100
const EASE = "cubic-bezier(.3,.7,.2,1)";
const PLACED = 900; // how long a piece that has arrived is marked
const still = matchMedia("(prefers-reduced-motion: reduce)");

/** How many times as long motion takes; 0: nothing travels, pieces fade in. */
export function pace() {
  const motion = document.documentElement.dataset.motion ?? "normal";
  if (motion === "off" || (motion === "system" && still.matches)) return 0;
  return PACE[motion] ?? 1;
}

/** @type {Set<Animation>} */
const running = new Set();

/** Animate pieces from where they were to where they are. Resolves when all have landed. @param {Travel[]} travels */
export async function travel(travels) {
  const ordered = [...travels].sort((a, b) => Number(a.dealt) - Number(b.dealt) || (a.dealt ? a.to - b.to : 0));
  let dealt = 0;
  const delays = ordered.map(({ dealt: falls, within }, i) => (falls ? (dealt += 1) * DEAL_STAGGER : (i % 8) * STAGGER + (within ? SLIDE_DELAY : 0)));
  await Promise.all(prepared(ordered, delays).map((go) => go()));
}

/**
 * Prepare journeys: each piece is shown where it was until its function is called, which resolves when it has landed.
 * All places are read before anything is changed: the browser lays the page out once, not once a piece.
 * @param {Travel[]} travels @param {number[]} [delays] @returns {(() => Promise<void>)[]}
 */
export function prepared(travels, delays = []) {
  const carriers = travels.map(({ node }) => /** @type {SVGGElement} */ (node.querySelector(":scope > .carrier")));
  for (const carrier of carriers) {
    for (const old of carrier.getAnimations()) old.cancel();
    carrier.style.transform = "";
  }
  const here = travels.map(({ node }) => node.getScreenCTM());
  return travels.map((one, i) => start(one, document.hidden ? null : animate(one, carriers[i], here[i], delays[i] ?? 0)));
}

/** A browser that paints nothing for a while may not say that an animation is over. @param {Animation} animation */
function ended(animation) {
  const time = Number(animation.effect?.getComputedTiming().endTime ?? 0) + PATIENCE;
  return Promise.race([animation.finished.catch(() => {}), new Promise((resolve) => { setTimeout(resolve, time); })]);
}

/** @param {Travel} one @param {Animation | null} animation @returns {() => Promise<void>} */
function start(one, animation) {
  if (animation) {
    run(animation);
    animation.pause();
    one.node.classList.add("travelling");
    one.node.closest(".place")?.classList.add("arriving");
  }
  return async () => {
    animation?.play();
    if (animation) await ended(animation);
    if (animation) landed(animation);
    one.node.classList.remove("travelling");
    if (one.merges) one.node.remove();
    else if (animation) placed(one.node);
  };
}

/** @param {Travel} one @param {SVGGElement} carrier @param {DOMMatrix | null} here @param {number} delay @returns {Animation | null} */
function animate({ from, within, merges }, carrier, here, delay) {
  const times = pace();
  if (!here || here.a + here.b === 0) return null;
  if (!times || !from.scale) return merges ? null : carrier.animate([{ opacity: 0 }, { opacity: 1 }], { duration: FADE, delay: delay * times, fill: "backwards" });
  const begin = new DOMPoint(from.x, from.y).matrixTransform(here.inverse());
  const scale = Math.hypot(here.a, here.b);
  const size = from.scale / scale;
  const time = within ? SLIDE : SHORTEST + (LONGEST - SHORTEST) * Math.min(1, Math.hypot(begin.x, begin.y) * scale / FAR);
  return carrier.animate([
    { transform: `translate(${begin.x}px, ${begin.y}px) scale(${size})` },
    { transform: `translate(${begin.x / 2}px, ${begin.y / 2 - (within ? 0 : ARC)}px) scale(${(1 + size) / 2 + 0.06})`, offset: 0.45 },
    { transform: "scale(1.04)", offset: 0.8 },
    { transform: "none" },
  ], { duration: time * times, delay: delay * times, easing: EASE, fill: "backwards" });
}

/** A piece that has just arrived is marked for a moment: a ring below it fades, and nothing else is painted again. @param {SVGGElement} node */
function placed(node) {
  const ring = outline(node);
  if (!ring) return;
  ring.classList.add("placed");
  node.prepend(ring);
  ring.animate([{ opacity: 1 }, { opacity: 0 }], { duration: PLACED, easing: "ease-out" }).finished.catch(() => {}).then(() => ring.remove());
}

/** A copy of the outline of a piece, to be shown and hidden without touching the piece. @param {Element} node @returns {SVGElement | null} */
export function outline(node) {
  const symbol = node.querySelector(".carrier > use:not(.under)")?.getAttribute("href");
  const form = symbol && document.querySelector(`${symbol} .ring-glow`);
  return form ? /** @type {SVGElement} */ (form.cloneNode()) : null;
}

/** A piece that was moved by hand goes back to its place. @param {SVGGElement} carrier */
export function release(carrier) {
  const { transform } = carrier.style;
  if (!transform) return;
  carrier.style.transform = "";
  const times = pace();
  if (!times) return;
  const animation = carrier.animate([{ transform }, { transform: "none" }], { duration: SHORTEST * times, easing: EASE });
  run(animation);
  animation.finished.catch(() => {}).then(() => landed(animation));
}

/** `data-travel` of the page says that something is on its way. @param {Animation} animation */
function run(animation) {
  running.add(animation);
  document.documentElement.dataset.travel = "";
}

/** @param {Animation} animation */
function landed(animation) {
  running.delete(animation);
  if (running.size) return;
  lower();
  delete document.documentElement.dataset.travel;
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
