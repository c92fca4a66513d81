// @ts-check
// What this browser adds to the draws of a game, and what it checks when the seed is shown.
import { $, fill, html } from "./dom.js";
/** @import { GameEnd } from "./messages" */
/** @import { Words } from "./types" */

const KEPT = "azulejos.number.";

/** @returns {{ number: string, promise: string } | null} */
const kept = () => JSON.parse(sessionStorage.getItem(KEPT + $("table").dataset.id) ?? "null");

const digits = (/** @type {Uint8Array} */ bytes) => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** The number to add, made when the SHA-256 of the seed was known (`data-promise`: the server waits for it); empty: none. */
export function ownNumber() {
  const { id, promise } = $("table").dataset;
  if (!promise) return "";
  const found = kept();
  if (found && found.promise === promise) return found.number;
  const number = digits(crypto.getRandomValues(new Uint8Array(16)));
  sessionStorage.setItem(KEPT + id, JSON.stringify({ number, promise }));
  return number;
}

/** The seed, the numbers, and whether both are what this page remembers. @param {GameEnd} ending @param {Words} words */
export async function tell({ seed, numbers = [] }, words) {
  const line = (/** @type {string} */ said, /** @type {string[]} */ codes) =>
    html("p", {}, `${said} `, ...codes.flatMap((code) => [html("code", { textContent: code }), " "]));
  const lines = [...(seed ? [line(words.seed, [seed])] : []), ...(numbers.length ? [line(words.numbers, numbers)] : [])];
  $("seed").replaceChildren(...lines);
  const own = kept();
  if (!seed || !own) return;
  const text = await checked(seed, numbers, own);
  if (text) $("seed").replaceChildren(...lines, html("p", { className: "quiet", textContent: fill(words[text], { number: own.number }) }));
}

/** @param {string} seed @param {string[]} numbers @param {{ number: string, promise: string }} own */
async function checked(seed, numbers, own) {
  if (!crypto.subtle) return ""; // only where the address is secure
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(seed));
  if (digits(new Uint8Array(digest)) !== own.promise) return "unfair";
  return numbers.includes(own.number) ? "fair" : "late";
}
