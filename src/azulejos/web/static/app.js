// @ts-check
// Registers the service worker once the page is at rest.
import { inSite } from "./root.js";

if ("serviceWorker" in navigator) {
  addEventListener("load", () => { setTimeout(() => navigator.serviceWorker.register(inSite("sw.js")).catch(() => {}), 1000); });
}
