// @ts-check
// Who sits around the table, and their clocks.
import { $, html } from "./dom.js";
/** @import { Ending, Frame, Seat } from "./messages" */
/** @import { Words } from "./types" */

const TICK = 500;

export class Seats {
  /** @param {Words} words */
  constructor(words) {
    this.words = words;
    /** @type {Seat[]} */
    this.seats = [];
    /** @type {number[]} milliseconds left at the time of the last frame */
    this.left = [];
    this.since = 0;
    /** @type {Ending | null} */
    this.ending = null;
  }

  /** @param {Frame} frame */
  hear({ news: { seats, ending }, clocks = [] }) {
    if (seats) this.seats = seats;
    if (ending) this.ending = ending;
    this.left = clocks;
    this.since = performance.now();
  }

  /** @param {Frame} frame */
  show(frame) {
    const list = html("ul", { className: "seats" }, ...this.seats.map((seat, number) => this.seat(seat, number, frame.to_move === number)));
    $("seats").replaceChildren(list, ...this.end());
    this.seats.forEach((seat, number) => this.card(seat, number, frame.to_move === number));
    clearInterval(this.ticking);
    const tick = () => this.tick(frame.over ? -1 : frame.to_move);
    tick();
    if (this.left.length) this.ticking = setInterval(tick, TICK);
  }

  /** @param {Seat} seat @param {number} number @param {boolean} moves */
  seat(seat, number, moves) {
    const entry = html("li", { className: moves ? "to-move" : "" });
    if (seat.bot) entry.append(html("span", { className: "chip", ariaHidden: "true", data: { bot: seat.bot } }));
    entry.append(html("b", { textContent: seat.name }), " ", html("span", { className: "quiet", textContent: seat.role }), " ");
    if (seat.strength) entry.append(html("small", { className: "quiet", textContent: seat.strength }), " ");
    entry.append(html("span", { className: "clock", data: { seat: number } }));
    return entry;
  }

  /** Who sits at a board, beside its picture. @param {Seat} seat @param {number} number @param {boolean} moves */
  card(seat, number, moves) {
    const card = /** @type {HTMLElement} */ (document.querySelector(`[data-seat-card="${number}"]`));
    const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (card.querySelector(name));
    const face = part(".face");
    face.textContent = [...seat.name][0] ?? "";
    face.dataset.bot = seat.bot ?? "";
    part(".name").textContent = seat.name;
    const place = /** @type {HTMLElement} */ (card.closest(".place"));
    part(".score-now").textContent = place.querySelector("svg .score")?.textContent ?? "";
    place.classList.toggle("to-move", moves);
  }

  end() {
    if (!this.ending) return [];
    const { seed, rematch } = this.ending;
    const parts = [];
    parts.push(html("p", { className: "fair" }, `${this.words.seed} `, html("code", { textContent: seed })));
    if (rematch) parts.push(html("p", {}, html("a", { className: "button", href: rematch, textContent: this.words.rematch })));
    return parts;
  }

  /** @param {number} mover */
  tick(mover) {
    this.left.forEach((time, seat) => {
      const places = document.querySelectorAll(`.clock[data-seat="${seat}"]`);
      const gone = seat === mover ? performance.now() - this.since : 0;
      const seconds = Math.max(0, Math.round((time - gone) / 1000));
      for (const place of places) place.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    });
  }
}
