// @ts-check
// Registers the service worker once the page is at rest.
if ("serviceWorker" in navigator) {
  addEventListener("load", () => { setTimeout(() => navigator.serviceWorker.register("/sw.js").catch(() => {}), 1000); });
}
