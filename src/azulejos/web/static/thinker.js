// @ts-check
// Thinking in the page, for its own visitor: a worker with the module of the game. It takes one core of at least two, and
// none while the page is hidden; whatever goes wrong, the server thinks.
import { thinkingWorker } from "./markup.js";
import { inSite } from "./root.js";
/** @import { CanThink, FoundMove, Prepare, Think } from "./messages" */

const CORES = 2; // with fewer, one worker would take more than half of them

export class Thinker {
  /** @param {(said: CanThink | FoundMove) => void} tell the server */
  constructor(tell) {
    this.tell = tell;
    /** @type {Prepare | null} */
    this.files = null;
    /** @type {Worker | null} */
    this.worker = null;
    this.ready = false;
    document.addEventListener("visibilitychange", () => { if (document.hidden) this.rest(); else this.wake(); });
  }

  /** The server says with what this page may think: at the beginning, and after every new connection. @param {Prepare} files */
  prepare(files) {
    this.files = files;
    this.wake();
  }

  wake() {
    if (!this.files || document.hidden || navigator.hardwareConcurrency < CORES) return;
    if (this.ready) this.tell({ do: "thinks", on: true });
    if (this.worker) return;
    this.worker = new Worker(/** @type {string} */ (thinkingWorker()), { type: "module" });
    this.worker.onmessage = ({ data }) => this.hear(data);
    this.worker.onerror = (error) => this.hear({ failed: error.message });
    const { code, description, memory } = this.files;
    this.worker.postMessage({ open: { code: inSite(code), description: inSite(description), memory: inSite(memory) } });
  }

  /** Nobody looks: the search ends with its worker. */
  rest() {
    if (this.worker) this.tell({ do: "thinks", on: false });
    this.worker?.terminate();
    this.worker = null;
    this.ready = false;
    delete document.documentElement.dataset.thinks;
  }

  /** @param {Think} turn */
  think({ task, level, row, seconds, seed }) {
    const bytes = Uint8Array.from(atob(row), (letter) => letter.charCodeAt(0));
    const asked = { level, row: bytes, limit: { seconds, nodes: null }, seed: BigInt(seed) };
    if (this.ready) this.worker?.postMessage({ task, asked });
    else this.tell({ do: "found", task, action: null, nodes: 0 });
  }

  /** @param {{ ready?: boolean, task?: number, found?: import("./searches.js").Found, failed?: string }} heard */
  hear({ ready, task = 0, found, failed }) {
    if (failed) return this.fail(task, failed);
    if (ready) {
      this.ready = true;
      document.documentElement.dataset.thinks = "";
      this.tell({ do: "thinks", on: true });
    }
    if (found) this.tell({ do: "found", task, action: found.line[0], nodes: found.nodes });
  }

  /** Nothing is tried again in this page. @param {number} task @param {string} reason */
  fail(task, reason) {
    console.error(`The server thinks from now on, because thinking in the page failed: ${reason}`);
    this.files = null;
    if (task) this.tell({ do: "found", task, action: null, nodes: 0 });
    this.rest();
  }
}
