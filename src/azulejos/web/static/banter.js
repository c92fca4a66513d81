// @ts-check
// Bots react: a line beside the face, and a face that moves. Never the same line twice in a row, and not too often.
import { html } from "./dom.js";
/** @import { Frame, GameEnd, ScoredAction, Seat } from "./messages" */
/** @import { Words } from "./types" */

const SHOWN = 5000; // milliseconds that a line stands
const APART = 15_000; // between two lines, except at the end
const MANY = 4; // pieces in one turn
const FINE = 8; // points in one go
const HURTS = -4;
const root = document.documentElement;

export class Banter {
  /** @param {Words} words */
  constructor(words) {
    this.words = words;
    this.last = "";
    this.quiet = 0;
  }

  /** What a moment gives to talk about. @param {Frame} frame @param {ScoredAction[]} scored @param {Seat[]} seats */
  hear({ news, live }, scored, seats) {
    if (root.dataset.banter === "off" || !live || news.whole) return;
    const totals = seats.map((_, seat) => scored.flatMap(({ terms }) => terms).filter(([of]) => of === seat).reduce((sum, [, points]) => sum + points, 0));
    const bot = seats.findIndex(({ bot }, seat) => bot && totals[seat] >= FINE);
    const hurt = seats.findIndex(({ bot }, seat) => !bot && totals[seat] <= HURTS);
    const turn = (news.log ?? []).at(-1);
    const taken = (turn?.steps ?? []).reduce((sum, { pieces = [] }) => Math.max(sum, ...pieces.map(([, count]) => count)), 0);
    if (turn && seats[turn.seat]?.bot && taken >= MANY) this.say(turn.seat, "gift");
    else if (bot >= 0) this.say(bot, "fine");
    else if (hurt >= 0) this.say(seats.findIndex(({ bot }) => bot), "hurt");
  }

  /** @param {GameEnd} ending @param {Seat[]} seats */
  end({ winners }, seats) {
    if (root.dataset.banter === "off") return;
    this.quiet = 0;
    const bot = seats.findIndex(({ bot }) => bot);
    this.say(bot, winners.includes(bot) ? "won" : "lost");
  }

  /** @param {number} seat @param {string} about */
  say(seat, about) {
    const now = performance.now();
    const card = document.querySelector(`[data-seat-card="${seat}"]`);
    if (!card || now < this.quiet) return;
    const lines = (this.words[`banter-${about}`] ?? "").split("|").filter((line) => line && line !== this.last);
    this.last = lines[Math.floor(Math.random() * lines.length)] ?? "";
    if (!this.last) return;
    this.quiet = now + APART;
    const bubble = html("span", { className: "bubble", ariaHidden: "true", textContent: this.last });
    const face = /** @type {HTMLElement | null} */ (card.querySelector(".face"));
    card.append(bubble);
    if (face) face.dataset.mood = about === "lost" || about === "hurt" ? "low" : "glad";
    setTimeout(() => { bubble.remove(); if (face) delete face.dataset.mood; }, SHOWN);
  }
}
