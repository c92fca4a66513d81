// @ts-check
// Dragging: the chosen pieces follow the pointer to a place that continues the move. A drop elsewhere takes them back.
import { release } from "./motion.js";
/** @import { Dialogue } from "./dialogue.js" */
/** @import { Pieces, Token } from "./pieces.js" */
/** @import { Places } from "./plan.js" */
/** @import { Renderer } from "./renderer.js" */
/** @import { Travel } from "./types" */

const NEAR = 6; // pixels that a press may move before it is a drag
const REACH = 10; // pixels around a place that still belong to it
const APART = 72; // from one dragged piece to the next; a tile is 100
const WIDEST = 260;
const RAISED = 1.08;

export class Drag {
  /**
   * @param {HTMLElement} table @param {Places} places @param {Renderer} renderer @param {Pieces} pieces @param {Dialogue} dialogue
   * @param {() => void} undo takes back a step that lifted a piece
   */
  constructor(table, places, renderer, pieces, dialogue, undo) {
    this.places = places;
    this.renderer = renderer;
    this.pieces = pieces;
    this.dialogue = dialogue;
    this.undo = undo;
    /** @type {SVGGElement[]} the carriers of the dragged pieces */
    this.held = [];
    this.x = this.y = 0;
    this.source = -1;
    /** Not pressed, pressed, dragging, or dragging a piece whose lifting is a step that has not been answered yet. */
    this.state = "";
    this.dropped = false;
    this.lifted = false;
    this.swallow = false;
    this.listen(table);
  }

  /** @param {HTMLElement} table */
  listen(table) {
    table.addEventListener("pointerdown", (event) => this.press(event));
    addEventListener("pointermove", (event) => this.move(event));
    addEventListener("pointerup", (event) => { if (event.isPrimary) this.drop(); });
    addEventListener("pointercancel", (event) => { if (event.isPrimary) this.cancel(); });
    // A finger on a piece that can be dragged does not scroll the page.
    table.addEventListener("touchmove", (event) => { if (this.state) event.preventDefault(); }, { passive: false });
    addEventListener("click", (event) => { if (this.swallow) event.stopPropagation(); this.swallow = false; }, true);
  }

  get dragging() { return this.state === "dragging" || this.state === "lifting"; }

  /** @param {PointerEvent} event */
  press(event) {
    this.swallow = false;
    if (!event.isPrimary || event.button || this.dragging) return;
    this.source = this.dialogue.begins(this.dialogue.slotOf(event.target));
    if (this.source < 0 || !this.pieces.nodesAt(this.source).length) return;
    this.state = "pressed";
    [this.x, this.y] = [event.clientX, event.clientY];
  }

  /** @param {PointerEvent} event */
  move(event) {
    if (!this.state || !event.isPrimary) return;
    const { clientX: x, clientY: y } = event;
    if (this.state === "pressed") {
      if (Math.hypot(x - this.x, y - this.y) < NEAR) return;
      this.begin();
    }
    [this.x, this.y] = [x, y];
    this.follow();
    if (this.state === "dragging") this.dialogue.point(this.targetAt(x, y));
  }

  begin() {
    this.hold(this.pieces.tokens.get(this.source) ?? []);
    this.state = this.dialogue.lift(this.source) ? "dragging" : "lifting";
    this.dropped = false;
    this.swallow = true;
    document.documentElement.dataset.drag = "";
  }

  /** @param {Token[]} tokens */
  hold(tokens) {
    for (const carrier of this.held) release(carrier);
    this.held = tokens.map((token) => token.carrier);
    for (const carrier of this.held) {
      for (const animation of carrier.getAnimations()) animation.cancel();
      carrier.closest(".piece")?.classList.add("dragged");
      carrier.closest(".place")?.classList.add("arriving");
    }
  }

  /** Move the pieces to the pointer, side by side. */
  follow() {
    const apart = Math.min(APART, WIDEST / this.held.length);
    this.held.forEach((carrier, i) => {
      const here = /** @type {SVGGElement} */ (carrier.parentNode).getScreenCTM();
      if (!here) return;
      const { x, y } = new DOMPoint(this.x, this.y).matrixTransform(here.inverse());
      const size = RAISED * Math.max(1, this.sizeThere() / Math.hypot(here.a, here.b));
      carrier.style.transform = `translate(${x + (i - (this.held.length - 1) / 2) * apart * size}px, ${y}px) scale(${size})`;
    });
  }

  /** Pixels per unit where the pieces may go: they are as large in the hand as they will be there. */
  sizeThere() {
    const there = this.renderer.nodes[this.dialogue.targets()[0] ?? -1]?.getScreenCTM();
    return there ? Math.hypot(there.a, there.b) : 0;
  }

  /** The place at a point that continues the move, or -1. @param {number} x @param {number} y */
  targetAt(x, y) {
    const targets = this.dialogue.targets();
    const exact = this.places.meant(this.dialogue.slotOf(document.elementFromPoint(x, y)), targets);
    return exact >= 0 ? exact : this.nearest(x, y, targets);
  }

  /** @param {number} x @param {number} y @param {number[]} targets */
  nearest(x, y, targets) {
    let [best, least] = [-1, Infinity];
    for (const slot of targets) {
      const box = this.renderer.nodes[slot]?.getBoundingClientRect();
      if (!box || x < box.left - REACH || x > box.right + REACH || y < box.top - REACH || y > box.bottom + REACH) continue;
      const far = Math.hypot(x - (box.left + box.right) / 2, y - (box.top + box.bottom) / 2);
      if (far < least) [best, least] = [slot, far];
    }
    return best;
  }

  drop() {
    if (this.state === "pressed") this.state = "";
    if (!this.dragging) return;
    if (this.state === "lifting") { this.dropped = true; return; } // the answer says where it may go
    const target = this.targetAt(this.x, this.y);
    this.end();
    if (target < 0) { this.back(); return; }
    this.lifted = false;
    this.dialogue.step(target);
  }

  cancel() {
    if (!this.dragging) { this.state = ""; return; }
    this.end();
    this.back();
  }

  /** The pieces return, and so does the choice. */
  back() {
    const lifted = this.lifted;
    this.lifted = false;
    this.letGo();
    if (lifted) this.undo();
    else this.dialogue.back();
  }

  /** The hand is empty; the pieces stay where they are until a frame says where they lie. */
  end() {
    this.state = "";
    delete document.documentElement.dataset.drag;
    for (const node of document.querySelectorAll(".dragged")) node.classList.remove("dragged");
  }

  /** A frame has come: pieces in the hand do not travel; those that were dropped do. @param {Travel[]} travels @returns {Travel[]} */
  claim(travels) {
    if (this.state !== "lifting") {
      if (!this.dragging) this.letGo(travels);
      return travels;
    }
    const kind = this.held[0]?.closest(".piece")?.getAttribute("data-kind");
    const lifted = travels.find((one) => one.node.dataset.kind === kind && !one.merges);
    if (!lifted) { this.end(); return travels; }
    this.hold([/** @type {Token} */ (this.pieces.tokens.get(lifted.to)?.find((token) => token.node === lifted.node))]);
    this.lifted = true;
    this.follow();
    return travels.filter((one) => one !== lifted);
  }

  /** What was dropped and does not travel goes back to its place. @param {Travel[]} [travels] */
  letGo(travels = []) {
    for (const carrier of this.held.splice(0)) if (!travels.some(({ node }) => node.contains(carrier))) release(carrier);
  }

  /**
   * The choices of a frame are there: a piece that was lifted by the last step can be put down now. If it need not be, because the
   * next choice is another piece, the hand lets go of it.
   */
  offered() {
    if (this.state !== "lifting") return;
    this.state = "dragging";
    if (this.dialogue.asksForPlace()) {
      if (this.dropped) this.drop();
      else this.dialogue.point(this.targetAt(this.x, this.y));
      return;
    }
    this.lifted = false;
    this.end();
    this.letGo();
  }
}
