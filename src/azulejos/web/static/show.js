// @ts-check
// The scoring show: seat by seat and line by line, pieces that count light up, a number rises and the score counts.
// Any click or key skips it. `data-show` of the page says what is going on.
import { $, html, plain, signed, gainOrLoss } from "./dom.js";
import { pace, prepared } from "./motion.js";
import { boxOf, rise } from "./rising.js";
/** @import { ScoredAction, Seat } from "./messages" */
/** @import { Pieces } from "./pieces.js" */
/** @import { Renderer } from "./renderer.js" */
/** @import { Travel } from "./types" */

const LIGHT = 60; // milliseconds from one piece to the next
const BEAT = 500; // a line: its number rises, its score counts
const REST = 120;
const PER_SEAT = 2700; // a seat with many lines is counted faster
const root = document.documentElement;

/** @typedef {{ seat: number, points: number, text: string, short: string, place: number | null, lights: number[] }} Beat one line of a seat */

/** The lines to show, seat by seat: terms of a seat with the same reason count together. @param {ScoredAction[]} scorings @returns {Beat[]} */
function beatsOf(scorings) {
  return scorings.flatMap(({ terms, reasons, short }) => {
    /** @type {Map<string, Beat>} */ const beats = new Map();
    for (const [seat, points, reason, place, lights] of terms) {
      const key = `${seat} ${reason}`;
      const beat = beats.get(key) ?? { seat, points: 0, text: reasons[reason], short: short[reason], place, lights: [] };
      beat.points += points;
      beat.lights = [...new Set([...beat.lights, ...lights])];
      beats.set(key, beat);
    }
    const order = [...new Set(terms.map(([seat]) => seat))];
    return [...beats.values()].sort((a, b) => order.indexOf(a.seat) - order.indexOf(b.seat));
  });
}

export class Show {
  /** @param {Renderer} renderer @param {Pieces} pieces */
  constructor(renderer, pieces) {
    this.renderer = renderer;
    this.pieces = pieces;
    this.over = true;
    /** @type {Set<() => void>} */
    this.waiting = new Set();
    /** @type {Set<Animation>} */
    this.rising = new Set();
    /** @type {Map<number, Element>} the place of every board, by its seat */
    this.places = new Map();
  }

  /** End the show at once: everything is where it belongs. */
  skip() {
    if (this.over) return;
    this.over = true;
    for (const wake of this.waiting) wake();
    for (const animation of this.rising) animation.finish();
  }

  /** Show what was scored, together with the journeys of the same moment. @param {ScoredAction[]} scorings @param {Travel[]} travels @param {Seat[]} seats */
  async run(scorings, travels, seats) {
    const beats = beatsOf(scorings);
    this.over = false;
    root.dataset.show = "scoring";
    this.places = this.boards();
    const above = beats.map(({ place, seat }) => boxOf((place === null ? null : this.renderer.nodes[place]) ?? this.places.get(seat)));
    const around = new Map([...this.places].map(([seat, place]) => [seat, boxOf(place)]));
    const journeys = this.assign(travels, beats);
    const landed = (journeys.get(-1) ?? []).map((go) => go());
    const scores = this.scores(scorings, seats);
    for (const [i, beat] of beats.entries()) {
      this.chips(beats, i, seats);
      landed.push(...(journeys.get(i) ?? []).map((go) => go()));
      await this.beat(beat, above[i], around.get(beat.seat) ?? null, scores, times(beats, seats.length));
    }
    this.end(scores);
    await Promise.all(landed);
  }

  /** A journey begins with the line that it belongs to: -1 for those that belong to none. @param {Travel[]} travels @param {Beat[]} beats */
  assign(travels, beats) {
    /** @type {Map<number, (() => Promise<void>)[]>} */ const journeys = new Map();
    /** @type {Map<number, number>} */ const sources = new Map();
    const ready = prepared(travels);
    const direct = travels.map((one) => beats.findIndex((beat) => beat.place === one.to));
    travels.forEach((one, i) => { if (direct[i] >= 0) sources.set(one.source, direct[i]); });
    travels.forEach((one, i) => {
      const lights = beats.findIndex((beat) => beat.lights.includes(one.source));
      const beat = direct[i] >= 0 ? direct[i] : sources.get(one.source) ?? lights;
      journeys.set(beat, [...(journeys.get(beat) ?? []), ready[i]]);
    });
    return journeys;
  }

  /** @param {Beat} beat @param {DOMRect | null} box the number rises from here @param {DOMRect | null} board and stays in here @param {Scores} scores @param {number} speed */
  async beat(beat, box, board, scores, speed) {
    for (const [seat, place] of this.places) place.classList.toggle("waits", seat !== beat.seat);
    const lit = beat.lights.flatMap((slot) => this.pieces.nodesAt(slot));
    const { word, animation } = box ? rise(beat.points, box, board) : { word: null, animation: null };
    if (animation) this.rising.add(animation);
    const counted = scores.count(beat.seat, beat.points, this.over ? 0 : BEAT * speed);
    for (const piece of lit) {
      piece.classList.add("lit");
      if (lit.length > 1) await this.wait(Math.min(LIGHT, BEAT / 2 / lit.length) * speed);
    }
    await this.wait(BEAT * speed - Math.min(LIGHT * lit.length, BEAT / 2) * speed);
    counted();
    await this.wait(REST * speed);
    for (const piece of lit) piece.classList.remove("lit");
    if (animation) this.rising.delete(animation);
    word?.remove();
  }

  /** What was counted so far, line by line: it covers the bar, whose buttons have to wait. @param {Beat[]} beats @param {number} now @param {Seat[]} seats */
  chips(beats, now, seats) {
    if (this.over) return;
    const { seat, text } = beats[now];
    const first = beats.findIndex((beat) => beat === beats[now] || (beat.seat === seat && beats.indexOf(beat) <= now));
    const own = beats.slice(first).filter((beat) => beat.seat === seat);
    const chips = own.map((beat) => {
      const at = beats.indexOf(beat);
      return html("span", { className: `term ${at < now ? "counted" : at === now ? "now" : ""}`, title: beat.text }, beat.short, " ",
        html("b", { className: gainOrLoss(beat.points), textContent: at > now ? "·" : signed(beat.points) }));
    });
    const line = html("span", { className: "terms", ariaHidden: "true" }, ...chips);
    $("counts").replaceChildren(html("b", { className: "whose", ariaHidden: "true", textContent: seats[seat]?.name ?? "" }), line, /** @type {HTMLTemplateElement} */ ($("skip-show")).content.cloneNode(true));
    $("counts").hidden = false;
    root.dataset.beat = `${now + 1} of ${beats.length}: ${text}`;
  }

  /** @param {ScoredAction[]} scorings @param {Seat[]} seats */
  scores(scorings, seats) { return new Scores(seats.map((_, seat) => scorings[0].before[seat])); }

  /** The place of every board, by its seat. @returns {Map<number, Element>} */
  boards() {
    return new Map([...document.querySelectorAll("svg[data-seat]")].map((board) => [Number(/** @type {SVGElement} */ (board).dataset.seat), board.closest(".place") ?? board]));
  }

  /** @param {Scores} scores */
  end(scores) {
    this.over = true;
    scores.finish();
    for (const place of this.places.values()) place.classList.remove("waits");
    $("counts").hidden = true;
    $("counts").replaceChildren();
    delete root.dataset.show;
    delete root.dataset.beat;
    root.dataset.shows = String(Number(root.dataset.shows ?? 0) + 1);
  }

  /** @param {number} time @returns {Promise<void>} */
  wait(time) {
    if (this.over) return Promise.resolve();
    return new Promise((resolve) => {
      const wake = () => { clearTimeout(timer); this.waiting.delete(wake); resolve(); };
      const timer = setTimeout(wake, time);
      this.waiting.add(wake);
    });
  }
}

/** How much faster than usual, so that the whole show stays short. @param {Beat[]} beats @param {number} seats */
function times(beats, seats) {
  return Math.min(1, (PER_SEAT * seats) / (beats.length * (BEAT + REST))) * (pace() || 1);
}

/** The scores on the boards while they count. */
class Scores {
  /** @param {number[]} before */
  constructor(before) {
    this.now = before;
    /** @type {Map<Element, string>} what is written there afterwards */
    this.texts = new Map();
    before.forEach((score, seat) => {
      for (const node of this.nodes(seat)) this.texts.set(node, node.textContent ?? "");
      this.write(seat, score);
    });
  }

  /** @param {number} seat */
  nodes(seat) { return document.querySelectorAll(`svg[data-seat="${seat}"] .score, [data-seat-card="${seat}"] .score-now`); }

  /** @param {number} seat @param {number} score */
  write(seat, score) {
    const text = plain(score);
    for (const node of this.nodes(seat)) if (this.texts.has(node) && node.textContent !== text) node.textContent = text;
  }

  /** Count a seat's score; the returned function ends it. @param {number} seat @param {number} points @param {number} time */
  count(seat, points, time) {
    const from = this.now[seat];
    const began = performance.now();
    this.now[seat] += points;
    let frame = 0;
    const step = () => {
      const part = Math.min(1, (performance.now() - began) / time);
      this.write(seat, from + Math.round(points * part));
      if (part < 1) frame = requestAnimationFrame(step);
    };
    if (time) frame = requestAnimationFrame(step);
    for (const node of this.nodes(seat)) node.classList.add("counting");
    return () => {
      cancelAnimationFrame(frame);
      this.write(seat, from + points);
      for (const node of this.nodes(seat)) node.classList.remove("counting");
    };
  }

  finish() {
    for (const [node, text] of this.texts) node.textContent = text;
  }
}
