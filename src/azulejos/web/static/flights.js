// Flights: garnish over a complete table. Pieces that changed places fly in a straight line.
const SPEED = { slow: 900, normal: 500, fast: 250 };
const still = matchMedia("(prefers-reduced-motion: reduce)");

function duration() {
  const { motion } = document.documentElement.dataset;
  if (motion === "off" || (motion === "system" && still.matches)) return 0;
  return SPEED[motion] ?? SPEED.normal;
}

/** Where the pieces of each flight lie now, before the table is drawn anew. */
export function departures(table, flights) {
  return flights.map(({ kind, from }) => {
    const slot = CSS.escape(from);
    const pieces = [...table.querySelectorAll(`.piece[data-slot="${slot}"]`)].filter((p) => p.dataset.kind === kind);
    const places = pieces.length ? pieces : [...table.querySelectorAll(`.slot[data-slot="${slot}"]`)];
    return places.map((place) => place.getBoundingClientRect());
  });
}

/** Let the pieces of the new table arrive from where they were. Resolves when all have landed. */
export function fly(table, flights, starts, icon) {
  const time = duration();
  if (!time) return Promise.resolve();
  const used = new Map();
  const landings = [];
  flights.forEach(({ kind, to, count }, f) => {
    const arrived = [...table.querySelectorAll(`.piece[data-slot="${CSS.escape(to)}"]`)].filter((p) => p.dataset.kind === kind);
    const first = used.get(to + kind) ?? Math.max(0, arrived.length - total(flights, to, kind));
    used.set(to + kind, first + count);
    for (let i = 0; i < Math.min(count, 8); i += 1) {
      const start = starts[f][Math.min(i, starts[f].length - 1)];
      const piece = arrived[Math.min(first + i, arrived.length - 1)];
      if (start && piece) landings.push(flight(piece, kind, start, time, i * 40, icon));
    }
  });
  return Promise.all(landings);
}

function total(flights, to, kind) {
  return flights.filter((f) => f.to === to && f.kind === kind).reduce((sum, f) => sum + f.count, 0);
}

function flight(piece, kind, start, time, delay, icon) {
  const end = piece.getBoundingClientRect();
  if (!end.width || !start.width) return Promise.resolve();
  const flyer = icon(kind);
  flyer.classList.remove("icon");
  flyer.classList.add("flight");
  flyer.style.width = `${end.width}px`;
  flyer.style.height = `${end.height}px`;
  document.body.append(flyer);
  piece.classList.add("flying");
  const from = `translate(${start.left + start.width / 2 - end.width / 2}px, ${start.top + start.height / 2 - end.height / 2}px)`;
  const to = `translate(${end.left}px, ${end.top}px)`;
  const animation = flyer.animate([{ transform: from }, { transform: to }], { duration: time, delay, easing: "ease-in-out", fill: "both" });
  return animation.finished.catch(() => {}).then(() => {
    flyer.remove();
    piece.classList.remove("flying");
  });
}

/** Everything lands at once. */
export function skip() {
  for (const animation of document.getAnimations()) {
    if (animation.effect?.target?.classList.contains("flight")) animation.finish();
  }
}

const STAY = 4000;
let shown = [];

/** What rose or stands still is taken away. */
export function settle() {
  for (const { word, pieces } of shown) {
    word.remove();
    for (const piece of pieces) piece.classList.remove("earning");
  }
  shown = [];
}

/** "+3" rises from the place that earned it while the pieces that count light up, one after the other; the board
 *  writes "10 + 5 = 15". Without motion everything stands there at once for a while. */
export function rise(table, scored, sums) {
  if (!scored.length) return;
  settle();
  const time = duration();
  const terms = (time ? scored : merged(scored)).slice(0, 40);
  const marks = terms.map((term) => mark(table, term)).filter(Boolean);
  const written = sums.map((text, seat) => text && sum(table, text, seat)).filter(Boolean);
  shown = [...marks, ...written];
  if (!time) for (const { pieces } of marks) for (const piece of pieces) piece.classList.add("earning");
  marks.forEach(({ word, pieces }, i) => {
    if (!time) return;
    const when = { duration: time * 2.5, delay: i * time * Math.min(0.6, 8 / marks.length), fill: "both" };
    word.animate([{ opacity: 0, transform: "translateY(12px)" }, { opacity: 1, offset: 0.2 }, { opacity: 0, transform: "translateY(-30px)" }], when);
    for (const piece of pieces) piece.animate([{ filter: "none" }, { filter: GLOW, offset: 0.2 }, { filter: GLOW, offset: 0.7 }, { filter: "none" }], { ...when, fill: "none" });
  });
  const mine = shown;
  setTimeout(() => { if (shown === mine) settle(); }, Math.max(STAY, time * 8));
}

const EDGE = 4;
const GLOW = "drop-shadow(0 0 9px var(--lit)) drop-shadow(0 0 3px var(--lit))";

/** Terms of one place in one number. */
function merged(scored) {
  const places = new Map();
  for (const term of scored) {
    const key = `${term.seat} ${term.slot}`;
    const first = places.get(key);
    places.set(key, first ? { ...first, points: `${first.points} ${term.points}`, loss: first.loss && term.loss, lights: [...first.lights, ...term.lights] } : term);
  }
  return [...places.values()];
}

function mark(table, { seat, points, loss, slot, lights }) {
  const board = table.querySelector(`.mat [data-seat="${seat}"]`);
  if (!board) return null;
  const place = slot && board.querySelector(`.slot[data-slot="${CSS.escape(slot)}"]`);
  const box = (place || board).getBoundingClientRect();
  const pieces = lights.flatMap((lit) => [...board.querySelectorAll(`.piece[data-slot="${CSS.escape(lit)}"]`)]);
  const at = place ? [box.left + box.width / 2 - 18, box.top] : [box.left + box.width / 2, box.top + box.height * 0.12];
  return { word: written(loss ? "rise loss" : "rise", points, at), pieces };
}

/** Beside the score of a board. */
function sum(table, text, seat) {
  const score = table.querySelector(`.mat [data-seat="${seat}"] .score`);
  if (!score) return null;
  const box = score.getBoundingClientRect();
  return { word: written("sums", text, [box.left - 6, box.top + box.height / 2 - 12]), pieces: [] };
}

/** A word above the page, moved so far that it does not leave the page at a side. */
function written(className, text, [left, top]) {
  const word = document.createElement("span");
  word.className = className;
  word.ariaHidden = "true";
  word.textContent = text;
  word.style.left = `${left + scrollX}px`;
  word.style.top = `${top + scrollY}px`;
  document.body.append(word);
  const box = word.getBoundingClientRect();
  const inside = Math.max(EDGE - box.left, Math.min(0, document.documentElement.clientWidth - EDGE - box.right));
  word.style.left = `${left + scrollX + inside}px`;
  return word;
}
