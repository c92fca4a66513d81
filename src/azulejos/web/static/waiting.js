// @ts-check
// A table that waits for players: the page opens the game as soon as everybody sits there.
import { Connection } from "./connection.js";
import { $ } from "./dom.js";
import { ownNumber } from "./fair.js";
import { inSite } from "./root.js";
import "./share.js";
/** @import { Frame } from "./messages" */

const card = /** @type {HTMLElement} */ ($("table"));
const version = { protocol: card.dataset.protocol ?? "", plan: card.dataset.digest ?? "" };
const nothing = () => {};

/** Somebody sat down or left: the server draws the page again. @type {string | null} */
let sitting = null;

/** @param {Frame} frame */
function hear({ news: { seats = [] }, band }) {
  if ($("notice")) $("notice").textContent = band.notice ?? "";
  const now = seats.map(({ kind, name }) => `${kind} ${name}`).join();
  if (!now) return;
  const typing = document.activeElement instanceof HTMLInputElement && document.activeElement.name === "name" && document.activeElement.value !== document.activeElement.defaultValue;
  const full = seats.every(({ kind }) => kind !== "open");
  if (full || (sitting !== null && now !== sitting && !typing)) location.reload();
  sitting = now;
}

new Connection(inSite(`t/${card.dataset.id}/live`), version, {
  frame: hear, preview: nothing, why: nothing, judged: nothing, said: nothing, refused: nothing, lost: nothing, back: nothing, pending: nothing,
}, ownNumber());
