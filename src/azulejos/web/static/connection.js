// @ts-check
// The connection to the server. It reconnects by itself and keeps the command that has not been answered yet.
/** @import { Frame, ToTable } from "./messages" */
/** @import { Command, Question } from "./types" */
import { alone, open } from "./line.js";

const LONGEST_WAIT = 8000;
const RELOADED = "azulejos.reloaded";
const RELOAD_PAUSE = 10_000;

/** @typedef {Command & { id: number }} Sent */

export class Connection {
  /**
   * @param {string} path @param {{ protocol: string, plan: string }} version
   * @param {Record<string, (message: any) => void>} on a function for each type of message, and lost, back, pending
   * @param {string} number what the player adds to the draws; empty: nothing
   */
  constructor(path, version, on, number = "") {
    this.url = new URL(path, location.href);
    this.url.protocol = location.protocol === "https:" ? "wss:" : "ws:";
    this.version = version;
    this.on = on;
    this.number = number;
    this.tries = 0;
    this.count = 0;
    /** @type {Sent | null} */
    this.pending = null;
    /** A confirmation of what is pending: its frame may be shown before its answer is here. @type {Command | null} */
    this.after = null;
    addEventListener("pagehide", () => { this.leaving = true; });
    if (!alone) addEventListener("offline", () => this.lose());
    this.open();
  }

  open() {
    const socket = open(this.url);
    this.socket = socket;
    this.greeted = false;
    socket.onopen = () => {
      if (this.tries > 0) this.on.back(null);
      this.tries = 0;
      socket.send(JSON.stringify({ do: "hello", ...this.version }));
      if (this.number) socket.send(JSON.stringify({ do: "number", number: this.number }));
    };
    socket.onmessage = ({ data }) => this.heard(JSON.parse(data));
    socket.onclose = () => this.closed();
  }

  closed() {
    if (this.leaving) return;
    this.on.lost(null);
    this.tries += 1;
    setTimeout(() => this.open(), Math.min(LONGEST_WAIT, 250 * 2 ** this.tries));
  }

  /** The network is gone: nothing would come through this line, and it could take a minute to notice. */
  lose() {
    const { socket } = this;
    if (!socket || socket.readyState > WebSocket.OPEN) return;
    socket.onclose = socket.onmessage = null;
    socket.close();
    this.closed();
  }

  /** @param {ToTable} message */
  heard(message) {
    if (message.type === "reload") return reload(message.text);
    if (message.type === "frame" && message.news.whole && this.pending) this.resolve(message);
    if (message.type === "refused") this.after = null;
    if ("id" in message && message.id && message.id === this.pending?.id) this.answered();
    return this.on[message.type]?.(message);
  }

  /** Send a command that changes something. It is answered once, however the move was entered. @param {Command} command */
  command(command) {
    if (this.pending) {
      if (command.do === "confirm" && this.pending.do !== "confirm") this.after = command;
      return;
    }
    this.count += 1;
    this.pending = { ...command, id: this.count };
    this.on.pending(this.pending);
    this.send(this.pending);
  }

  /** @param {Question} question */
  ask(question) { this.send(question); }

  /** The command that was pending is not meant any more, and has not been sent. */
  withdraw() {
    this.pending = this.after = null;
    this.on.pending(null);
  }

  answered() {
    const { after } = this;
    this.withdraw();
    if (after) this.command(after);
  }

  /** After a reconnection: if the pending command did not arrive, send it again; otherwise it is done. @param {Frame} frame */
  resolve(frame) {
    const { pending } = this;
    if (!pending) return;
    const waits = frame.mine && "ply" in pending && frame.ply === pending.ply && (pending.do !== "confirm" || frame.confirm);
    if (waits) this.send(pending);
    else this.answered();
  }

  /** @param {object} message */
  send(message) {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message));
  }
}

/** The page is older than the server: reload it and say so afterwards, but do not reload in a loop. @param {string} text */
function reload(text) {
  const last = Number(sessionStorage.getItem(`${RELOADED}.at`) ?? 0);
  if (Date.now() - last < RELOAD_PAUSE) return;
  sessionStorage.setItem(`${RELOADED}.at`, String(Date.now()));
  sessionStorage.setItem(RELOADED, text);
  location.reload();
}

/** Why this page was reloaded; told only once. */
export function reloaded() {
  const text = sessionStorage.getItem(RELOADED);
  sessionStorage.removeItem(RELOADED);
  return text;
}
