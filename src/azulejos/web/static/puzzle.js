// @ts-check
// A puzzle: what is done with it is kept, and shared as tries without the answer. The table is in solve.js.
import { $, fill } from "./dom.js";
import { keep, streak, sync } from "./progress.js";
import { hear } from "./solve.js";
import { count, runHere, tick } from "./sprint.js";
/** @import { Sitting } from "./solve.js" */

const table = /** @type {HTMLElement} */ ($("table"));
const LATER = 15_000; // milliseconds until the next puzzles are fetched, unless this one is answered before
const TRIES = 6;
const BUSY = 10_000; // milliseconds until a busy server is asked again for a puzzle to keep
const { name = "", day = "", share = "", ahead = "" } = table.dataset;
const at = Date.now();
const run = runHere();
let counted = false;
/** @type {Sitting | null} */
let sitting = null;

hear((now) => {
  sitting = now;
  if (run && !counted && (now.solved || now.first === "wrong")) {
    counted = true;
    count(run, now.solved && now.first === "right", /** @type {HTMLAnchorElement} */ ($("next")).href);
  }
  const { first, tries, hints, solved, shown } = now;
  if (first) keep({ attempts: [{ puzzle: name, at, first, tries, hints, solved, shown, ...(day ? { day } : {}) }] });
  if (solved || shown) keepAhead().catch(() => {});
  if (solved || shown) { const theme = $("theme-name"); if (theme?.textContent) theme.hidden = false; }
  draw();
});

if (run) {
  table.dataset.sprint = "";
  tick(run, $("sprint-clock"), $("sprint-clock").dataset.words ?? "{time}");
}

/** Days in a row, with what was solved on this page. */
function draw() {
  const { days, week } = streak();
  const chip = $("streak-chip");
  chip.hidden = !days;
  chip.textContent = fill(chip.dataset.words ?? "{n}", { n: days });
  [...$("week").children].forEach((tile, i) => tile.classList.toggle("solved", week[i]));
}

$("share").onclick = async () => {
  if (!sitting) return;
  const tiles = "◻️".repeat(Math.max(0, sitting.tries - 1)) + (sitting.solved ? "🟦" : "◻️") + "💡".repeat(sitting.hints);
  const text = fill(share, { tiles, link: location.href });
  if (navigator.share) await navigator.share({ text }).catch(() => {});
  else await navigator.clipboard?.writeText(text).then(() => { $("share").append(` ${$("share").dataset.done}`); }, () => {});
};

let keeps = false;

/** Keep this puzzle and the next ones for times without a connection (worker/worker.js). */
async function keepAhead() {
  if (keeps || !("serviceWorker" in navigator)) return;
  keeps = true;
  await navigator.serviceWorker.ready;
  const cache = await caches.open("puzzles");
  for (const path of ahead.split(" ")) {
    for (let tries = 0; tries < TRIES && !(await caches.match(path)); tries += 1) {
      const answer = await fetch(path, { headers: { purpose: "prefetch" } }).catch(() => null); // guard/doors.py
      if (answer?.status === 200) await cache.put(path, answer);
      else await new Promise((on) => { setTimeout(on, BUSY); });
    }
  }
  table.dataset.kept = "";
}

sync().then(() => draw());
setTimeout(() => keepAhead().catch(() => {}), LATER);
addEventListener("online", () => sync());
