// @ts-check
// The end of a game: a card with every board, the result in words and where the points came from.
import { $, html } from "./dom.js";
import { pace } from "./motion.js";
/** @import { GameEnd, Frame, Seat } from "./messages" */
/** @import { Points } from "./points.js" */
/** @import { Words } from "./types" */

const TALL = 0.8; // of its width: such boards stand side by side
const LIGHT = 25; // milliseconds from one diagonal to the next
const GLOW = 700;
const NAMED = ["data-seat", "data-panel", "data-slot", "id", "tabindex", "role", "aria-label"];

export class Result {
  /** @param {Points} points @param {() => void} replay shows the game from its beginning @param {Words} words */
  constructor(points, replay, words) {
    this.points = points;
    this.words = words;
    this.card = /** @type {HTMLDialogElement} */ ($("result"));
    // Only a click that began here: one that skipped the show may end on the card.
    this.card.addEventListener("pointerdown", ({ target }) => { this.pressed = target; });
    this.card.addEventListener("click", ({ target }) => { if (target === this.card && this.pressed === target) this.card.close(); });
    this.card.addEventListener("close", () => this.closed());
    $("result-close").onclick = () => this.card.close();
    $("result-replay").onclick = () => { this.card.close(); replay(); };
    $("result-rematch").onclick = () => $("again").requestSubmit();
  }

  /** @param {Frame} frame @param {GameEnd} ending @param {Seat[]} seats */
  open({ band }, { breakdown, winners }, seats) {
    $("result-words").textContent = band.headline;
    $("result-detail").textContent = band.detail ?? "";
    $("result-points").replaceChildren(this.points.tall(breakdown, seats));
    const [first = 0] = winners;
    const others = seats.map((_, seat) => seat).filter((seat) => seat !== first);
    $("result-boards").replaceChildren(this.figure(first, seats), ...others.map((seat) => this.figure(seat, seats)));
    $("result-boards").dataset.others = String(others.length);
    $("result-yours").textContent = this.said(winners, seats);
    $("result-rematch").hidden = !$("again");
    this.pressed = null;
    this.card.showModal();
    this.card.scrollTop = 0; // the button that has the focus may be below the fold
    document.documentElement.dataset.result = "open";
    if (pace()) this.light();
  }

  /** What the others would like: the card covers the band. @param {string} text */
  asked(text) {
    if ($("result-asked").textContent !== text) $("result-asked").textContent = text;
  }

  closed() {
    delete document.documentElement.dataset.result;
    $("result-boards").replaceChildren();
    /** @type {HTMLElement | null} */ ($("again")?.querySelector("button") ?? $("back"))?.focus({ preventScroll: true });
  }

  /** What the game meant to the only person at this page who played it. @param {number[]} winners @param {Seat[]} seats */
  said(winners, seats) {
    const own = seats.flatMap((seat, number) => (seat.own ? [number] : []));
    if (own.length !== 1) return "";
    return winners.includes(own[0]) ? this.words.won : this.words.defeat;
  }

  /** A board with the name of its player. @param {number} seat @param {Seat[]} seats */
  figure(seat, seats) {
    const score = document.querySelector(`svg[data-seat="${seat}"] .score, [data-seat-card="${seat}"] .score-now`)?.textContent ?? "";
    const board = this.board(seat);
    const name = board.querySelector(".called"); // of no size in forms that have no room for it
    const named = Boolean(name?.textContent) && Number(name?.getAttribute("font-size")) > 0;
    const { width, height } = board.viewBox.baseVal;
    return html("figure", { className: height > TALL * width ? "tall" : named ? "named" : "" }, board, html("figcaption", {}, html("b", { textContent: seats[seat].name }), " ", html("span", { textContent: score })));
  }

  /** A copy of a board, only to look at. @param {number} seat */
  board(seat) {
    const board = /** @type {SVGSVGElement} */ (document.querySelector(`.mat svg[data-seat="${seat}"]`)).cloneNode(true);
    const picture = /** @type {SVGSVGElement} */ (board);
    for (const node of [picture, ...picture.querySelectorAll("*")]) for (const name of NAMED) node.removeAttribute(name);
    picture.setAttribute("aria-hidden", "true");
    for (const node of picture.querySelectorAll(".foreseen, .ghost, .key")) node.remove();
    return picture;
  }

  /** A light goes over the pieces, along the diagonals. */
  light() {
    const pieces = [...$("result-boards").querySelectorAll("figure:first-child .piece")].map((piece) => ({ piece, box: piece.getBoundingClientRect() }));
    const far = (/** @type {DOMRect} */ box) => box.left + box.top;
    const first = Math.min(...pieces.map(({ box }) => far(box)));
    const tile = Math.max(1, pieces[0]?.box.width ?? 1);
    for (const { piece, box } of pieces) {
      const delay = ((far(box) - first) / tile) * LIGHT * 2;
      piece.animate([{ filter: "none" }, { filter: "brightness(1.5)", offset: 0.3 }, { filter: "none" }], { duration: GLOW, delay });
    }
  }
}
