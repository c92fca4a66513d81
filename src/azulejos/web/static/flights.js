// Flights: garnish over a complete table. Pieces that changed places fly in a straight line.
const SPEED = { slow: 900, normal: 500, fast: 250 };
const still = matchMedia("(prefers-reduced-motion: reduce)");

export function duration() {
  const { motion } = document.documentElement.dataset;
  if (motion === "off" || (motion === "system" && still.matches)) return 0;
  return SPEED[motion] ?? SPEED.normal;
}

export const motionWithheld = () => document.documentElement.dataset.motion === "system" && still.matches;

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

/** "+3" rises from the place that earned it, or from the board. */
export function rise(table, scored) {
  const time = duration();
  if (!time) return;
  scored.slice(0, 24).forEach(({ seat, points, slot }, i) => {
    const board = table.querySelector(`[data-seat="${seat}"]`);
    const place = slot && table.querySelector(`.slot[data-slot="${CSS.escape(slot)}"]`);
    if (!board || !points) return;
    const box = (place || board).getBoundingClientRect();
    const word = document.createElement("span");
    word.className = points < 0 ? "rise loss" : "rise";
    word.ariaHidden = "true";
    word.textContent = points < 0 ? `−${-points}` : `+${points}`;
    word.style.left = `${box.left + box.width / (place ? 4 : 2)}px`;
    word.style.top = `${box.top + (place ? 0 : box.height * 0.12)}px`;
    document.body.append(word);
    word.animate(
      [{ opacity: 0, transform: "translateY(12px)" }, { opacity: 1, offset: 0.2 }, { opacity: 0, transform: "translateY(-30px)" }],
      { duration: time * 3, delay: i * time * 0.3, fill: "both" },
    ).finished.catch(() => {}).then(() => word.remove());
  });
}
