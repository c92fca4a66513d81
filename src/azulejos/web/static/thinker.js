// @ts-check
// Thinking in the page, for its own visitor: a worker with the module of the game. It takes one core of at least two, and
// none while the page is hidden; whatever goes wrong, the server thinks.
import { thinkingWorker } from "./markup.js";
import { inSite } from "./root.js";
/** @import { CanThink, FoundLine, FoundMove, FoundTurns, Prepare, Rate, Search, Searched, Think } from "./messages" */
/** @import { Findings, Found } from "./searches.js" */

const CORES = 2; // with fewer, one worker would take more than half of them
const LONGEST_LOOK = 60; // seconds for all searches of one question
const DEAF = 10; // seconds after its time at which a worker counts as ended by the browser, which does not say so

export class Thinker {
  /** @param {(said: CanThink | FoundMove | FoundTurns | Searched) => void} tell the server */
  constructor(tell) {
    this.tell = tell;
    /** @type {Prepare | null} */
    this.files = null;
    /** @type {Worker | null} */
    this.worker = null;
    this.ready = false;
    /** The question that the worker has, or will get when it is ready. */
    this.asked = /** @type {{ task: number } | null} */ (null);
    /** @type {ReturnType<typeof setTimeout> | undefined} until the worker counts as gone */
    this.watch = undefined;
    document.addEventListener("visibilitychange", () => { if (document.hidden) this.rest(); else this.wake(); });
  }

  /** The server says with what this page may think: at the beginning, and after every new connection. @param {Prepare} files */
  prepare(files) {
    if (this.files && this.files.memory !== files.memory) this.rest(); // the same with networks
    this.files = files;
    this.wake();
  }

  wake() {
    if (!this.files || document.hidden || navigator.hardwareConcurrency < CORES) return;
    if (this.ready) this.told();
    if (!this.worker) this.start(this.files);
  }

  /** @param {Prepare} files */
  start({ code, description, memory }) {
    const worker = this.worker = new Worker(/** @type {string} */ (thinkingWorker()), { type: "module" });
    worker.onmessage = ({ data }) => { if (worker === this.worker) this.hear(data); };
    worker.onerror = (error) => { if (worker === this.worker) this.fail(error.message); };
    worker.postMessage({ open: { code: inSite(code), description: inSite(description), memory: inSite(memory) } });
  }

  /** A search ends with its worker. */
  end() {
    this.worker?.terminate();
    this.worker = null;
    this.ready = false;
    this.done();
  }

  /** Nothing is asked any more. */
  done() {
    clearTimeout(this.watch);
    this.asked = null;
  }

  /** Nobody looks. */
  rest() {
    if (this.worker) this.tell({ do: "thinks", on: false, memory: "" });
    this.end();
    delete document.documentElement.dataset.thinks;
  }

  /** Nobody needs the answer any more. */
  stop() {
    if (!this.asked) return;
    this.end();
    if (this.files) this.start(this.files);
  }

  /** The turn of a bot. @param {Think} turn */
  think({ task, level, row, seconds, seed }) {
    this.ask({ task, play: { level, row: bytes(row), limit: { seconds, nodes: null }, seed: BigInt(seed) } }, seconds);
  }

  /** All turns of a position. @param {Rate} asked */
  rate({ task, row, seconds, seed }) { this.ask({ task, rate: { row: bytes(row), seconds, seed: BigInt(seed) } }, seconds); }

  /** What a hint or the coach needs to know. @param {Search} asked */
  look({ task, anew, searches }) {
    const wanted = searches.map(({ row, seed, ...rest }) => ({ ...rest, row: bytes(row), seed: BigInt(seed) }));
    this.ask({ task, look: { anew, searches: wanted } }, LONGEST_LOOK);
  }

  /** One question at a time: a new one ends the search for the one before. @param {{ task: number, play?: object, rate?: object, look?: object }} question @param {number} seconds */
  ask(question, seconds) {
    if (!this.worker) return; // the server knows already that nobody thinks here
    this.stop();
    this.asked = question;
    this.watch = setTimeout(() => this.stop(), (seconds + DEAF) * 1000);
    if (this.ready) this.worker.postMessage(question);
  }

  /** @param {{ ready?: boolean, task?: number, found?: Found, lines?: FoundLine[], findings?: Findings, last?: boolean, failed?: string }} heard */
  hear({ ready, task = 0, found, lines, findings, last = false, failed }) {
    if (failed) return this.fail(failed);
    if (ready) return this.begin();
    if (task !== this.asked?.task) return;
    if (found || lines || last) this.done();
    if (lines) this.tell({ do: "searched", task, found: lines });
    if (found) this.tell({ do: "found", task, action: found.line[0], nodes: found.nodes });
    if (findings) this.tell({ do: "rated", task, ...findings, last });
  }

  begin() {
    this.ready = true;
    document.documentElement.dataset.thinks = "";
    if (this.asked) this.worker?.postMessage(this.asked);
    else this.told();
  }

  told() { this.tell({ do: "thinks", on: true, memory: this.files?.memory ?? "" }); }

  /** Nothing is tried again in this page. @param {string} reason */
  fail(reason) {
    console.error(`The server thinks from now on, because thinking in the page failed: ${reason}`);
    this.files = null;
    this.rest();
  }
}

/** @param {string} text in base64 */
const bytes = (text) => Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
