// @ts-check
// What the moments of a finished game promised, below the eyes of whoever looks back: the chance to win as a line over
// the moves, and in numbers at the moment that is shown.
import { $, decimal, svg } from "./dom.js";
/** @import { Weighed } from "./messages" */

const [WIDE, HIGH] = [100, 30]; // of the drawing, which is stretched

export class Prospects {
  /** @param {() => void} ask @param {(index: number) => void} to */
  constructor(ask, to) {
    this.ask = ask;
    /** @type {{ index: number, last: number, seat: number } | null} the moment that is shown, and for whom */
    this.at = null;
    /** @type {Map<number, { points: number[], win: number[] }>} */
    this.known = new Map();
    const drawing = $("prospects-line");
    drawing.onclick = (/** @type {PointerEvent} */ { clientX }) => {
      const { left, width } = drawing.getBoundingClientRect();
      to(Math.round((clientX - left) / width * (this.at?.last ?? 0)));
    };
  }

  /** Somebody looks back at a finished game. @param {number} index @param {number} last */
  show(index, last) {
    if (!this.at) this.ask();
    const own = /** @type {HTMLElement} */ (document.querySelector(".own [data-seat]"));
    this.at = { index, last, seat: Number(own.dataset.seat) };
    $("prospects").hidden = false;
    this.draw();
  }

  /** @param {Weighed} heard */
  hear({ moments }) {
    for (const { stop, points, win } of moments) this.known.set(stop, { points, win });
    this.draw();
  }

  draw() {
    if (!this.at) return;
    const { index, last, seat } = this.at, known = [...this.known].sort(([one], [other]) => one - other);
    const x = (/** @type {number} */ stop) => (WIDE * stop / Math.max(1, last)).toFixed(2);
    const line = known.map(([stop, { win }]) => `${x(stop)} ${(HIGH * (1 - win[seat])).toFixed(2)}`).join("L");
    const drawn = known.length ? [svg("path", { class: "area", d: `M${x(known[0][0])} ${HIGH}L${line}V${HIGH}Z` }), svg("path", { class: "line", d: `M${line}` })] : [];
    $("prospects-line").replaceChildren(...drawn, svg("path", { class: "middle", d: `M0 ${HIGH / 2}H${WIDE}` }), svg("path", { class: "now", d: `M${x(index)} 0V${HIGH}` }));
    const here = known.filter(([stop]) => stop <= index).at(-1)?.[1];
    $("prospects-points").textContent = here ? signed(here.points[seat]) : "–";
    $("prospects-win").textContent = here ? `${Math.round(100 * here.win[seat])} %` : "–";
    $("prospects-who").textContent = document.querySelector(`[data-seat-card="${seat}"] .who`)?.textContent ?? "";
  }
}

/** @param {number} value points */
const signed = (value) => `${value < -0.05 ? "−" : value > 0.05 ? "+" : ""}${decimal(Math.abs(value))}`;
