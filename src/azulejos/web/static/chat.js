// @ts-check
// The chat in the side panel: phrases in every language, and texts where the table allows them.
import { $, html } from "./dom.js";
import { sound } from "./sound.js";
/** @import { SpokenLine, Speak, Talk } from "./messages" */

const SHOWN = 6000; // milliseconds that a line stands beside the board of whoever said it
const root = document.documentElement;

export class Chat {
  /** @param {(line: Omit<Speak, "id">) => void} speak */
  constructor(speak) {
    $("phrases")?.addEventListener("click", (/** @type {MouseEvent} */ { target }) => {
      const { phrase } = (target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest("[data-phrase]")) : null)?.dataset ?? {};
      if (phrase) speak({ do: "speak", phrase, text: "" });
    });
    $("chat-form")?.addEventListener("submit", (/** @type {Event} */ event) => {
      event.preventDefault();
      const text = $("chat-text").value.trim();
      if (text) speak({ do: "speak", phrase: "", text });
      $("chat-text").value = "";
    });
    new MutationObserver(() => this.read()).observe(root, { attributes: true, attributeFilter: ["data-side"] });
  }

  /** New lines; what was said before the page was opened is only listed. @param {Talk} talk */
  hear({ lines, old = false }) {
    for (const line of lines) this.add(line);
    $("chat-lines").scrollTop = $("chat-lines").scrollHeight;
    if (old || root.dataset.chat === "off") return;
    sound("pick");
    for (const line of lines) this.bubble(line);
    if (root.dataset.side !== "chat") document.querySelector("[data-opens=chat]")?.toggleAttribute("data-unread", true);
  }

  /** @param {SpokenLine} line */
  add({ number, name, text }) {
    if ($("chat-lines").querySelector(`[data-line="${number}"]`)) return;
    $("chat-lines").append(html("li", { data: { line: number } }, html("b", { textContent: name }), " ", html("span", { textContent: text })));
  }

  /** @param {SpokenLine} line */
  bubble({ seat, text }) {
    const bubble = html("span", { className: "bubble", ariaHidden: "true", textContent: text });
    document.querySelector(`[data-seat-card="${seat}"]`)?.append(bubble);
    setTimeout(() => bubble.remove(), SHOWN);
  }

  /** The chat is open: nothing is unread. */
  read() {
    if (root.dataset.side === "chat") document.querySelector("[data-opens=chat]")?.removeAttribute("data-unread");
  }
}
