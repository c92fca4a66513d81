// @ts-check
// Five minutes of puzzles: the clock and the score live in this tab, the best result in this browser. A puzzle's page
// belongs to a sprint if its address says so.
import { $, fill } from "./dom.js";
import { inSite } from "./root.js";

const LASTS = 5 * 60_000; // milliseconds
const GLANCE = 1100; // milliseconds until the next puzzle
const RUN = "sprint";
const BEST = "sprint-best";

/** @typedef {{ way: string, end: number, solved: number, missed: number }} Run */

/** @returns {Run | null} */
const kept = () => JSON.parse(sessionStorage.getItem(RUN) ?? "null");
/** @param {Run} run */
const keep = (run) => sessionStorage.setItem(RUN, JSON.stringify(run));

/** The sprint to which this page belongs; it begins with its first puzzle. */
export function runHere() {
  const way = new URLSearchParams(location.search).get("way") ?? "";
  if (!way.startsWith("sprint-")) return null;
  const before = kept();
  const run = before?.way === way ? before : { way, end: Date.now() + LASTS, solved: 0, missed: 0 };
  keep(run);
  return run;
}

/** Show the time left, and leave when it is over. @param {Run} run @param {HTMLElement} clock @param {string} words */
export function tick(run, clock, words) {
  const left = Math.max(0, Math.ceil((run.end - Date.now()) / 1000));
  clock.textContent = fill(words, { time: `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`, n: run.solved });
  clock.hidden = false;
  if (left) setTimeout(() => tick(run, clock, words), 250);
  else location.replace(inSite("puzzles/sprint"));
}

/** Count an answer and go on. @param {Run} run @param {boolean} right @param {string} next */
export function count(run, right, next) {
  keep({ ...run, solved: run.solved + Number(right), missed: run.missed + Number(!right) });
  setTimeout(() => location.replace(next), GLANCE);
}

const told = $("last-sprint");
if (told) {
  const run = kept();
  sessionStorage.removeItem(RUN);
  if (run) {
    const best = Math.max(run.solved, Number(localStorage.getItem(BEST) ?? 0));
    localStorage.setItem(BEST, String(best));
    told.textContent = fill(told.dataset.words ?? "", { solved: run.solved, missed: run.missed, best });
    told.hidden = false;
  }
}
