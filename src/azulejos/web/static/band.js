// @ts-check
// The band above the table: what is going on, what was played last, how long a bot has been thinking.
import { $, decimal, fill, html } from "./dom.js";
import { pictured } from "./log.js";
/** @import { Frame, Lying, Seat, BotThinking, LogTurn } from "./messages" */
/** @import { Places } from "./plan.js" */
/** @import { Renderer } from "./renderer.js" */
/** @import { Words } from "./types" */

const CELL = "cell"; // the shape of places that are known by their number only
const MOST = 4; // above this, pieces of a kind are shown as a number

export class Band {
  /** @param {Places} places @param {Words} words */
  constructor(places, words) {
    this.places = places;
    this.words = words;
    /** @type {string[]} */
    this.unsaid = [];
  }

  /** @param {Frame} frame @param {LogTurn | undefined} last @param {Seat[]} seats */
  show(frame, last, seats) {
    const { headline, detail, notice, round, rounds = round } = frame.band;
    const past = !frame.live && last; // looking back: the turn that led here
    const parts = [html("strong", { textContent: past && !frame.called ? seats[last.seat].name : headline })];
    if (past) parts.push(html("span", { className: "detail" }, ...pictured(last, this.places)));
    if (past) parts.push(html("span", { className: "hidden-title", textContent: detail || "" }));
    else if (detail) parts.push(html("span", { className: "detail", textContent: detail }));
    if (notice) parts.push(html("span", { className: "notice", textContent: notice }));
    if (round) parts.push(html("span", { className: "round" }, html("span", { className: "whole", textContent: rounds }), html("span", { className: "brief", textContent: round })));
    if (last && !past) parts.push(this.last(last, seats));
    for (const place of document.querySelectorAll(".seat-card .last")) place.replaceChildren();
    if (last && frame.live) document.querySelector(`[data-seat-card="${last.seat}"] .last`)?.replaceChildren(...pictured(last, this.places));
    $("last").replaceChildren(...(last ? [html("b", { textContent: seats[last.seat].name }), " ", ...pictured(last, this.places)] : []));
    $("band").replaceChildren(...parts.flatMap((part) => [part, " "]));
    this.think(frame.thinking ?? null);
  }

  /** Nothing but a headline. @param {string} headline */
  say(headline) {
    $("band").replaceChildren(html("strong", { textContent: headline }));
    this.think(null);
  }

  /** @param {LogTurn} line @param {Seat[]} seats */
  last(line, seats) {
    const words = html("span", { className: "hidden-title" }, html("b", { textContent: seats[line.seat].name }), " ", ...pictured(line, this.places));
    return words;
  }

  /** What Confirm will do, in short: the pieces chosen first, and the place chosen last. @param {number[]} path @param {Renderer} renderer @returns {(Node | string)[]} */
  summary(path, renderer) {
    const pictures = path.length > 1 ? (renderer.lies.get(path[0]) ?? []).flatMap(([kind, , count = 1]) => [...(count > MOST ? [`${count}×`] : []), ...Array.from({ length: count > MOST ? 1 : count }, () => this.places.icon(kind))]) : [];
    const last = path.at(-1);
    if (last !== undefined && this.places.at(last).shape === CELL) return [...pictures, ...this.lying(renderer.lies.get(last) ?? [])];
    return [...pictures, last === undefined ? "" : ` ${this.places.at(last).name}`];
  }

  /** What lies in a place that has no name but its number. @param {Lying[]} pieces @returns {(Node | string)[]} */
  lying(pieces) { return pieces.slice(0, 1).flatMap((piece) => [this.places.icon(piece[0]), ` ${this.places.nameOf(piece)}`]); }

  /** @param {BotThinking | null} thinking */
  think(thinking) {
    const bar = $("progress");
    clearInterval(this.ticking);
    $("seconds").textContent = "";
    for (const animation of bar.getAnimations()) animation.cancel();
    if (!thinking) return;
    bar.animate([{ transform: "scaleX(0)" }, { transform: "scaleX(1)" }], { duration: thinking.budget, delay: -thinking.elapsed, fill: "forwards" });
    const began = performance.now() - thinking.elapsed;
    const budget = thinking.budget / 1000;
    this.ticking = setInterval(() => {
      const seconds = Math.min(budget, (performance.now() - began) / 1000);
      $("seconds").textContent = fill(this.words.thinking, { seconds: decimal(seconds), budget });
    }, 100);
  }

  /** Announces a text to screen readers; texts of the same moment are announced together. @param {string} text */
  speak(text) {
    if (!text) return;
    if (!this.unsaid.length) setTimeout(() => { $("spoken").textContent = this.unsaid.splice(0).join(" "); });
    this.unsaid.push(text);
  }

  /**
   * Show a text in the hint line, with a link to a section of the rules or (empty name) to their beginning. An error is
   * announced to screen readers too, unless it is about a place under the pointer.
   * @param {string} text @param {import("./types").Hint} [how]
   */
  hint(text, { bad = false, loses = false, section = null, quiet = false } = {}) {
    if (bad && !quiet) this.speak(text);
    $("hint").replaceChildren(...(text ? [html("span", { textContent: text })] : []));
    $("hint").classList.toggle("bad", bad);
    $("hint").classList.toggle("loses", loses);
    if (section === null) return;
    const link = $("to-rules").content.firstElementChild.cloneNode(true);
    if (section) link.href += `#${section}`;
    $("hint").append(" ", link);
  }
}
