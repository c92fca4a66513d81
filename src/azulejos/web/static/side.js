// @ts-check
// The side panel: a column of icons, or a menu button on a phone, that opens one section at a time.
import { $ } from "./dom.js";

const OPEN = "azulejos.side"; // the section that is open on a wide screen
const KEYS = "azulejos.keys"; // whether keys are shown
const MODIFIERS = ["Shift", "Control", "Alt", "Meta"]; // alone they choose nothing
const wide = matchMedia("(min-width: 1280px) and (min-aspect-ratio: 1/1)");
const root = document.documentElement;

/** Open a section, or close the panel (null). @param {string | null} name */
export function open(name) {
  if (name === null) delete root.dataset.side;
  else root.dataset.side = name;
  if (wide.matches) remember(OPEN, name);
  for (const button of buttons()) button.ariaExpanded = String(button.dataset.opens === name);
  $("side-menu").ariaExpanded = String(name !== null);
  dispatchEvent(new CustomEvent("table-resized"));
}

/** Show or hide keys on the table and the list of possible moves; the page remembers it. @param {boolean} shown */
export function showKeys(shown) {
  root.classList.toggle("show-keys", shown);
  $("keys").ariaPressed = String(shown);
  remember(KEYS, shown ? "shown" : null);
  if (shown) open("keys");
  else if (root.dataset.side === "keys") open(null);
}

export const keysShown = () => root.classList.contains("show-keys");

const buttons = () => /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-opens]"));

/** @param {string} key @param {string | null} value */
function remember(key, value) {
  if (value === null) localStorage.removeItem(key);
  else localStorage.setItem(key, value);
}

for (const button of buttons()) {
  button.onclick = () => open(root.dataset.side === button.dataset.opens ? null : /** @type {string} */ (button.dataset.opens));
}
$("side-menu").onclick = () => open(root.dataset.side ? null : "moves");
$("side-close").onclick = () => { open(null); $("side-menu").focus(); };
$("keys").onclick = () => showKeys(!keysShown());
addEventListener("pointerdown", ({ target }) => {
  const outside = target instanceof Element && !target.closest("#side");
  if (outside && root.dataset.side && !wide.matches) open(null);
});

addEventListener("keydown", ({ key }) => { if (!MODIFIERS.includes(key)) root.dataset.by = "keys"; }, true);
addEventListener("pointerdown", () => { delete root.dataset.by; }, true);

$("keys").ariaPressed = String(keysShown());
for (const button of buttons()) button.ariaExpanded = String(button.dataset.opens === root.dataset.side);
