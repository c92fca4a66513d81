// @ts-check
// On a phone, a tall board and what is shared take turns: the view changes to where the next step is. A tap on the
// switch wins until the next step.
import { shownElsewhere } from "./dom.js";
/** @import { Arrangement } from "./arrange.js" */
/** @import { Places } from "./plan.js" */

export class Views {
  /** @param {HTMLElement} mat @param {HTMLElement} buttons @param {Places} places @param {Arrangement} arrangement */
  constructor(mat, buttons, places, arrangement) {
    this.mat = mat;
    this.buttons = buttons;
    this.places = places;
    this.arrangement = arrangement;
    this.touched = "shared";
    buttons.addEventListener("click", ({ target }) => {
      const name = target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest("[data-view]"))?.dataset.view : null;
      if (name) this.show(name);
    });
    mat.addEventListener("pointerdown", ({ target }) => {
      const place = target instanceof Element ? target.closest(".place") : null;
      if (place) this.touched = place.matches(".own") ? "own" : "shared";
    });
    mat.addEventListener("click", (event) => this.clicked(event), true);
    this.show("shared");
  }

  /** A tap on the small picture of the hidden view only switches. @param {Event} event */
  clicked(event) {
    const small = this.arrangement.switches && this.mat.dataset.view === "shared" && event.target instanceof Element && event.target.closest(".own");
    if (!small) return;
    event.stopPropagation();
    this.show("own");
  }

  /** The next step is at one of these places. If it can be in both views, the last one touched stays. @param {number[]} slots @param {boolean} begins whether a turn begins */
  follow(slots, begins) {
    const panels = new Set(slots.map((slot) => (this.places.plan.panels[this.places.planned[slot].panel].seat === null ? "shared" : "own")));
    if (panels.size === 1) this.show([...panels][0]);
    else if (panels.size === 2 && begins) this.show(this.touched);
  }

  /** @param {string} name */
  show(name) {
    if (this.mat.dataset.view === name) return;
    const moved = this.arrangement.switches ? /** @type {NodeListOf<HTMLElement>} */ (this.mat.querySelectorAll(".own, .more")) : [];
    shownElsewhere(moved, () => { this.mat.dataset.view = name; });
    for (const button of /** @type {NodeListOf<HTMLElement>} */ (this.buttons.querySelectorAll("[data-view]"))) button.ariaPressed = String(button.dataset.view === name);
    this.arrangement.arrange();
  }
}
