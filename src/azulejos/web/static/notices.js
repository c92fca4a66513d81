// @ts-check
// Notices while no page is open: asks the browser for an address, and gives it to the server.
import { $ } from "./dom.js";
import { inSite } from "./root.js";

const way = document.getElementById("push-way");
if (way && "serviceWorker" in navigator && "PushManager" in window) {
  way.hidden = false;
  $("push-on").addEventListener("click", () => ask(way.dataset.key ?? ""));
}

/** @param {string} key */
async function ask(key) {
  if (await Notification.requestPermission() !== "granted") return said("no");
  const worker = await navigator.serviceWorker.ready;
  try {
    const made = await worker.pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: bytes(key) });
    const { endpoint, keys } = made.toJSON();
    const answer = await fetch(inSite("notices/push"), { method: "POST", body: JSON.stringify({ endpoint, keys }) });
    if (answer.ok) location.reload();
    else said("unreachable");
  } catch { // browsers have a push service each, which a closed network does not reach
    said("unreachable");
  }
}

/** @param {string} text base64 for addresses */
function bytes(text) {
  return Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
}

/** @param {"no" | "unreachable"} why */
function said(why) {
  const place = $("push-said");
  place.textContent = place.dataset[why] ?? "";
}
