// @ts-check
// The editor of a position: every field of the state, with a check by the server's rules after each change.
import { $, html } from "./dom.js";
/** @import { Board } from "./messages" */

const CALM = 300; // milliseconds without typing until a change is checked

export class Editor {
  /** @param {Record<string, string>} words @param {(message: any) => void} command @param {() => Board | null} shown */
  constructor(words, command, shown) {
    this.words = words;
    this.command = command;
    this.shown = shown;
    this.dialog = /** @type {HTMLDialogElement} */ ($("editor"));
    this.head = "";
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.later = undefined;
    $("editor-close").onclick = () => this.dialog.close();
    $("editor-open").onclick = () => command({ do: "arrange", position: this.text() });
    $("editor-fields").addEventListener("input", () => {
      clearTimeout(this.later);
      $("editor-open").disabled = true;
      this.later = setTimeout(() => this.check(), CALM);
    });
  }

  get open() { return this.dialog.open; }

  show() {
    const text = this.shown()?.position ?? "";
    $("editor-fields").replaceChildren(html("textarea", { id: "editor-text", rows: 8, value: text, spellcheck: false }));
    this.dialog.showModal();
    this.check();
  }

  text() { return $("editor-text").value.trim(); }

  check() { this.command({ do: "arrange", position: this.text(), check: true }); }

  accepted() { this.say(this.words.sound, false); }

  /** @param {string} text */
  refused(text) { this.say(text, true); }

  /** @param {string} text @param {boolean} bad */
  say(text, bad) {
    $("editor-problem").textContent = text;
    $("editor-problem").classList.toggle("bad", bad);
    $("editor-open").disabled = bad;
  }
}
