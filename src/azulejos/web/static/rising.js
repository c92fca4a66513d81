// @ts-check
// A number that rises from the place that earned it.
import { gainOrLoss, html, signed } from "./dom.js";
import { pace } from "./motion.js";

const EDGE = 4;
const HEIGHT = 40;
const TIME = 420;
const FADE = 120;

/**
 * Write points above a place, within the window; they rise, or with reduced motion fade in.
 * @param {number} points @param {Element} place @returns {{ word: HTMLElement, animation: Animation }}
 */
export function rise(points, place) {
  const box = place.getBoundingClientRect();
  const word = html("span", { className: `rise ${gainOrLoss(points)}`, ariaHidden: "true", textContent: signed(points) });
  document.body.append(word);
  const own = word.getBoundingClientRect();
  const left = box.left + (box.width - own.width) / 2;
  const top = Math.max(HEIGHT + EDGE, Math.min(box.top - own.height / 2, innerHeight - own.height - EDGE));
  word.style.left = `${Math.max(EDGE, Math.min(left, document.documentElement.clientWidth - own.width - EDGE))}px`;
  word.style.top = `${top}px`;
  const times = pace();
  const frames = times ? [{ opacity: 0, transform: `translateY(${HEIGHT / 3}px)` }, { opacity: 1, offset: 0.25 }, { opacity: 1, transform: `translateY(-${HEIGHT}px)` }]
    : [{ opacity: 0 }, { opacity: 1 }];
  return { word, animation: word.animate(frames, { duration: times ? TIME * times : FADE, easing: "ease-out", fill: "both" }) };
}
