// @ts-check
// A number that rises from the place that earned it.
import { gainOrLoss, html, signed } from "./dom.js";
import { pace } from "./motion.js";

const EDGE = 44; // pixels from the middle of a number to the border of the window
const HEIGHT = 40;
const TIME = 420;
const FADE = 120;

/** Where a place is on the screen. @param {Element | null} [place] */
export const boxOf = (place) => place?.getBoundingClientRect() ?? null;

/**
 * Write points above a place, within its board; they rise, or with reduced motion fade in. Nothing is measured here.
 * @param {number} points @param {DOMRect} box @param {DOMRect | null} [board] @returns {{ word: HTMLElement, animation: Animation }}
 */
export function rise(points, box, board = null) {
  const word = html("span", { className: `rise ${gainOrLoss(points)}`, ariaHidden: "true", textContent: signed(points) });
  const within = (/** @type {number} */ middle, /** @type {number} */ far) => Math.max(EDGE, Math.min(middle, far - EDGE));
  word.style.left = `${within(box.left + box.width / 2, innerWidth)}px`;
  word.style.top = `${Math.max(HEIGHT + EDGE, (board?.top ?? 0) + HEIGHT + EDGE / 2, within(box.top, innerHeight))}px`;
  /** @type {HTMLElement} */ (document.getElementById("rising") ?? document.body).append(word);
  const times = pace();
  const at = (/** @type {number} */ down) => `translate(-50%, -50%) translateY(${down}px)`;
  const frames = times ? [{ opacity: 0, transform: at(HEIGHT / 3) }, { opacity: 1, offset: 0.25 }, { opacity: 1, transform: at(-HEIGHT) }]
    : [{ opacity: 0, transform: at(0) }, { opacity: 1, transform: at(0) }];
  return { word, animation: word.animate(frames, { duration: times ? TIME * times : FADE, easing: "ease-out", fill: "both" }) };
}
