// @ts-check
// Where the points came from: one scoring after the other during the game, by heading at its end.
import { $, gainOrLoss, html, plain, signed } from "./dom.js";
/** @import { Breakdown, Frame, ScoredAction, Seat } from "./messages" */
/** @import { Words } from "./types" */

export class Points {
  /** @param {Words} words */
  constructor(words) {
    this.words = words;
    /** @type {ScoredAction[]} by ply */
    this.scorings = [];
    /** @type {Breakdown | null} */
    this.breakdown = null;
    this.seen = 0;
    this.shown = "";
  }

  /** Add the scorings of a frame; return all since the previous frame. @param {Frame} frame */
  hear({ news: { whole = false, scored = [], ending = null }, seen }) {
    if (whole) {
      this.scorings = [];
      this.breakdown = null;
    }
    for (const scoring of scored) {
      const known = this.scorings.findIndex(({ ply }) => ply >= scoring.ply);
      if (known >= 0) this.scorings.splice(known);
      this.scorings.push(scoring);
    }
    if (ending) this.breakdown = ending.breakdown;
    const since = whole ? seen : this.seen;
    this.seen = seen;
    return this.scorings.filter(({ ply }) => ply >= since && ply < seen);
  }

  /** @param {Frame} frame @param {Seat[]} seats */
  show(frame, seats) {
    const scorings = this.scorings.filter(({ ply }) => ply < frame.seen);
    const key = `${scorings.map(({ ply }) => ply)} ${seats.map((seat) => seat.name)}`;
    if (key !== this.shown) {
      this.shown = key;
      const tables = scorings.map((scoring) => this.table(scoring, seats)).reverse();
      $("tally").replaceChildren(...(tables.length ? tables : [html("p", { className: "quiet", textContent: this.words.unscored })]));
    }
    $("breakdown").replaceChildren(...(frame.over && frame.live && this.breakdown ? this.tables(this.breakdown, seats) : []));
  }

  /** @param {ScoredAction} scoring @param {Seat[]} seats */
  table({ before, reasons, terms }, seats) {
    const rows = seats.flatMap((seat, number) => {
      const own = terms.filter(([who]) => who === number);
      if (!own.length) return [];
      const after = own.reduce((sum, [, points]) => sum + points, before[number]);
      const sum = html("td", { className: "sum" }, plain(before[number]), ...own.flatMap(([, points]) => [" ", html("span", { className: gainOrLoss(points), textContent: `${points < 0 ? "−" : "+"} ${Math.abs(points)}` })]),
        " ", html("span", { className: "total" }, "= ", html("b", { textContent: plain(after) })));
      const why = [...new Set(own.map(([, , reason]) => reason))].map((reason) => [reasons[reason], ...own.filter((term) => term[2] === reason).map(([, points]) => signed(points))].join(" "));
      return [html("tr", {}, html("th", { scope: "row", textContent: seat.name }), sum, html("td", { className: "why", textContent: why.join("; ") }))];
    });
    return html("table", {}, html("tbody", {}, ...rows));
  }

  /** The breakdown at the end of the game, wide for a desktop and tall for a phone. @param {Breakdown} breakdown @param {Seat[]} seats */
  tables(breakdown, seats) {
    return [html("div", { className: "wide" }, this.wide(breakdown, seats)), html("div", { className: "tall" }, this.tall(breakdown, seats))];
  }

  /** A row for every seat. @param {Breakdown} breakdown @param {Seat[]} seats */
  wide({ kinds, points }, seats) {
    return this.grid([...kinds, this.words.sum], seats.map((seat, i) => this.row(seat.name, [...points[i].map(cell), sum(points[i])])));
  }

  /** A column for every seat. @param {Breakdown} breakdown @param {Seat[]} seats */
  tall({ kinds, points }, seats) {
    return this.grid(seats.map((seat) => seat.name), [
      ...kinds.map((kind, i) => this.row(kind, points.map((row) => cell(row[i])))),
      this.row(this.words.sum, points.map(sum), "total"),
    ]);
  }

  /** @param {string[]} heads @param {HTMLElement[]} rows */
  grid(heads, rows) {
    const head = html("tr", {}, html("td"), ...heads.map((text) => html("th", { scope: "col", textContent: text })));
    return html("table", {}, html("caption", { textContent: this.words.breakdown }), html("thead", {}, head), html("tbody", {}, ...rows));
  }

  /** @param {string} name @param {HTMLElement[]} cells @param {string} [className] */
  row(name, cells, className = "") {
    return html("tr", { className }, html("th", { scope: "row", textContent: name }), ...cells);
  }
}

/** @param {number} points */
const cell = (points) => html("td", { className: points < 0 ? "loss" : "", textContent: points ? signed(points) : "–" });

/** @param {number[]} row */
const sum = (row) => html("td", {}, html("b", { textContent: plain(row.reduce((all, one) => all + one, 0)) }));
