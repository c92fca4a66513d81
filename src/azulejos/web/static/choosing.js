// @ts-check
// The list of possible moves beside the table, for keyboards and screen readers.
import { html } from "./dom.js";
/** @import { Dialogue } from "./dialogue.js" */

const SINGLY = 4; // above this, pieces of a kind are shown as a number

/** The key to type, beside what it means. @param {string} key */
export const letter = (key) => html("span", { className: "letter", textContent: key, ariaHidden: "true" });

/** A place and its description. @param {string} name @param {string} kind @param {string} text */
export function says(name, kind, text) {
  const said = html("span", { className: kind, textContent: text });
  return { words: html("span", { className: "says" }, html("span", { textContent: name }), " ", said), said };
}

/** A button for every place that continues the move, grouped by what is around it. @param {Dialogue} dialogue */
export function listed(dialogue) {
  const { places, asks } = dialogue;
  const open = dialogue.open();
  const depth = dialogue.path.length;
  const direct = new Set(open.filter((choice) => choice.path.length === depth + 1).map((choice) => choice.text));
  // If one button makes the whole move, no button for its first step is needed.
  const targets = dialogue.targets().filter((slot) => open.some((choice) => choice.path[depth] === slot && (choice.path.length === depth + 1 || !direct.has(choice.text))));
  /** @type {Map<number, HTMLElement[]>} */ const groups = new Map();
  for (const slot of targets) {
    const entry = button(dialogue, slot);
    const around = entry.classList.contains("target") ? -1 : places.around(slot);
    const place = around < 0 ? slot : around;
    groups.set(place, [...(groups.get(place) ?? []), entry]);
  }
  const parts = [...groups].map(([place, members]) => (targets.includes(place) ? members[0] : group(places.at(place).name, members)));
  if (depth) parts.unshift(html("button", { type: "button", textContent: `↩ ${asks.words.cancel}`, data: { back: "" } }));
  return parts;
}

/** @param {string} name @param {HTMLElement[]} members @returns {HTMLElement} */
const group = (name, members) => html("div", { className: "group", role: "group", ariaLabel: name }, ...members);

/** @param {Dialogue} dialogue @param {number} slot @returns {HTMLElement} */
function button(dialogue, slot) {
  const { places, path } = dialogue;
  const end = dialogue.open([...path, slot]).find((choice) => choice.path.length === path.length + 1);
  const entry = html("button", { type: "button", data: { target: slot } }, letter(places.at(slot).key));
  const pictures = end ? [] : pictured(dialogue, slot);
  if (end) {
    const { words, said } = says(places.named(slot), "effect", dialogue.effect(end, path)?.said ?? "");
    said.dataset.move = end.text;
    entry.classList.add("target");
    entry.append(words);
  } else if (pictures.length) {
    entry.append(...pictures, html("span", { className: "hidden-title", textContent: places.named(slot) }));
  } else entry.append(html("span", { textContent: places.named(slot) }));
  return entry;
}

/** The pieces of a place within another one, as pictures. @param {Dialogue} dialogue @param {number} slot */
function pictured({ places, renderer }, slot) {
  return (renderer.lies.get(slot) ?? []).flatMap(([kind, , count = 1]) => {
    const picture = () => places.icon(kind);
    return count > SINGLY ? [`${count}×`, picture()] : Array.from({ length: count }, picture);
  });
}
