// @ts-check
// The end of a game: a card with the winner's board, the result in words and where the points came from.
import { $, html } from "./dom.js";
import { pace } from "./motion.js";
/** @import { GameEnd, Frame, Seat } from "./messages" */
/** @import { Points } from "./points.js" */

const LIGHT = 25; // milliseconds from one diagonal to the next
const GLOW = 700;
const NAMED = ["data-seat", "data-panel", "data-slot", "id", "tabindex", "role", "aria-label"];

export class Result {
  /** @param {Points} points @param {() => void} replay shows the game from its beginning */
  constructor(points, replay) {
    this.points = points;
    this.card = /** @type {HTMLDialogElement} */ ($("result"));
    this.card.addEventListener("click", ({ target }) => { if (target === this.card) this.card.close(); });
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
    $("result-boards").replaceChildren(...winners.slice(0, 1).map((seat) => this.board(seat)));
    $("result-rematch").hidden = !$("again");
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
    const pieces = [...$("result-boards").querySelectorAll(".piece")].map((piece) => ({ piece, box: piece.getBoundingClientRect() }));
    const far = (/** @type {DOMRect} */ box) => box.left + box.top;
    const first = Math.min(...pieces.map(({ box }) => far(box)));
    const tile = Math.max(1, pieces[0]?.box.width ?? 1);
    for (const { piece, box } of pieces) {
      const delay = ((far(box) - first) / tile) * LIGHT * 2;
      piece.animate([{ filter: "none" }, { filter: "brightness(1.5)", offset: 0.3 }, { filter: "none" }], { duration: GLOW, delay });
    }
  }
}
