// @ts-check
// What the judge says about the position: the bar, the five best turns, the threat.
import { $, decimal, fill, html, svg } from "./dom.js";
/** @import { Places } from "./plan.js" */
/** @import { ComparedTurn, Measured, NodeOutlook, LogStep } from "./messages" */

const REACH = 15; // points at the ends of the scale
const WIDEST = 8; // points behind the best at the end of a small bar
const CALM = 500; // milliseconds between two changes of the digits
const PIECES = 5;

export class OutlookView {
  /**
   * @param {Places} places @param {Record<string, string>} words @param {string[]} names
   * @param {(move: string) => void} play @param {(path: number[]) => void} point
   */
  constructor(places, words, names, play, point) {
    this.places = places;
    this.words = words;
    this.names = names;
    this.play = play;
    this.point = point;
    this.seat = 0;
    /** @type {NodeOutlook | null} */
    this.shown = null;
    this.when = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.later = undefined;
    $("turns").addEventListener("pointerover", (/** @type {Event} */ event) => this.pointed(event));
    $("turns").addEventListener("focusin", (/** @type {Event} */ event) => this.pointed(event));
    $("turns").addEventListener("pointerleave", () => point([]));
    $("turns").addEventListener("click", (/** @type {Event} */ { target }) => {
      const turn = this.turnOf(target);
      if (turn) play(turn.move);
    });
  }

  /** @param {EventTarget | null} target */
  turnOf(target) {
    const row = target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest("[data-turn]")) : null;
    return row ? this.shown?.turns[Number(row.dataset.turn)] : undefined;
  }

  /** @param {Event} event */
  pointed({ target }) { this.point(this.turnOf(target)?.path ?? []); }

  /** Another position: nothing is known yet. @param {number} toMove */
  clear(toMove) {
    clearTimeout(this.later);
    this.shown = null;
    this.when = 0;
    $("turns").replaceChildren();
    $("legend").textContent = "";
    $("turns-title").textContent = toMove >= 0 ? fill(this.words.turns, { name: this.names[toMove] }) : "";
    $("nojudge").hidden = true;
    $("threat").hidden = true;
    $("bar").dataset.state = "looking";
    $("steady").textContent = this.words.thinking;
  }

  /** @param {string} text */
  rest(text) {
    $("nojudge").textContent = text;
    $("nojudge").hidden = false;
    $("bar").dataset.state = "resting";
    $("steady").textContent = "";
  }

  /** Digits change at most twice a second; the last answer is always shown. @param {NodeOutlook} outlook */
  hear(outlook) {
    clearTimeout(this.later);
    const wait = outlook.finished ? 0 : this.when + CALM - Date.now();
    if (wait > 0) this.later = setTimeout(() => this.show(outlook), wait);
    else this.show(outlook);
  }

  /** @param {NodeOutlook} outlook */
  show(outlook) {
    this.shown = outlook;
    this.when = Date.now();
    this.drawBar(outlook);
    const focus = this.turnOf(document.activeElement)?.move;
    $("turns").replaceChildren(...outlook.turns.map((turn, i) => this.row(turn, i)));
    const again = outlook.turns.findIndex(({ move }) => move === focus);
    if (again >= 0) $("turns").querySelector(`[data-turn="${again}"]`)?.focus({ preventScroll: true });
    const kinds = new Set(outlook.turns.map(({ exact, proved }) => (exact ? this.words.exact : proved ? this.words.proved : "")).filter(Boolean));
    $("legend").replaceChildren(...[...kinds].flatMap((kind) => [seal(), ` ${kind}  `]), outlook.turns.some(({ exact }) => !exact) && outlook.turns.length > 1 ? `├─┤ ${this.words.interval}  ` : "", outlook.equals > 1 ? fill(this.words.equal, { n: outlook.equals }) : "");
    $("threat").hidden = !outlook.threat;
    const { text = "", pieces = [] } = outlook.threat ?? {};
    $("threat-words").replaceChildren(...this.pictures(pieces), text);
  }

  turned() { if (this.shown) this.drawBar(this.shown); }

  /** @param {NodeOutlook} outlook */
  drawBar({ points, win, kind, finished }) {
    const [own, chance] = [points[this.seat], win[this.seat]];
    const { value } = own;
    const error = (own.high - own.low) / 2;
    $("points").textContent = sign(value);
    $("interval").textContent = error > 0 ? `± ${decimal(error)}` : this.words.exact;
    $("win").textContent = percent(chance, kind === "exact");
    const at = (/** @type {number} */ number) => 50 - (50 * Math.max(-REACH, Math.min(REACH, number))) / REACH;
    const bar = $("bar").style;
    bar.setProperty("--at", String(at(value)));
    bar.setProperty("--high", String(at(own.high)));
    bar.setProperty("--low", String(at(own.low)));
    bar.setProperty("--win", String(100 * chance.value));
    $("dot").dataset.beyond = value > REACH ? "above" : value < -REACH ? "below" : "";
    $("who-name").textContent = this.names[this.seat];
    $("who-state").textContent = Math.abs(value) < 0.05 ? this.words.even : value > 0 ? this.words.ahead : this.words.behind;
    $("bar").dataset.state = finished ? "steady" : "looking";
    $("steady").textContent = finished ? `${this.words[kind === "exact" ? "exact" : kind === "estimate" ? "estimate" : "proved"]}, ${this.words.steady}` : this.words.thinking;
  }

  /** @param {ComparedTurn} turn @param {number} i */
  row(turn, i) {
    const { steps, points, exact = false, proved = false, equal = false } = turn;
    const difference = i === 0 ? this.words.best : sign(points.value);
    const words = steps.map(({ name }) => name).join(" → ");
    const sealed = exact ? this.words.exact : proved ? this.words.proved : this.words.estimate;
    const button = html("button", { type: "button", data: { turn: i } }, html("b", { textContent: String(i + 1) }),
      html("span", { className: "pictures" }, ...this.pictures(steps.flatMap((/** @type {LogStep} */ { pieces = [] }) => pieces))),
      html("span", { className: "words", textContent: words }), small(points), html("span", { className: `difference${i && !equal ? " loss" : ""}`, textContent: difference }), exact || proved ? seal() : html("span"));
    button.ariaLabel = `${i + 1}. ${words}: ${difference}, ${sealed}`;
    return html("li", {}, button);
  }

  /** @param {[number, number][]} pieces */
  pictures(pieces) {
    return pieces.flatMap(([kind, count]) => (count > PIECES ? [`${count}×`, this.places.icon(kind)] : Array.from({ length: count }, () => this.places.icon(kind))));
  }
}

/** A bar to the left of the line "best", with its interval. @param {Measured} points */
function small({ value, low, high }) {
  const at = (/** @type {number} */ number) => 96 - (92 * Math.min(WIDEST, Math.max(0, -number))) / WIDEST;
  const whisker = low < high ? [svg("path", { class: "whisker", d: `M${at(low)} 9H${at(high)}M${at(low)} 4V14M${at(high)} 4V14` })] : [];
  return svg("svg", { class: "small-bar", viewBox: "0 0 100 18", "aria-hidden": "true" }, svg("rect", { class: "behind", x: at(value), y: 6, width: 96 - at(value), height: 6, rx: 3 }), ...whisker, svg("path", { class: "best", d: "M97 1V17" }));
}

const seal = () => svg("svg", { class: "seal", viewBox: "0 0 20 20", "aria-hidden": "true" }, svg("circle", { cx: 10, cy: 10, r: 8 }), svg("path", { d: "M6 10.500l3 3 5-6" }));

/** @param {number} value */
const sign = (value) => `${value < -0.05 ? "−" : value > 0.05 ? "+" : ""}${decimal(Math.abs(value))}`;

/** Whole percent; 0 and 100 only if the game is solved. @param {Measured} chance @param {boolean} exact */
function percent({ value }, exact) {
  if (!exact && value < 0.01) return "< 1 %";
  if (!exact && value > 0.99) return "> 99 %";
  return `${Math.round(100 * value)} %`;
}
