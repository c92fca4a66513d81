// @ts-check
// The loupe: where pieces are too small for a finger, a tap shows their plate large; a tap there chooses.
import { svg } from "./dom.js";
/** @import { Places } from "./plan.js" */
/** @import { Renderer } from "./renderer.js" */

export const FINGER = 44; // px: what a finger can hit
const LARGE = 48; // px: the least size of a piece in the loupe, if the window is wide enough
const MARGIN = 8;

export class Loupe {
  /**
   * @param {HTMLElement} mat @param {Places} places @param {Renderer} renderer
   * @param {() => number[]} choices the places that can be chosen now
   */
  constructor(mat, places, renderer, choices) {
    this.mat = mat;
    this.places = places;
    this.renderer = renderer;
    this.choices = choices;
    /** @type {SVGSVGElement | null} */
    this.picture = null;
    mat.addEventListener("click", (event) => this.clicked(event), true);
    addEventListener("resize", () => this.close());
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const target = event.target instanceof Element ? event.target : null;
    if (this.passing) return;
    if (target?.closest(".loupe")) { this.tapped(event, target); return; }
    const open = this.picture && this.picture.style.display !== "none";
    this.close();
    const place = this.tooSmall(target);
    if (place >= 0) this.open(place);
    if (place >= 0 || (open && target?.closest("[data-slot]"))) event.stopPropagation(); // a button beside it still acts
  }

  /** The path chosen so far has changed. A plate whose piece was dragged away, or that offers nothing now, is hidden; it is
   * not removed, because a finger on it would no longer be heard. @param {number[]} path */
  chosen(path) {
    if (this.picture && (path.length || !this.choices().length)) this.picture.style.display = "none";
  }

  /** The plate around a piece that a finger cannot hit, if there is more than one choice on it; otherwise -1. @param {Element | null} target */
  tooSmall(target) {
    const node = /** @type {SVGElement | null} */ (target?.closest(".offer [data-slot]") ?? null);
    if (!node || node.matches(".badge-slot") || !matchMedia("(pointer: coarse)").matches) return -1;
    const slot = this.places.number(node.dataset.slot ?? "");
    const around = this.places.around(slot) < 0 ? slot : this.places.around(slot);
    const inside = this.choices().filter((one) => this.places.around(one) === around);
    const sizes = inside.map((one) => sizeOf(this.renderer.nodes[one]));
    return inside.length > 1 && Math.min(...sizes) < FINGER ? around : -1;
  }

  /** A copy of a plate and of what lies on it, so large that each piece can be hit. @param {number} around */
  open(around) {
    const { picture: panel } = this.renderer.panels[this.places.planned[around].panel];
    const id = this.places.planned[around].id;
    const nodes = [...panel.querySelectorAll("[data-slot]")].filter((node) => {
      const slot = /** @type {SVGElement} */ (node).dataset.slot ?? "";
      return slot === id || slot.startsWith(`${id}.`);
    });
    const picture = /** @type {SVGSVGElement} */ (svg("svg", { class: `loupe ${panel.getAttribute("class")}`, "aria-hidden": "true" }, ...nodes.map((node) => node.cloneNode(true))));
    this.picture = picture;
    this.mat.append(picture);
    const sides = nodes.filter((node) => node.matches(".piece")).map((piece) => piece.getBoundingClientRect()).flatMap(({ width, height }) => [width, height]);
    this.place(picture, /** @type {SVGGElement} */ (this.renderer.nodes[around]), this.places.planned[around], Math.max(1.9, LARGE / Math.min(...sides)));
  }

  /** Over its plate, inside the window. @param {SVGSVGElement} picture @param {SVGGElement} plate @param {{ x: number, y: number }} middle @param {number} times how many times as large */
  place(picture, plate, { x, y }, times) {
    const { a } = /** @type {DOMMatrix} */ (plate.getScreenCTM());
    const small = plate.getBoundingClientRect();
    const inner = /** @type {SVGSVGElement} */ (picture).getBBox();
    const [wide, high] = [Math.max(inner.width, small.width / a) + 20, Math.max(inner.height, small.height / a) + 20];
    const scale = Math.min(a * times, (innerWidth - 2 * MARGIN) / wide);
    const [width, height] = [wide * scale, high * scale];
    const within = (/** @type {number} */ at, /** @type {number} */ size, /** @type {number} */ room) => Math.max(MARGIN, Math.min(at - size / 2, room - size - MARGIN));
    picture.setAttribute("viewBox", `${x - wide / 2} ${y - high / 2} ${wide} ${high}`);
    Object.assign(picture.style, {
      width: `${width}px`, height: `${height}px`,
      left: `${within(small.left + small.width / 2, width, innerWidth)}px`, top: `${within(small.top + small.height / 2, height, innerHeight)}px`,
    });
  }

  /** Pass a tap on the copy on to the original. @param {MouseEvent} event @param {Element} target */
  tapped(event, target) {
    event.stopPropagation();
    const id = /** @type {SVGElement | null} */ (target.closest("[data-slot]"))?.dataset.slot;
    this.close();
    const slot = id === undefined ? -1 : this.places.number(id);
    if (this.choices().includes(slot)) this.pass(slot);
  }

  /** @param {number} slot */
  pass(slot) {
    const original = this.renderer.nodes[slot];
    this.passing = true;
    original?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
    this.passing = false;
  }

  close() {
    this.picture?.remove();
    this.picture = null;
  }
}

/** The smaller side of what takes clicks at a place. @param {Element | null} node */
export function sizeOf(node) {
  const boxes = [...(node?.querySelectorAll(".hit, .well") ?? [])].map((one) => one.getBoundingClientRect());
  return Math.max(0, ...boxes.map((box) => Math.min(box.width, box.height)));
}
