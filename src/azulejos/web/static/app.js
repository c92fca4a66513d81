// @ts-check
// Registers the service worker once the page is at rest.
import { alone } from "./line.js";
import { worker } from "./markup.js";

if ("serviceWorker" in navigator && !alone) {
  addEventListener("load", () => { setTimeout(() => navigator.serviceWorker.register(worker()).catch(() => {}), 1000); });
}
