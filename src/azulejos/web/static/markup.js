// @ts-check
// The only place where texts of the server become elements or scripts: browsers that know trusted types refuse it elsewhere.
import { inSite } from "./root.js";

/** @typedef {{ createHTML(text: string): string, createScriptURL(address: string): string }} Policy */
const WORKER = inSite("sw.js");
const THINKING = inSite("static/thinking_worker.js");
/** @type {Policy} */
const rules = {
  createHTML: (text) => text,
  createScriptURL: (address) => { if (address !== WORKER && address !== THINKING) throw new TypeError(address); return address; },
};
/** @type {Policy} */
const policy = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("azulejos", rules) ?? rules;

/** The root of an SVG document. @param {string} text */
export const drawing = (text) => new DOMParser().parseFromString(policy.createHTML(text), "image/svg+xml").documentElement;

/** The nodes of a part of a page. Its scripts do not run. @param {string} text */
export const nodes = (text) => [...new DOMParser().parseFromString(policy.createHTML(text), "text/html").body.childNodes];

/** The address of the service worker. */
export const worker = () => policy.createScriptURL(WORKER);

/** The address of the worker that thinks. */
export const thinkingWorker = () => policy.createScriptURL(THINKING);
