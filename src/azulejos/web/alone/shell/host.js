// @ts-check
// The window around the pages: it keeps the worker in which the application runs, and shows its pages in a frame.
// Requests of the frame come by the service worker (sw.js), lines of tables from `azulejos.line` below.

/** @param {string} id */
const $ = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const ROOT = new URL("./", location.href).pathname;
const APP = `${ROOT}app/`;
const LOCK = `azulejos ${ROOT}`;
const NOTE_SECONDS = 8;
const KNOWN = `azulejos.known ${ROOT}`; // whether anything was ever begun or chosen here
const frame = /** @type {HTMLIFrameElement} */ ($("page"));
/** @type {Record<string, Record<string, string>>} */
const catalogue = JSON.parse($("words").textContent ?? "{}");

/** The language that the visitor chose, or one that the browser asks for. */
function language() {
  const tags = [localStorage.getItem("azulejos.language") ?? "", ...navigator.languages].map((tag) => tag.replace("_", "-").toLowerCase());
  const known = Object.keys(catalogue);
  const found = tags.map((tag) => known.find((name) => {
    const own = name.replace("_", "-").toLowerCase();
    return tag === own || tag.split("-")[0] === own.split("-")[0];
  }));
  return found.find(Boolean) ?? "en";
}
document.documentElement.lang = language().replace("_", "-");
const words = catalogue[language()] ?? {};

const urls = /** @type {any} */ (globalThis).trustedTypes?.createPolicy("azulejos", { createScriptURL: (/** @type {string} */ url) => url });
/** A script of this folder. @param {string} name */
const script = (name) => urls?.createScriptURL(`${ROOT}${name}`) ?? `${ROOT}${name}`;

/** @param {string} text @param {string} [action] @param {() => void} [act] */
function say(text, action, act) {
  $("said").textContent = text;
  const button = /** @type {HTMLButtonElement} */ ($("act"));
  button.hidden = !action;
  $("progress").hidden = Boolean(action);
  button.textContent = action ?? "";
  button.onclick = () => act?.();
}

/** A short note above the page. @param {string} text @param {string} [action] @param {() => void} [act] */
function note(text, action, act) {
  const place = $("note");
  place.textContent = text;
  place.hidden = false;
  if (!action) return void setTimeout(() => { place.hidden = true; }, NOTE_SECONDS * 1000);
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = action;
  button.onclick = () => { place.hidden = true; act?.(); };
  place.append(button);
}

/** @type {Worker | null} */
let worker = null;

// --- lines: what a page uses where a server has WebSockets (static/line.js) ---------------------------------------

class Line {
  /** @param {string} address */
  constructor(address) {
    const { port1, port2 } = new MessageChannel();
    /** @type {number} */
    this.readyState = WebSocket.CONNECTING;
    /** @type {(() => void) | null} */
    this.onopen = null;
    /** @type {((event: { data: string }) => void) | null} */
    this.onmessage = null;
    /** @type {(() => void) | null} */
    this.onclose = null;
    this.port = port1;
    port1.onmessage = ({ data }) => { if (data === null) this.over(); else this.onmessage?.({ data }); };
    worker?.postMessage({ line: address }, [port2]);
    setTimeout(() => { this.readyState = WebSocket.OPEN; this.onopen?.(); });
  }

  /** @param {string} text */
  send(text) { this.port.postMessage(text); }

  close() { this.port.postMessage(null); this.over(); }

  over() {
    if (this.readyState === WebSocket.CLOSED) return;
    this.readyState = WebSocket.CLOSED;
    this.port.close();
    this.onclose?.();
  }
}
/** @type {any} */ (window).azulejos = { line: (/** @type {string} */ address) => new Line(address) };

// --- the service worker -------------------------------------------------------------------------------------------

async function served() {
  const registration = await navigator.serviceWorker.register(script("sw.js"), { scope: ROOT });
  navigator.serviceWorker.onmessage = ({ data, ports }) => {
    if (data.request) request(data, ports);
    if (data.offline) note(words.offline.replace("{size}", data.offline));
  };
  registration.onupdatefound = () => {
    const fresh = registration.installing;
    if (!fresh || !navigator.serviceWorker.controller) return;
    fresh.onstatechange = () => {
      if (fresh.state === "installed") note(words.update, words.reload, () => fresh.postMessage("take over"));
    };
  };
  if (!navigator.serviceWorker.controller) {
    await new Promise((resolve) => { navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true }); });
  } else {
    navigator.serviceWorker.addEventListener("controllerchange", () => location.reload(), { once: true });
  }
}

/** A request of a page. Until the application runs, pages that were made before are shown. @param {{ request: { method: string }, hasEarly: boolean }} asked @param {readonly MessagePort[]} ports */
function request(asked, ports) {
  if (asked.request.method === "POST") localStorage.setItem(KNOWN, "yes");
  if (asked.hasEarly && !ready) return ports[0].postMessage({ early: language() });
  if (worker) return worker.postMessage(asked, [...ports]);
  waiting.push(() => worker?.postMessage(asked, [...ports]));
  need();
}
/** @type {(() => void)[]} Requests that came before the worker. */
const waiting = [];
let need = () => {};
/** The first page is there, or waits for Python: until then the line is left to it. @type {Promise<void>} */
const needed = new Promise((resolve) => { need = resolve; });

// --- the application ----------------------------------------------------------------------------------------------

let ready = false;

/** @returns {Promise<void>} */
function started() {
  worker = new Worker(script("python.js"), { type: "module" });
  return new Promise((resolve, reject) => {
    const own = /** @type {Worker} */ (worker);
    own.onmessage = ({ data }) => {
      if (data.progress !== undefined) for (const bar of document.querySelectorAll("progress")) bar.value = data.progress;
      if (data.language !== undefined) localStorage.setItem("azulejos.language", data.language);
      if (data.unsaved) note(words.unsaved);
      if (data.failed) reject(new Error(data.failed));
      if (data.ready) resolve();
    };
    own.onerror = (event) => reject(new Error(event.message));
    own.postMessage({ start: { root: ROOT, origin: location.origin, languages: navigator.languages.join(",") } });
    for (const ask of waiting) ask();
  });
}

/** Pages of the application are in the frame, their addresses after # in the window's. */
function showPages() {
  frame.onload = () => {
    const { location: there, document: page } = /** @type {Window} */ (frame.contentWindow);
    if (!there.pathname.startsWith(APP)) return;
    history.replaceState(null, "", `${ROOT}#${there.pathname.slice(APP.length)}${there.search}`);
    document.title = page.title;
    document.documentElement.lang = page.documentElement.lang;
    frame.title = page.title;
    need();
    frame.hidden = false;
    $("starting").hidden = ready;
    $("wait").hidden = true;
    frame.contentWindow?.focus();
  };
  const wanted = decodeURI(location.hash.slice(1));
  frame.src = new URL(wanted.startsWith("/") || wanted.includes(":") ? "" : wanted, `${location.origin}${APP}`).href;
}

async function begin() {
  if (!("serviceWorker" in navigator) || !("locks" in navigator)) return say(words.cannot);
  say(words.starting);
  try {
    await served();
    showPages();
    await needed;
    await started();
  } catch (error) {
    console.error(error);
    frame.hidden = true;
    $("wait").hidden = false;
    return say(navigator.onLine ? words.failed : words.noLine, words.again, () => location.reload());
  }
  ready = true;
  $("starting").hidden = true;
  if (localStorage.getItem(KNOWN) && frame.contentWindow?.location.pathname === APP) frame.contentWindow.location.reload(); // with what is known of its visitor
  const kept = await navigator.storage?.persist?.();
  if (kept === false) console.info("the browser may remove games when it needs room");
  navigator.serviceWorker.controller?.postMessage("keep all");
}

/** One window at a time has the games, or two would write over each other. @param {boolean} steal */
function hold(steal) {
  const until = () => begin().then(() => new Promise(() => {}));
  const options = steal ? { steal: true } : { ifAvailable: true };
  navigator.locks.request(LOCK, options, (lock) => {
    if (lock) return until();
    $("progress").hidden = true;
    say(words.elsewhere, words.here, () => hold(true));
    return undefined;
  }).catch(() => { // another window took over
    worker?.terminate();
    frame.remove();
    $("wait").hidden = false;
    say(words.elsewhere, words.here, () => location.reload());
  });
}

if ("locks" in navigator) hold(false);
else void begin();
