// @ts-check
// Hints, one step a click: where to look (a glow), why, which turn (an arrow). And what the coach says after a turn.
import { $, html } from "./dom.js";
/** @import { Frame, Hinted } from "./messages" */
/** @import { Pieces } from "./pieces.js" */
/** @import { Renderer } from "./renderer.js" */
/** @import { Question, Words } from "./types" */

const root = document.documentElement;

export class Hints {
  /**
   * @param {Renderer} renderer @param {Pieces} pieces
   * @param {{ ask: (question: Question) => void, changed: () => void, say: () => void, speak: (text: string) => void, look: (slots: number[]) => void }} does
   * @param {Words} words
   */
  constructor(renderer, pieces, does, words) {
    this.renderer = renderer;
    this.pieces = pieces;
    this.does = does;
    this.words = words;
    /** @type {import("./arrow.js").Arrow | null} loaded with the first hint that points somewhere */
    this.arrow = null;
    this.ply = -1;
    /** @type {Hinted | null} */
    this.told = null;
    this.dismissed = "";
    /** What the coach says about the last turn. */
    this.warned = "";
    /** Whether this table gives hints: the button then keeps its place, so that nothing moves. */
    this.possible = !$("hint-button").hidden;
    this.offered = false;
    $("hint-button").onclick = () => {
      $("hint-button").disabled = true;
      does.ask({ do: "hint", ply: this.ply, step: (this.told?.step ?? 0) + 1 });
    };
    new MutationObserver(() => this.coach()).observe(root, { attributeFilter: ["data-coach"] });
  }

  /** Tell the server whether the coach is wanted: with every connection, and when the setting changes. */
  coach() { this.does.ask({ do: "coach", on: root.dataset.coach === "on", heard: false }); }

  /** @param {Frame} frame */
  show(frame) {
    if (frame.news.whole && root.dataset.coach === "on") this.coach();
    if (frame.ply !== this.ply || !frame.hints) this.forget();
    this.ply = frame.ply;
    this.offered = Boolean(frame.hints);
    this.enable();
    if (!frame.warned) this.dismissed = "";
    if ((frame.warned ?? "") !== this.warned) {
      this.warned = frame.warned ?? "";
      this.does.say();
    }
    this.mark();
  }

  forget() {
    this.told = null;
    this.arrow?.clear();
    for (const node of document.querySelectorAll(".hinted")) node.classList.remove("hinted");
  }

  /** @param {Hinted} told */
  hear(told) {
    if (told.ply !== this.ply) return;
    this.forget();
    this.told = told;
    this.enable();
    const lights = told.lights ?? [];
    this.does.look(lights);
    this.mark();
    this.does.say();
    this.does.speak(`${told.said.join(" ")} ${lights.map((slot) => this.renderer.places.named(slot)).join(", ")}`);
  }

  /** What is said in the bar while nothing is pointed at. */
  get spoken() { return this.told?.said.join(" ") ?? (this.dismissed === this.warned ? "" : this.warned); }

  /** Something was refused: the player may try again. */
  failed() { this.enable(); }

  enable() { $("hint-button").disabled = !this.offered || (this.told !== null && !this.told.more); }

  mark() {
    for (const slot of this.told?.lights ?? []) this.light(slot);
    const told = this.told;
    if (this.arrow || told?.arrow?.length) this.point(told);
  }

  /** @param {Hinted | null} told */
  async point(told) {
    this.arrow ??= new (await import("./arrow.js")).Arrow(this.renderer, this.pieces);
    if (told === this.told) this.arrow.show(told?.arrow ?? []);
  }

  /** @param {number} slot */
  light(slot) {
    this.renderer.nodes[slot]?.classList.add("hinted");
    for (const piece of this.pieces.nodesAt(slot)) piece.classList.add("hinted");
  }

  /** The answers to what the coach says. @param {Frame} frame @param {(text: string, act: () => void) => HTMLElement} button @param {() => void} back */
  parts({ warned = "", can_take_back: can = false }, button, back) {
    if (!warned || this.dismissed === warned) return [];
    const on = button(this.words.playOnWarned, () => {
      this.dismissed = warned;
      this.does.ask({ do: "coach", on: true, heard: true });
      this.does.say();
      this.does.changed();
    });
    return [...(can ? [button(this.words.takeBack, back)] : []), on];
  }
}
