// @ts-check
// Who sits around the table, and their clocks.
import { $, fill, html } from "./dom.js";
import { tell } from "./fair.js";
import { inSite } from "./root.js";
/** @import { GameEnd, Frame, Seat } from "./messages" */
/** @import { Words } from "./types" */

const TICK = 500;
const LOW = 30; // seconds from which a clock is red

export class Seats {
  /** @param {Words} words */
  constructor(words) {
    this.words = words;
    this.onTick = () => {};
    this.faces = ($("table").dataset.faces ?? "").split(" "); // addresses, by level; 0: the random bot
    this.replaceAfter = 1000 * Number($("table").dataset.replaceAfter); // milliseconds
    /** @type {Seat[]} */
    this.seats = [];
    /** @type {number[]} milliseconds left at the time of the last frame */
    this.left = [];
    this.since = 0;
    /** @type {GameEnd | null} */
    this.ending = null;
    /** @type {(number | null)[]} milliseconds that players had been away at the time of the last frame */
    this.away = [];
  }

  /** How long the player of a seat has been away; null: not at all. @param {number} seat */
  awayFor(seat) {
    const away = this.away[seat] ?? null;
    return away === null ? null : away + performance.now() - this.since;
  }

  /** @param {Frame} frame */
  hear({ news: { seats, ending }, clocks = [], away = [] }) {
    this.away = away;
    if (seats) this.seats = seats;
    if (ending) this.ending = ending;
    this.left = clocks;
    this.since = performance.now();
  }

  /** @param {Frame} frame */
  show(frame) {
    const list = html("ul", { className: "seats" }, ...this.seats.map((seat, number) => this.seat(seat, number, frame.to_move === number)));
    $("seats").replaceChildren(list, ...this.end());
    this.seats.forEach((seat, number) => this.card(seat, number, frame));
    clearInterval(this.ticking);
    const tick = () => this.tick(frame.over ? -1 : frame.to_move);
    tick();
    if (this.left.length || this.away.length) this.ticking = setInterval(tick, TICK);
  }

  /** @param {Seat} seat @param {number} number @param {boolean} moves */
  seat(seat, number, moves) {
    const entry = html("li", { className: moves ? "to-move" : "" });
    if (seat.bot) entry.append(html("span", { className: "chip", ariaHidden: "true", data: { bot: seat.bot } }));
    entry.append(html("b", { textContent: seat.name }), " ", html("span", { className: "quiet", textContent: seat.role }), " ");
    if (seat.strength) entry.append(html("small", { className: "quiet", textContent: seat.strength }), " ");
    entry.append(html("span", { className: "away quiet", data: { away: number } }), html("span", { className: "clock", data: { seat: number } }));
    return entry;
  }

  /** Who sits at a board, beside its picture. @param {Seat} seat @param {number} number @param {Frame} frame */
  card(seat, number, { to_move, over }) {
    const card = /** @type {HTMLElement} */ (document.querySelector(`[data-seat-card="${number}"]`));
    const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (card.querySelector(name));
    const face = part(".face");
    const look = seat.bot || seat.face || seat.name;
    if (face.dataset.look !== look) face.replaceChildren(this.face(seat)); // an image that is replaced may flicker
    face.dataset.look = look;
    face.dataset.twin = String(seat.bot ? this.seats.slice(0, number).filter(({ bot }) => bot === seat.bot).length : 0);
    part(".name").textContent = seat.name;
    card.dataset.presence = seat.kind === "human" && !seat.bot && !over ? (this.awayFor(number) === null ? "here" : "away") : "";
    const place = /** @type {HTMLElement} */ (card.closest(".place"));
    part(".score-now").textContent = place.querySelector("svg .score")?.textContent ?? "";
    place.classList.toggle("to-move", to_move === number);
  }

  /** The face of a bot, as on the page where it was chosen; the first letter of anybody else. @param {Seat} seat */
  face({ bot, face, name }) {
    if (face && !bot) return html("img", { src: inSite(`face/${face}.svg`), alt: "" });
    const level = bot === "random" ? 0 : Number(/^level:(\d)/.exec(bot ?? "")?.[1] ?? -1);
    return this.faces[level] ? html("img", { src: this.faces[level], alt: "" }) : [...name][0] ?? "";
  }

  end() {
    if (!this.ending) return [];
    const { rematch } = this.ending;
    const parts = [];
    tell(this.ending, this.words);
    if (rematch) parts.push(html("p", {}, html("a", { className: "button", href: inSite(rematch), textContent: this.words.rematch })));
    return parts;
  }

  /** @param {number} mover */
  tick(mover) {
    this.onTick();
    for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-away]"))) {
      const away = this.awayFor(Number(place.dataset.away));
      const text = away === null ? "" : fill(this.words.away, { minutes: Math.max(1, Math.round(away / 60_000)) });
      if (place.textContent !== text) place.textContent = text;
    }
    for (const form of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-for]"))) {
      form.hidden = (this.awayFor(Number(form.dataset.for)) ?? -1) < this.replaceAfter;
    }
    this.left.forEach((time, seat) => {
      const places = document.querySelectorAll(`.clock[data-seat="${seat}"]`);
      const gone = seat === mover ? performance.now() - this.since : 0;
      const seconds = Math.max(0, Math.round((time - gone) / 1000));
      for (const place of places) place.classList.toggle("low", seconds < LOW);
      const [days, hours] = [Math.floor(seconds / 86_400), Math.floor(seconds % 86_400 / 3600)];
      if (days) for (const place of places) place.textContent = fill(this.words.left, { days, hours });
      else for (const place of places) place.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
    });
  }
}
