// @ts-check
// Buttons below the band: answers to the others, the way back to the present or to one's own seat.
import { $, fill, html } from "./dom.js";
/** @import { Hints } from "./hints.js" */
/** @import { Frame, Seat } from "./messages" */
/** @import { Command, Words } from "./types" */

export class Asks {
  /**
   * @param {{ command: (command: Command) => void, present: () => void, replaceAfter: number, seated: boolean }} does
   * @param {Hints} hints
   * @param {Words} words
   */
  constructor(does, hints, words) {
    this.does = does;
    this.hints = hints;
    this.words = words;
    this.shown = "";
    for (const id of ["take-back", "ask-back"]) $(id).onclick = () => does.command({ do: "propose", what: "back" });
  }

  /** @param {Frame} frame @param {Seat[]} seats @param {(number | null)[]} away milliseconds by seat */
  show(frame, seats, away) {
    $("take-back").hidden = !frame.can_take_back;
    const parts = [...this.called(frame), ...this.asked(frame), ...this.seats(frame, seats, away), ...this.advice(frame)];
    const key = parts.map((part) => part.textContent).join("|");
    if (key === this.shown) return;
    this.shown = key;
    $("asks").replaceChildren(...parts);
    document.documentElement.toggleAttribute("data-asking", parts.length > 0);
  }

  /** @param {Frame} frame */
  advice(frame) {
    return this.hints.parts(frame, (text, act) => this.button(text, act), () => this.does.command({ do: "propose", what: "back" }));
  }

  /** @param {Frame} frame */
  called({ called }) {
    return called ? [this.button(this.words.present, () => this.does.present())] : [];
  }

  /** @param {Frame} frame */
  asked({ asked = null }) {
    if (!asked) return [];
    const text = html("span", { textContent: asked.text });
    const reply = (/** @type {boolean} */ yes) => () => this.does.command({ do: "reply", yes });
    if (asked.answer) return [text, this.button(this.words.yes, reply(true)), this.button(this.words.no, reply(false))];
    return asked.own ? [text, this.button(this.words.withdraw, reply(false))] : [text];
  }

  /** Coming back to one's own seat; letting a bot play for somebody who has been away too long. @param {Frame} frame @param {Seat[]} seats @param {(number | null)[]} away */
  seats({ over }, seats, away) {
    if (over) return [];
    return seats.flatMap((seat, number) => {
      if (seat.back) return [this.button(this.words.return, () => this.does.command({ do: "return", seat: number }))];
      const long = (away[number] ?? -1) >= this.does.replaceAfter;
      return long && this.does.seated ? [this.button(fill(this.words.replace, { name: seat.name }), () => this.does.command({ do: "replace", seat: number }))] : [];
    });
  }

  /** @param {string} text @param {() => void} act */
  button(text, act) {
    const button = html("button", { type: "button", textContent: text });
    button.onclick = act;
    return button;
  }
}
