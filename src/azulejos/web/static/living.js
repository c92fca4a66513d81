// @ts-check
// The living board: replays a game of two bots; a still picture for whoever wants less motion or fewer bytes.
import { $ } from "./dom.js";
import { pace } from "./motion.js";
import { inSite } from "./root.js";
import { fetchScript, mount, Stage } from "./stage.js";
/** @import { Shown } from "./stage.js" */

const EACH = 3000; // milliseconds from one turn to the next
const GLOW = 700; // milliseconds in which the target glows before the pieces arrive

const holder = /** @type {HTMLElement} */ ($("living"));
const { plans, replies: [{ shown = [] }] } = await fetchScript(holder.dataset.script);
const { renderer, pieces } = await mount(holder, { wide: inSite(plans.wide) });
const stage = new Stage(renderer, pieces);
const watch = /** @type {HTMLAnchorElement} */ (document.querySelector(".living .caption a"));
const way = watch.getAttribute("href") ?? ""; // to the moment that is shown
const wait = (/** @type {number} */ time) => new Promise((done) => { setTimeout(done, time); });
const saves = /** @type {any} */ (navigator).connection?.saveData === true;
let seen = true;

/** @param {Shown} moment */
async function show({ news, to_move, seat = 0, target = -1, ply = 0 }) {
  watch.href = `${way}?ply=${ply}`;
  for (const board of /** @type {NodeListOf<SVGElement>} */ (holder.querySelectorAll("[data-seat]"))) board.classList.toggle("shown", Number(board.dataset.seat) === seat);
  if (target >= 0) {
    renderer.nodes[target]?.classList.add("can");
    await wait(GLOW);
  }
  await stage.show({ news, to_move }, { jump: news.whole });
  renderer.nodes[target]?.classList.remove("can");
}

async function play() {
  for (let at = 0; ; at = (at + 1) % shown.length) {
    await show(shown[at]);
    do await wait(EACH); while (document.hidden || !seen);
  }
}

new IntersectionObserver((entries) => { seen = entries.some((entry) => entry.isIntersecting); }).observe(holder);
holder.dataset.ready = "";
if (pace() && !saves) play();
else show({ ...shown[0], target: -1 });
