// @ts-check
// Chooses a form for each panel: by the window, by who looks, and by what was made large. Frames do not depend on it.
import { fetched } from "./plan.js";
import { mount } from "./stage.js";
/** @import { Places } from "./plan.js" */
/** @import { Renderer } from "./renderer.js" */
/** @import { Pieces } from "./pieces.js" */

const upright = matchMedia("not (min-aspect-ratio: 1/1)");


/** Whether pieces are larger in the high form of a panel than in its usual one, in the room that it has. @param {Element} picture */
function isHigher(picture) {
  const { clientWidth, clientHeight } = /** @type {Element} */ (picture.parentElement);
  const scale = (/** @type {string} */ name) => {
    const [, , width, height] = (picture.getAttribute(name) ?? "").split(" ").map(Number);
    return Math.min(clientWidth / width, clientHeight / height);
  };
  return scale("data-tall") > scale("data-upright");
}

/** The form of the shared panels and of the own board in this window. */
const mainForm = () => (upright.matches ? "phone" : "wide");

/** The form of the boards of the others: beside a wide window the only other one fills its card. @param {HTMLElement} table */
const otherForm = (table) => (table.dataset.planBroad && !upright.matches ? "broad" : "small");

export class Arrangement {
  /** @param {HTMLElement} table @param {Places} places @param {Renderer} renderer @param {Pieces} pieces */
  constructor(table, places, renderer, pieces) {
    this.table = table;
    this.places = places;
    this.renderer = renderer;
    this.pieces = pieces;
    /** @type {string[]} the form of each panel */
    this.forms = [];
    addEventListener("resize", () => this.arrange());
    table.addEventListener("click", ({ target }) => this.clicked(target instanceof Element ? target : null));
    addEventListener("keydown", ({ key }) => { if (key === "Escape") this.enlarge(null); });
  }

  /** Whether the own board and the shared panels take turns in this window. */
  get switches() { return upright.matches && this.table.querySelector(".mat.tall") !== null; }

  /** Draw every panel in the form of its place. */
  async arrange() {
    const wanted = this.renderer.panels.map(({ picture }) => this.formOf(picture));
    for (const name of new Set(wanted)) if (!this.places.forms.has(name)) this.places.add(name, await fetched(addressOf(this.table, name)));
    wanted.forEach((name, panel) => {
      if (this.forms[panel] === name) return;
      this.forms[panel] = name;
      this.renderer.reshape(panel, /** @type {import("./plan.js").Form} */ (this.places.forms.get(name)));
      this.pieces.reshape(panel);
    });
    this.hang();
  }

  /** @param {Element} picture */
  formOf(picture) {
    const place = /** @type {HTMLElement} */ (picture.closest(".place"));
    if (picture.hasAttribute("data-tall") && upright.matches && isHigher(picture)) return "small";
    if (!place.matches(".board-place") || place.matches(".large")) return mainForm();
    const aside = this.switches && /** @type {HTMLElement} */ (place.closest(".mat")).dataset.view === "shared";
    if (place.matches(".other")) return otherForm(this.table);
    return aside ? "small" : mainForm();
  }

  /** What is left over of the shared panels hangs in the side panel on a phone. */
  hang() {
    const place = this.table.querySelector(".mat:not(.tall) .more > .hangs, #side-supply > .hangs");
    const home = upright.matches ? document.getElementById("side-supply") : this.table.querySelector(".more");
    if (place && place.parentElement !== home) home?.append(place);
  }

  // --- a board of somebody else, large -----------------------------------------------------------------

  /** @param {Element | null} target */
  clicked(target) {
    const button = /** @type {HTMLElement | null} */ (target?.closest("[data-enlarge]") ?? null);
    const place = /** @type {HTMLElement | null} */ (button?.closest(".place") ?? null);
    if (place || target?.closest("#veil, .large")) this.enlarge(place?.matches(".large") ? null : place);
  }

  /** @param {HTMLElement | null} place */
  enlarge(place) {
    const before = this.table.querySelector(".place.large");
    if (!before && !place) return;
    before?.classList.remove("large");
    place?.classList.add("large");
    for (const button of this.table.querySelectorAll("[data-enlarge]")) button.ariaExpanded = String(button.closest(".large") !== null);
    /** @type {HTMLElement} */ (document.getElementById("veil")).hidden = !place;
    this.arrange();
  }
}

/** Draw a table of which the page has the pictures. @param {HTMLElement} table */
export async function mountTable(table) {
  const { places, renderer, pieces } = await mount(table, Object.fromEntries([mainForm(), otherForm(table)].map((name) => [name, addressOf(table, name)])));
  const arrangement = new Arrangement(table, places, renderer, pieces);
  await arrangement.arrange();
  return { places, renderer, pieces, arrangement };
}

/** The address of a form's plan. @param {HTMLElement} table @param {string} name */
const addressOf = (table, name) => /** @type {string} */ (table.dataset[name === "wide" ? "plan" : `plan${name[0].toUpperCase()}${name.slice(1)}`]);
