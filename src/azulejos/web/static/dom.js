// @ts-check
// Small helpers to make and find nodes.

const SVG = "http://www.w3.org/2000/svg";

/** @param {string} id @returns {any} the element of the page with this id */
export const $ = (id) => document.getElementById(id);

/**
 * An HTML element with properties and children.
 * @template {keyof HTMLElementTagNameMap} T
 * @param {T} tag @param {Record<string, any>} [properties] @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[T]}
 */
export function html(tag, properties = {}, ...children) {
  const { data = {}, ...rest } = properties;
  const element = Object.assign(document.createElement(tag), rest);
  Object.assign(element.dataset, data);
  element.append(...children);
  return element;
}

/**
 * An SVG element with attributes; those that are null or undefined are left out.
 * @param {string} tag @param {Record<string, any>} [attributes] @param {...Node} children @returns {SVGGElement}
 */
export function svg(tag, attributes = {}, ...children) {
  const element = /** @type {SVGGElement} */ (document.createElementNS(SVG, tag));
  for (const [name, value] of Object.entries(attributes)) if (value != null) element.setAttribute(name, String(value));
  element.append(...children);
  return element;
}

/** @param {string} text a sentence with placeholders like {name} @param {Record<string, any>} values */
export const fill = (text, values) => text.replace(/\{(\w+)\}/g, (_, name) => String(values[name]));

/** @param {number} points @returns {string} with a sign, as people write it */
export const signed = (points) => (points < 0 ? `−${-points}` : `+${points}`);

/** @param {number} points */
export const plain = (points) => (points < 0 ? `−${-points}` : String(points));

/** @param {number} points */
export const gainOrLoss = (points) => (points < 0 ? "loss" : "gain");

/** A number with one decimal, formatted for the page's language. @param {number} value */
export const decimal = (value) => value.toLocaleString(document.documentElement.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 });

/** Change the layout so that some elements are shown elsewhere at once. Nothing slides there, and a browser that counts what is moved under a finger must not count it: they are drawn anew. @param {Iterable<HTMLElement>} elements @param {() => void} change */
export function shownElsewhere(elements, change) {
  const all = [...elements];
  for (const element of all) element.style.display = "none";
  change();
  void document.body.offsetHeight; // lays out without them
  for (const element of all) element.style.display = "";
}
