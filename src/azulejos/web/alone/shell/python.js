// @ts-check
// The worker in which the application runs: Python compiled to WebAssembly, its files, and the games of this browser.
// Another worker of the same file thinks, with a Python of its own (web/alone/thinking.py).
// @ts-ignore
import { loadPyodide } from "./pyodide/pyodide.mjs";
import { moduleOf } from "./module.js";

const DATA = "/data";
const LOOK = 300; // milliseconds between two looks for what changed
/** @type {any} */
let python;
/** @type {any} The application (web/alone/site.py). */
let site;
let lines = 0;
/** @type {Promise<void> | undefined} Requests and lines wait for it. */
let begun;

/** @param {object} message */
const tell = (message) => postMessage(message);

/** Python with everything that it needs. @param {string} root */
async function boot(root) {
  Object.assign(self, { moduleOf });
  const files = fetch("azulejos.zip").then((answer) => answer.arrayBuffer());
  python = await loadPyodide({ indexURL: `${root}pyodide/`, env: { HOME: DATA } });
  tell({ progress: 45 });
  python.unpackArchive(await files, "zip", { extractDir: "/azulejos" });
  python.runPython("import sys; sys.path.insert(0, '/azulejos')");
  Object.assign(self, { python }); // for the tests (tests/web/alone)
}

/** @param {{ root: string, origin: string, languages: string }} where */
async function start(where) {
  tell({ progress: 5 });
  await boot(where.root);
  Object.assign(self, { startThinker: () => new Thinker(where.root) });
  python.FS.mkdirTree(DATA);
  python.FS.mount(python.FS.filesystems.IDBFS, {}, DATA);
  await synchronised(true);
  tell({ progress: 60 });
  const { opened } = python.pyimport("azulejos.web.alone.browser");
  tell({ progress: 85 });
  site = await opened(`${where.root}app`, where.origin, DATA, where.languages);
  await synchronised(false);
  setInterval(() => { void keep(); }, LOOK);
  tell({ progress: 100, ready: true });
}

// --- what is kept -------------------------------------------------------------------------------------------------

/** @param {boolean} read from the browser's database, or write into it @returns {Promise<void>} */
const synchronised = (read) => new Promise((resolve, reject) => {
  python.FS.syncfs(read, (/** @type {unknown} */ error) => { if (error) reject(error); else resolve(); });
});

let seen = "", keeping = false;
async function keep() {
  const { FS } = python;
  const now = FS.readdir(DATA).filter((/** @type {string} */ name) => !name.startsWith("."))
    .map((/** @type {string} */ name) => { const { mtime, size } = FS.stat(`${DATA}/${name}`); return `${name} ${Number(mtime)} ${size}`; }).join();
  if (keeping || now === seen) return;
  keeping = true;
  try {
    await synchronised(false);
    seen = now;
  } catch {
    seen = now;
    tell({ unsaved: true }); // no room, or a private window
  } finally {
    keeping = false;
  }
}

// --- requests and lines -------------------------------------------------------------------------------------------

/** @param {{ method: string, url: string, headers: Record<string, string>, body: ArrayBuffer }} request @param {MessagePort} port */
async function answer({ method, url, headers, body }, port) {
  try {
    await begun;
    const found = await site.request(method, url, python.toPy(headers), python.toPy(new Uint8Array(body)));
    const [status, pairs, bytes] = found.toJs({ create_proxies: false });
    found.destroy();
    port.postMessage({ status, headers: pairs, body: bytes });
    if (site.language) tell({ language: site.language });
  } catch (error) {
    console.error(error);
    port.postMessage({ status: 500, headers: [["content-type", "text/plain"]], body: new TextEncoder().encode(String(error)) });
  }
}

/** @param {string} address @param {MessagePort} port */
async function connect(address, port) {
  await begun;
  const line = ++lines;
  port.onmessage = ({ data }) => { if (data === null) site.close(line); else site.hear(line, data); };
  site.open(line, address, (/** @type {string} */ text) => port.postMessage(text || null));
}

// --- thinking -----------------------------------------------------------------------------------------------------

const urls = /** @type {any} */ (globalThis).trustedTypes?.createPolicy?.("azulejos", { createScriptURL: (/** @type {string} */ url) => url });

/** A worker that thinks, for the application. */
class Thinker {
  /** @param {string} root */
  constructor(root) {
    const own = `${root}python.js`;
    this.worker = new Worker(urls?.createScriptURL(own) ?? own, { type: "module" });
    this.worker.postMessage({ think: root });
  }

  /** @param {(text: string) => void} said an answer; an empty text: it has ended */
  hear(said) {
    /** @type {any} */
    const kept = /** @type {any} */ (said).copy?.() ?? said; // Python forgets its own
    this.worker.onmessage = ({ data }) => { if (data.answer !== undefined) kept(data.answer); if (data.failed) kept(""); };
    this.worker.onerror = () => kept("");
  }

  /** @param {string} task */
  ask(task) { this.worker.postMessage({ task }); }

  stop() { this.worker.postMessage({ stop: true }); }

  close() { this.worker.terminate(); }
}

/** @type {Promise<any> | undefined} The desk, in the worker that thinks. */
let desk;

/** @param {string} task */
async function think(task) {
  const own = await desk;
  own.begin(task);
  for (let answer = own.next(); answer; answer = own.next()) {
    tell({ answer });
    await new Promise((resolve) => { setTimeout(resolve); }); // to hear whether it shall stop
  }
}

onmessage = ({ data, ports }) => {
  if (data.think) desk = boot(data.think).then(() => python.pyimport("azulejos.web.alone.thinking").PageDesk(data.think));
  if (data.task) think(data.task).catch((error) => { console.error(error); tell({ failed: String(error) }); });
  if (data.stop) void desk?.then((own) => own.stop());
  if (data.start) {
    begun = start(data.start);
    begun.catch((error) => { console.error(error); tell({ failed: String(error) }); });
  }
  if (data.request) void answer(data.request, ports[0]);
  if (data.line) void connect(data.line, ports[0]);
};
