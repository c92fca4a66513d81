// @ts-check
// Looking back: step by step at any speed, by a slider, by a link to a moment (#12).
import { $, fill, html } from "./dom.js";
import { movesUntil } from "./log.js";
import { Prospects } from "./prospects.js";
import { inSite } from "./root.js";
/** @import { Frame, ShowMoment, WeighGame } from "./messages" */
/** @import { Words } from "./types" */

const EACH = 2500; // milliseconds from one turn to the next

export class Replay {
  /** @param {string} table its id @param {(question: ShowMoment | WeighGame) => void} ask @param {Words} words */
  constructor(table, ask, words) {
    this.table = table;
    this.look = ask;
    this.prospects = new Prospects(() => ask({ do: "weigh" }), (index) => this.to(index));
    this.words = words;
    this.index = 0;
    this.last = 0;
    /** @type {number[]} the moments after a deal, which is nobody's move */
    this.deals = [];
    /** @type {number | null} the moment that the viewer chose; null: the present */
    this.chosen = linked();
    /** @type {number | null} the moment that was asked for and has not arrived */
    this.sent = null;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    this.timer = undefined;
    $("go-on").onclick = () => this.play(this.timer === undefined);
    if (new URLSearchParams(location.search).has("go")) this.play(true);
    $("moment").oninput = () => this.to(Number($("moment").value));
    addEventListener("hashchange", () => this.to(linked() ?? this.last));
  }

  /** The moment that is shown, or on its way. */
  get at() { return this.chosen ?? this.last; }

  /** @param {number} by */
  step(by) {
    this.play(false);
    this.to(this.at + by);
  }

  /** Go on by itself, turn by turn, or stop that. @param {boolean} on */
  play(on) {
    clearInterval(this.timer);
    this.timer = on ? setInterval(() => { if (!document.hidden) this.to(this.at + 1); if (this.chosen === null) this.play(false); }, EACH) : undefined;
    $("go-on").ariaPressed = String(on);
    $("go-on").textContent = on ? "❚❚" : "▶";
  }

  /** One request is on its way at a time; the newest wish is sent when it has been answered. @param {number} index */
  to(index) {
    const target = Math.min(Math.max(0, index), this.last);
    this.chosen = target < this.last ? target : null;
    history.replaceState(null, "", this.chosen === null ? location.pathname + location.search : `#${target}`);
    this.draw();
    if (this.sent === null) this.send();
  }

  send() {
    this.sent = this.at;
    this.look({ do: "look", ply: null, stop: this.chosen });
  }

  /** A frame has arrived; the first one of a connection shows the present. @param {Frame} frame */
  hear({ walk: { index, last, deals = [] }, news, more, ply, over, live }) {
    if (last !== this.last) $("deals").replaceChildren(...deals.map((deal) => html("option", { value: String(deal) })));
    this.index = index;
    this.last = last;
    this.deals = deals;
    if (news.whole && this.chosen !== null && index !== this.chosen) this.send();
    else if (this.sent !== null && !more) this.answered(index);
    this.draw();
    if (over && (!live || this.prospects.at)) this.prospects.show(index, last);
    for (const [id, file] of [["position-text", "position.txt"], ["position-picture", "position.svg"]]) $(id).href = inSite(`t/${this.table}/${file}?ply=${ply}`);
    $("link-here").value = `${location.origin}${location.pathname}#${index}`;
  }

  /** @param {number} index */
  answered(index) {
    if (index === this.at) this.sent = null;
    else this.send();
  }

  draw() {
    $("moment").max = String(this.last);
    $("moment").value = String(this.at);
    $("where").textContent = fill(this.words.where, { index: movesUntil(this.at, this.deals), last: movesUntil(this.last, this.deals) });
    $("first").disabled = $("back").disabled = this.at === 0;
    $("on").disabled = $("now").disabled = this.chosen === null;
  }
}

/** The moment in the address of the page. */
function linked() {
  const found = /^#(\d{1,5})$/.exec(location.hash);
  return found ? Number(found[1]) : null;
}
