// @ts-check
// A node for every piece. A frame says which pieces are where; this module works out which node went where.
import { svg } from "./dom.js";
/** @import { Places } from "./plan.js" */
/** @import { Renderer } from "./renderer.js" */
/** @import { Lying } from "./messages" */
/** @import { Spot, Travel } from "./types" */

const LOOKS = 6; // handmade pieces differ: a little tilt, a hair crack (look.css)
/** @type {[string, number][]} the pieces below the top of a stack, lowest first: where they lie, and from which count on */
const UNDER = [["translate(-17 -9) rotate(-9)", 3], ["translate(-9 -5) rotate(6)", 2]];
const MOST = 8; // at most this many pieces travel singly into or out of one stack

const NOWHERE = { x: 0, y: 0, scale: 0 };

/** @typedef {{ node: SVGGElement, carrier: SVGGElement, kind: number, slot: number, spot: number, count: number, turn: number }} Token */
/** @typedef {{ slot: number, piece: Lying, kind: number, units: number, token: Token | null }} Arrival what came to a place */
/** @typedef {{ slot: number, kind: number, units: number, token: Token, leaves: boolean }} Departure what left a place */

export class Pieces {
  /** @param {Places} places @param {Renderer} renderer */
  constructor(places, renderer) {
    this.places = places;
    this.renderer = renderer;
    /** @type {Map<number, Token[]>} */
    this.tokens = new Map();
    this.made = 0;
  }

  /**
   * Update the nodes to the pieces that are there now; return the journeys, in order.
   * @param {Map<number, Lying[]>} lies changed places only @returns {Travel[]}
   */
  show(lies) {
    /** @type {Departure[]} */ const departures = [];
    /** @type {Arrival[]} */ const arrivals = [];
    for (const [slot, pieces] of lies) this.compare(slot, pieces, departures, arrivals);
    const starts = new Map(departures.map((one) => [one, this.spotOf(one.token)]));
    const travels = this.join(departures, arrivals, starts);
    for (const arrival of arrivals) if (!arrival.token) travels.push(this.appear(arrival));
    for (const one of departures) if (one.leaves && one.units > 0) one.token.node.remove();
    return travels;
  }

  /** Pieces that stay keep their nodes; the others are departures or arrivals. @param {number} slot @param {Lying[]} pieces @param {Departure[]} departures @param {Arrival[]} arrivals */
  compare(slot, pieces, departures, arrivals) {
    const free = [...(this.tokens.get(slot) ?? [])];
    this.tokens.set(slot, []);
    const take = (/** @type {(token: Token) => boolean} */ fits) => {
      const index = free.findIndex(fits);
      return index < 0 ? null : free.splice(index, 1)[0];
    };
    const same = pieces.map(([kind, spot = 0]) => take((token) => token.kind === kind && token.spot === spot));
    pieces.forEach((piece, i) => {
      const [kind, , count = 1] = piece;
      const token = same[i] ?? take((other) => other.kind === kind);
      if (!token) { arrivals.push({ slot, piece, kind, units: count, token: null }); return; }
      if (count > token.count) arrivals.push({ slot, piece, kind, units: count - token.count, token });
      if (count < token.count) departures.push({ slot, kind, units: token.count - count, token, leaves: false });
      this.put(token, slot, piece);
    });
    for (const token of free) departures.push({ slot, kind: token.kind, units: token.count, token, leaves: true });
  }

  /** Match departures with arrivals of the same kind, the nearest first. @param {Departure[]} departures @param {Arrival[]} arrivals @param {Map<Departure, Spot>} starts */
  join(departures, arrivals, starts) {
    const pairs = departures.flatMap((gone) => arrivals.filter((come) => come.kind === gone.kind).map((come) => ({ gone, come, apart: this.apart(gone.slot, come.slot) })));
    /** @type {Travel[]} */ const travels = [];
    for (const { gone, come } of pairs.sort((a, b) => a.apart - b.apart)) {
      const units = Math.min(gone.units, come.units);
      if (!units) continue;
      const from = /** @type {Spot} */ (starts.get(gone));
      gone.units -= units;
      come.units -= units;
      for (let i = 0; i < Math.min(units, MOST); i += 1) travels.push(this.travel(gone, come, from));
    }
    return travels;
  }

  /** One travelling piece: it stays at its destination or merges into a stack there. @param {Departure} gone @param {Arrival} come @param {Spot} from @returns {Travel} */
  travel(gone, come, from) {
    const whole = gone.leaves && gone.units === 0 && gone.token.node.isConnected && this.tokens.get(gone.token.slot)?.includes(gone.token) !== true;
    if (!come.token) {
      come.token = whole && !gone.token.node.dataset.used ? gone.token : this.make(come.kind);
      if (come.token === gone.token) gone.token.node.dataset.used = "1";
      this.put(come.token, come.slot, come.piece);
      return { node: come.token.node, from, merges: false, ...this.way(gone.slot, come.slot) };
    }
    const traveller = whole && !gone.token.node.dataset.used ? gone.token : this.make(come.kind);
    traveller.node.dataset.used = "1";
    this.draw(traveller, come.slot, [come.kind, come.piece[1] ?? 0, 1, come.piece[3] ?? 0]);
    return { node: traveller.node, from, merges: true, ...this.way(gone.slot, come.slot) };
  }

  /** From place to place: within a panel, or dealt from the supply to the offer. @param {number} source @param {number} to */
  way(source, to) {
    const [from, there] = [source, to].map((slot) => this.places.planned[slot].panel);
    const shared = [from, there].every((panel) => this.places.plan.panels[panel].seat === null);
    return { source, to, within: from === there, dealt: shared && from !== there };
  }

  /** A piece that comes from nowhere: it was drawn from a bag that shows no pieces. @param {Arrival} arrival @returns {Travel} */
  appear(arrival) {
    arrival.token = this.make(arrival.kind);
    this.put(arrival.token, arrival.slot, arrival.piece);
    return { node: arrival.token.node, from: NOWHERE, merges: false, source: -1, to: arrival.slot, within: false, dealt: true };
  }

  /** @param {number} kind @returns {Token} */
  make(kind) {
    const carrier = svg("g", { class: "carrier" }, svg("use", { href: this.places.symbol(kind) }));
    this.made += 1;
    const node = svg("g", { class: "piece", "data-kind": this.places.plan.kinds[kind][0], "data-look": this.made % LOOKS, "aria-hidden": "true" }, carrier);
    return { node, carrier, kind, slot: -1, spot: 0, count: 1, turn: 0 };
  }

  /** Put a piece into a place. @param {Token} token @param {number} slot @param {Lying} piece */
  put(token, slot, piece) {
    delete token.node.dataset.used;
    this.draw(token, slot, piece);
    /** @type {Token[]} */ (this.tokens.get(slot)).push(token);
  }

  /** @param {Token} token @param {number} slot @param {Lying} piece */
  draw(token, slot, [, spot = 0, count = 1, turn = 0]) {
    const { x, y, size } = this.places.middle(slot, spot);
    const angle = turn + this.places.at(slot).turn;
    Object.assign(token, { slot, spot, turn });
    token.node.dataset.slot = this.places.planned[slot].id;
    token.node.setAttribute("transform", `translate(${x} ${y})${angle ? ` rotate(${angle})` : ""}${size === 1 ? "" : ` scale(${size})`}`);
    const layer = this.renderer.panels[this.places.planned[slot].panel].layers.pieces;
    // Where pieces of a place overlap, the first one lies on top.
    const above = this.tokens.get(slot)?.find((other) => other !== token && other.spot < spot && other.node.parentNode === layer);
    if (above || token.node.parentNode !== layer) layer.insertBefore(token.node, above?.node ?? null);
    if (token.count !== count || !count) this.number(token, count);
  }

  /** Put the pieces of a panel where its places are now. @param {number} panel */
  reshape(panel) {
    for (const token of [...this.tokens.values()].flat()) {
      if (this.places.planned[token.slot].panel === panel) this.draw(token, token.slot, [token.kind, token.spot, token.count, token.turn]);
    }
  }

  /** @param {Token} token @param {number} count */
  number(token, count) {
    token.count = count;
    for (const old of token.carrier.querySelectorAll(".under, .count, .count-text")) old.remove();
    if (count === 1) return;
    token.carrier.prepend(...UNDER.filter(([, least]) => count >= least).map(([transform]) => svg("use", { class: "under", href: this.places.symbol(token.kind), transform })));
    const text = svg("text", { class: "count-text", x: 32, y: 42, "font-size": 38, "text-anchor": "middle" });
    text.textContent = String(count);
    token.carrier.append(svg("circle", { class: "count", cx: 32, cy: 29, r: 26 }), text);
  }

  /** @param {number} slot */
  nodesAt(slot) { return (this.tokens.get(slot) ?? []).map((token) => token.node); }

  /** Where a piece is on the screen, even during a journey. @param {Token} token @returns {Spot} */
  spotOf(token) {
    const at = token.carrier.getScreenCTM();
    return at ? { x: at.e, y: at.f, scale: Math.hypot(at.a, at.b) } : NOWHERE;
  }

  /** The distance within a panel; a place in another panel counts as farther than any in the same one. @param {number} one @param {number} other */
  apart(one, other) {
    const [a, b] = [this.places.planned[one], this.places.planned[other]];
    return a.panel === b.panel ? Math.hypot(a.x - b.x, a.y - b.y) : 1e9;
  }
}
