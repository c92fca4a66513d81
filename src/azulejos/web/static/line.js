// @ts-check
// Where messages go: through a WebSocket to the server; without one, to the window around this page (web/alone/shell/host.js).

/** @typedef {{ azulejos?: { line(address: string): WebSocket } }} Around the line has what is used of a WebSocket */

/** Whether this page is shown by a folder of files, without a server. */
export const alone = parent !== window && isAround();

function isAround() {
  try {
    return "azulejos" in parent;
  } catch { // a page of another site shows this one
    return false;
  }
}

/** @param {URL} url @returns {WebSocket} */
export function open(url) {
  const around = /** @type {Around} */ (/** @type {unknown} */ (parent)).azulejos;
  if (!alone || !around) return new WebSocket(url);
  const line = around.line(url.pathname + url.search);
  addEventListener("pagehide", () => line.close());
  return line;
}
