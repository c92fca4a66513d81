// @ts-check
// Parts of the list of possible moves beside the table, for touch, keyboards and screen readers.
import { html } from "./dom.js";

/** The key to type, beside what it means. @param {string} key */
export const letter = (key) => html("span", { className: "letter", textContent: key, ariaHidden: "true" });

/** A place and its description. @param {string} name @param {string} kind @param {string} text */
export function says(name, kind, text) {
  const said = html("span", { className: kind, textContent: text });
  return { words: html("span", { className: "says" }, html("span", { textContent: name }), " ", said), said };
}

/** @param {string} name @param {HTMLElement[]} members */
export const group = (name, members) => html("div", { className: "group", role: "group", ariaLabel: name }, ...members);
