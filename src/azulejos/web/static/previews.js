// @ts-check
// What moves would do. One question is on its way at a time, and the newest waits; answers are kept until the table changes.
/** @import { Effect, Previewed } from "./messages" */

export class Previews {
  /** @param {(path: number[]) => void} send asks what the moves that continue a path would do */
  constructor(send) {
    this.send = send;
    /** @type {Map<string, Effect>} by the move's text */
    this.effects = new Map();
    /** @type {Set<string>} */
    this.asked = new Set();
    /** @type {number[] | null} */
    this.sent = null;
    /** @type {number[] | null} */
    this.waiting = null;
  }

  /** The table has changed. */
  forget() {
    this.effects.clear();
    this.reset();
  }

  /** Nothing is on its way any more, and everything may be asked again. */
  reset() {
    this.asked.clear();
    this.sent = this.waiting = null;
  }

  /** Ask about a path, once. @param {number[]} path */
  ask(path) {
    if (this.asked.has(String(path))) return;
    this.asked.add(String(path));
    if (this.sent) {
      if (this.waiting) this.asked.delete(String(this.waiting));
      this.waiting = path;
      return;
    }
    this.sent = path;
    this.send(path);
  }

  /** @param {Previewed} answer */
  told({ path, effects = [], superseded = false }) {
    if (superseded) this.asked.delete(String(path));
    for (const effect of effects) this.effects.set(effect.move, { ...this.effects.get(effect.move), ...effect });
    if (String(path) !== String(this.sent)) return;
    this.sent = null;
    const { waiting } = this;
    this.waiting = null;
    if (waiting) {
      this.asked.delete(String(waiting));
      this.ask(waiting);
    }
  }
}
