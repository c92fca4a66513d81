// @ts-check
// The living board: replays a game of two bots; a still picture for whoever wants less motion or fewer bytes.
import { $ } from "./dom.js";
import { pace } from "./motion.js";
import { Pieces } from "./pieces.js";
import { embed, fetched, Places } from "./plan.js";
import { Renderer } from "./renderer.js";
import { inSite } from "./root.js";
import { Stage } from "./stage.js";
/** @import { Shown } from "./stage.js" */

/** @typedef {Shown & { seat?: number, target?: number, ply?: number }} Shot */

const EACH = 3000; // milliseconds from one turn to the next
const GLOW = 700; // milliseconds in which the target glows before the pieces arrive

const holder = /** @type {HTMLElement} */ ($("living"));
const { plan, shots } = /** @type {{ plan: string, shots: Shot[] }} */ (await (await fetch(holder.dataset.script ?? "")).json());
const form = await fetched(inSite(plan));
await embed(form);
const places = new Places(form);
places.add("wide", form);
const renderer = new Renderer(places, holder);
const stage = new Stage(renderer, new Pieces(places, renderer));
const watch = /** @type {HTMLAnchorElement} */ (document.querySelector(".living .caption a"));
const way = watch.getAttribute("href") ?? ""; // to the moment that is shown
const wait = (/** @type {number} */ time) => new Promise((done) => { setTimeout(done, time); });
const saves = /** @type {any} */ (navigator).connection?.saveData === true;
let seen = true;

/** @param {Shot} shot */
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
  for (let at = 0; ; at = (at + 1) % shots.length) {
    await show(shots[at]);
    do await wait(EACH); while (document.hidden || !seen);
  }
}

new IntersectionObserver((entries) => { seen = entries.some((entry) => entry.isIntersecting); }).observe(holder);
holder.dataset.ready = "";
if (pace() && !saves) play();
else show({ ...shots[0], target: -1 });
