// @ts-check
// What a sign on the table means (a special factory's), in words beside it: under the pointer, with the focus, after a tap.
import { html } from "./dom.js";

const GAP = 8; // pixels
const SIGN = ".badge-slot[tabindex]";

export class Tip {
  /** @param {HTMLElement} mat */
  constructor(mat) {
    this.words = html("div", { className: "tip", ariaHidden: "true", hidden: true }); // the sign has them as its name
    document.body.append(this.words);
    mat.addEventListener("focusout", () => this.hide());
    // A finger that has let go still reads.
    mat.addEventListener("pointerout", ({ pointerType }) => { if (pointerType !== "touch") this.hide(); });
    for (const type of ["keydown", "resize"]) addEventListener(type, () => this.hide(), true);
    addEventListener("pointerdown", ({ target }) => { if (!(target instanceof Element && target.closest(SIGN))) this.hide(); }, true);
  }

  hide() { this.words.hidden = true; }

  /** @param {Element} sign */
  about(sign) {
    this.words.textContent = sign.getAttribute("aria-label");
    this.words.hidden = false;
    const { left, top, bottom, width } = sign.getBoundingClientRect();
    const { offsetWidth, offsetHeight } = this.words;
    const above = top - offsetHeight - GAP;
    this.words.style.left = `${Math.max(GAP, Math.min(left + width / 2 - offsetWidth / 2, innerWidth - offsetWidth - GAP))}px`;
    this.words.style.top = `${above >= GAP ? above : bottom + GAP}px`;
  }
}
