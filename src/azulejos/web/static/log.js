// @ts-check
// The moves, newest first, one line a turn.
import { $, fill, gainOrLoss, html, icon, signed } from "./dom.js";
/** @import { Frame, LogLine, Seat } from "./messages" */
/** @import { Places } from "./plan.js" */
/** @import { Words } from "./types" */

const SINGLY = 5; // more pieces of a kind are shown as a number
const SHOWN = 40;

export class Log {
  /** @param {Places} places @param {Words} words */
  constructor(places, words) {
    this.places = places;
    this.words = words;
    /** @type {LogLine[]} */
    this.lines = [];
    /** @type {{ count: number, text: string }} turns before the first one here */
    this.earlier = { count: 0, text: "" };
    this.shown = "";
  }

  /** @param {Frame} frame */
  hear({ whole = false, log = [], earlier = { count: 0, text: "" } }) {
    if (whole) {
      this.lines = [];
      this.earlier = earlier;
    }
    for (const line of log) {
      if (this.lines.at(-1)?.first === line.first) this.lines.pop();
      this.lines.push(line);
    }
  }

  /** The last turns of a moment. @param {number} logged how many of all turns belong to it @param {Seat[]} seats */
  show(logged, seats) {
    const until = this.lines.slice(0, Math.max(0, logged - this.earlier.count));
    const key = `${logged} ${until.at(-1)?.ply} ${seats.map((seat) => seat.name)}`;
    if (key === this.shown) return until.at(-1);
    this.shown = key;
    const list = html("ol", { reversed: true }, ...until.slice(-SHOWN).reverse().map((line) => this.line(line, seats)));
    const notes = [until.length ? "" : this.words.nothing, this.earlier.text].filter(Boolean);
    $("log").replaceChildren(list, ...notes.map((text) => html("p", { className: "quiet", textContent: text })));
    return until.at(-1);
  }

  /** @param {LogLine} line @param {Seat[]} seats */
  line(line, seats) {
    const go = html("button", { type: "button", className: "goto", ariaLabel: fill(this.words.show, { move: line.move }), data: { ply: line.ply + 1 } }, html("code", { textContent: line.move }));
    const entry = html("li", { data: { turn: line.first } }, go, " ", html("b", { textContent: seats[line.seat].name }), " ", html("span", {}, ...pictured(line, this.places)));
    const points = line.points ?? [];
    if (points.length) entry.append(" ", html("span", { className: "points" }, ...points.flatMap((n) => [html("span", { className: gainOrLoss(n), textContent: signed(n) }), " "])));
    return entry;
  }
}

/** A turn in pictures: what was taken, the places that were clicked, what was paid. @param {LogLine} line @param {Places} places @returns {Node[]} */
export function pictured(line, places) {
  if (!line.steps.length) return [html("code", { textContent: line.move })];
  return line.steps.flatMap((step, i) => [
    ...(i ? [html("span", { className: "arrow", ariaHidden: "true", textContent: " → " })] : []),
    ...step.pieces.map(([kind, count]) => counted(kind, count, places)),
    html("span", { textContent: step.name }),
  ]);
}

/** Some pieces side by side, more as a number; with their name for whoever listens. @param {number} kind @param {number} count @param {Places} places */
function counted(kind, count, { plan }) {
  const [id, name] = plan.kinds[kind];
  const picture = () => icon(id, plan.theme);
  const shown = count > SINGLY ? [html("span", { ariaHidden: "true", textContent: `${count}×` }), picture()] : Array.from({ length: count }, picture);
  return html("span", { className: "pieces", role: "img", ariaLabel: `${count} ${name}` }, ...shown);
}
