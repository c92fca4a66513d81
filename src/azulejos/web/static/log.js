// @ts-check
// The moves, newest first, one line per turn.
import { $, fill, gainOrLoss, html, signed } from "./dom.js";
/** @import { Frame, Moves, Seat, TakenBack, LogTurn } from "./messages" */
/** @import { Places } from "./plan.js" */
/** @import { Words } from "./types" */

const SINGLY = 5; // above this, pieces of a kind are shown as a number
const SHOWN = 40;

export class Log {
  /** @param {Places} places @param {Words} words */
  constructor(places, words) {
    this.places = places;
    this.words = words;
    /** @type {LogTurn[]} */
    this.turns = [];
    this.earlier = "";
    this.shown = "";
    /** @type {TakenBack[]} */
    this.branches = [];
    this.complete = true;
    /** @type {number[]} the moments after a deal */
    this.deals = [];
  }

  /** The whole log has arrived. @param {Moves} moves */
  complement({ log }) {
    this.turns = log;
    this.earlier = "";
    this.complete = true;
    this.shown = "";
  }

  /** Add new turns; the longer version of a turn replaces its beginning. @param {Frame} frame */
  hear({ walk: { deals = [] }, news: { whole = false, log = [], earlier = "", branches = [] } }) {
    this.deals = deals;
    if (whole) {
      this.turns = [];
      this.earlier = earlier;
      this.branches = branches;
      this.complete = !earlier;
    }
    for (const turn of log) {
      if (this.turns.at(-1)?.first === turn.first) this.turns.pop();
      this.turns.push(turn);
    }
  }

  /** Show the last turns, newest first; return the last one. @param {Seat[]} seats */
  show(seats) {
    const last = this.turns.at(-1);
    const key = `${this.turns.length} ${last?.ply} ${this.branches.length} ${seats.map((seat) => seat.name)}`;
    if (key === this.shown) return last;
    this.shown = key;
    const turns = this.complete ? this.turns : this.turns.slice(-SHOWN);
    const list = html("ol", { reversed: true }, ...[...turns].reverse().flatMap((turn) => [this.line(turn, seats), ...this.takenBack(turn)]), ...this.takenBack(null));
    const notes = [last ? "" : this.words.nothing, this.earlier].filter(Boolean);
    $("log").replaceChildren(list, ...notes.map((text) => html("p", { className: "quiet", textContent: text })));
    return last;
  }

  /** The turn that led to a moment; it is marked in the list. @param {number} ply */
  mark(ply) {
    const turn = this.turns.findLast((one) => one.ply < ply);
    for (const line of /** @type {NodeListOf<HTMLElement>} */ ($("log").querySelectorAll("[data-turn]"))) {
      if (Number(line.dataset.turn) === turn?.first) line.setAttribute("aria-current", "step");
      else line.removeAttribute("aria-current");
    }
    return turn;
  }

  /** Lines that left the game at a turn, or after the last one: a button plays on from there. @param {LogTurn | null} turn */
  takenBack(turn) {
    const first = turn?.first ?? (this.turns.at(-1)?.ply ?? -1) + 1;
    const here = this.branches.filter(({ ply }) => (turn ? ply === first : ply >= first));
    return here.map(({ number, moves }) => html("li", { className: "taken-back" },
      html("span", { className: "quiet", textContent: this.words.takenBack }), " ", html("code", { textContent: moves }), " ",
      html("button", { type: "button", className: "line", textContent: this.words.playOn, data: { line: number } })));
  }

  /** @param {LogTurn} line @param {Seat[]} seats */
  line(line, seats) {
    const go = html("button", { type: "button", className: "goto", ariaLabel: fill(this.words.show, { move: told(line, seats, this.places) }), data: { stop: line.stop } }, html("code", { textContent: line.move }), html("span", { textContent: String(movesUntil(line.stop, this.deals)) }));
    const entry = html("li", { data: { turn: line.first } }, go, " ", html("b", { textContent: seats[line.seat].name }), " ", html("span", {}, ...pictured(line, this.places)));
    const points = line.points ?? [];
    if (points.length) entry.append(" ", html("span", { className: "points" }, ...points.flatMap((n) => [html("span", { className: gainOrLoss(n), textContent: signed(n) }), " "])));
    return entry;
  }
}

/** How many moves led to a moment: deals are nobody's. @param {number} stop @param {number[]} deals */
export function movesUntil(stop, deals) { return stop - deals.filter((deal) => deal <= stop).length; }

/** A turn in words: who, which pieces, which places. @param {LogTurn} line @param {Seat[]} seats @param {Places} places */
function told({ seat, steps = [], move }, seats, places) {
  const words = steps.map(({ pieces = [], name }) => [...pieces.map(([kind, count]) => `${count} ${places.plan.kinds[kind][1]}`), name].join(" "));
  return `${seats[seat].name}: ${words.join(" → ") || move}`;
}

/** A turn in pictures: what was taken, the places that were clicked, what was paid. @param {LogTurn} line @param {Places} places @returns {(Node | string)[]} */
export function pictured(line, places) {
  const { steps = [] } = line;
  if (!steps.length) return [html("code", { textContent: line.move })];
  return steps.flatMap((step, i) => [
    ...(i ? [" ", html("span", { className: "arrow", textContent: "→" }), " "] : []),
    ...(step.pieces ?? []).map(([kind, count]) => counted(kind, count, places)),
    html("span", { className: i < steps.length - 1 ? "from" : "to", textContent: step.name }),
  ]);
}

/** A few pieces side by side, more as a number; with their name for screen readers. @param {number} kind @param {number} count @param {Places} places */
function counted(kind, count, places) {
  const picture = () => places.icon(kind);
  const shown = count > SINGLY ? [html("span", { ariaHidden: "true", textContent: `${count}×` }), picture()] : Array.from({ length: count }, picture);
  return html("span", { className: "pieces", role: "img", ariaLabel: `${count} ${places.plan.kinds[kind][1]}` }, ...shown);
}
