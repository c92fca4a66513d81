// @ts-check
// Registers the service worker once the page is at rest.
import { worker } from "./markup.js";

if ("serviceWorker" in navigator) {
  addEventListener("load", () => { setTimeout(() => navigator.serviceWorker.register(worker()).catch(() => {}), 1000); });
}
