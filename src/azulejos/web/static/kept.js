// @ts-check
// A turn that is made without a connection. It is kept in this browser, also if the page is closed, and sent when
// the connection returns, if the table is as it was; otherwise the page says that it was not sent.
import { $ } from "./dom.js";
/** @import { Connection, Sent } from "./connection.js" */
/** @import { Frame } from "./messages" */
/** @import { Hint, Words } from "./types" */

/** `sent`: it may have arrived. @typedef {{ move: string, ply: number, course: number, sent?: boolean }} Turn */

export class Kept {
  /**
   * @param {string} table @param {Connection} connection
   * @param {(text: string, how?: Hint) => void} say @param {Words} words @param {() => void} again offers the moves again
   */
  constructor(table, connection, say, words, again) {
    this.name = `azulejos.kept.${table}`;
    this.connection = connection;
    this.say = say;
    this.words = words;
    this.again = again;
    /** A turn that was chosen, but not confirmed. @type {Sent | null} */
    this.chosen = null;
    this.course = 0;
    /** What became of the last turn: it stays in sight when the next frame is shown. */
    this.told = "";
  }

  /** @returns {Turn | null} */
  get turn() { return JSON.parse(localStorage.getItem(this.name) ?? "null"); }

  /** A turn was chosen while nothing can be sent. @param {Sent} pending @param {number} course of the frame that was looked at @param {boolean} confirmed whether it needs no confirmation */
  choose(pending, course, confirmed) {
    if (pending.do !== "play") return;
    this.chosen = pending;
    this.course = course;
    this.told = "";
    if (confirmed) return void this.keep();
    $("confirm").disabled = $("undo").disabled = false;
    this.say(this.words.choose);
  }

  /** The turn that was chosen is meant. @returns {boolean} whether there is one */
  keep() {
    const { chosen } = this;
    if (!chosen || chosen.do !== "play") return false;
    chosen.at_once = true;
    localStorage.setItem(this.name, JSON.stringify({ move: chosen.move, ply: chosen.ply, course: this.course }));
    this.chosen = null;
    $("confirm").disabled = true;
    this.say(this.words.kept);
    return true;
  }

  /** The turn is not meant after all. @returns {boolean} whether there was one */
  drop() {
    if (!this.chosen && !this.turn) return false;
    this.forget();
    this.connection.withdraw();
    this.again();
    return true;
  }

  forget() {
    this.chosen = null;
    localStorage.removeItem(this.name);
  }

  /** This is what the table looks like now, as the server says: send the turn if nothing has happened. @param {Frame} frame */
  hear(frame) {
    const { turn, connection } = this;
    this.chosen = null;
    if (!turn) return;
    if (frame.mine && frame.ply === turn.ply && frame.course === turn.course) {
      localStorage.setItem(this.name, JSON.stringify({ ...turn, sent: true }));
      connection.command({ do: "play", move: turn.move, ply: turn.ply, at_once: true }); // unless it waits there
      return;
    }
    this.forget();
    if (!turn.sent) this.tell(this.words.missed, { bad: true });
  }

  /** A command was answered. */
  done() {
    if (!this.turn) return;
    this.forget();
    this.tell(this.words.sent);
  }

  /** @param {string} text @param {Hint} [how] */
  tell(text, how) {
    this.told = text;
    this.say(text, how);
  }
}
