// @ts-check
// Registers the service worker once the page is at rest.
import { html } from "./dom.js";
import { alone } from "./line.js";
import { worker } from "./markup.js";
import { inSite } from "./root.js";

if ("serviceWorker" in navigator && !alone) {
  addEventListener("load", () => { setTimeout(() => navigator.serviceWorker.register(worker()).catch(() => {}), 1000); });
}

/** Before the id of a table with a turn that is kept there (kept.js). */
const KEPT = "azulejos.kept.";
const [unsent] = Object.keys(localStorage).filter((name) => name.startsWith(KEPT));
const said = document.querySelector("footer")?.dataset.unsent ?? "";
if (unsent && said) {
  const link = html("a", { href: inSite(`t/${unsent.slice(KEPT.length)}`), textContent: said });
  document.querySelector("main")?.prepend(html("p", { className: "unsent", role: "status" }, link));
}
