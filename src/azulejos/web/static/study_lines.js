// @ts-check
// The tree of lines of a study: where its nodes are, and the part of it that is in view.
import { html, svg } from "./dom.js";
/** @import { Places } from "./plan.js" */
/** @import { StudyNode } from "./messages" */

const WIDTH = 152; // pixels from one move to the next
const HEIGHT = 52; // from one line to the next
const CELL = { width: 136, height: 36 };
const MARGIN = 200; // pixels around the view that are drawn as well
const PIECES = 3; // kinds in one cell

/** @typedef {{ twig: StudyNode, col: number, row: number, from: Cell | null }} Cell the last node of a turn, and where it is drawn */

export class Lines {
  /** @param {HTMLElement} view scrolls @param {HTMLElement} canvas @param {Places} places @param {Record<string, string>} words @param {(node: number) => void} go */
  constructor(view, canvas, places, words, go) {
    this.view = view;
    this.canvas = canvas;
    this.places = places;
    this.words = words;
    /** @type {Map<number, StudyNode>} */
    this.twigs = new Map();
    /** @type {Map<number, number[]>} the children of a node, in order */
    this.children = new Map();
    /** @type {Map<number, Cell>} by the number of its last node */
    this.cells = new Map();
    /** @type {Cell[][]} by row */
    this.rows = [];
    this.current = 0;
    this.stale = false;
    view.addEventListener("scroll", () => this.draw(), { passive: true });
    new ResizeObserver(() => this.draw()).observe(view);
    canvas.addEventListener("click", ({ target }) => {
      const button = target instanceof Element ? /** @type {HTMLElement | null} */ (target.closest("[data-node]")) : null;
      if (button) go(Number(button.dataset.node));
    });
  }

  /** @param {StudyNode[]} twigs new or changed */
  grow(twigs) {
    for (const twig of twigs) {
      const { number, parent, order = 0 } = twig;
      this.twigs.set(number, twig);
      if (parent < 0) continue;
      const siblings = (this.children.get(parent) ?? []).filter((other) => other !== number);
      siblings.splice(order, 0, number);
      this.children.set(parent, siblings);
    }
    for (const { parent } of twigs) if (parent >= 0) this.children.get(parent)?.sort((a, b) => (this.twigs.get(a)?.order ?? 0) - (this.twigs.get(b)?.order ?? 0));
    this.change();
  }

  /** @param {number[]} nodes */
  shed(nodes) {
    for (const node of nodes) {
      const parent = this.twigs.get(node)?.parent ?? -1;
      this.children.set(parent, (this.children.get(parent) ?? []).filter((other) => other !== node));
      this.children.delete(node);
      this.twigs.delete(node);
    }
    this.change();
  }

  /** The layout is made again before the next picture, however many messages arrive. */
  change() {
    if (this.stale) return;
    this.stale = true;
    requestAnimationFrame(() => { this.stale = false; this.lay(); this.draw(); });
  }

  /** @param {number} node */
  childrenOf(node) { return this.children.get(node) ?? []; }

  /** Whether a node is in the middle of a turn: the only step that follows belongs to the same turn. @param {number} node */
  within(node) {
    const [only, other] = this.childrenOf(node);
    const { turn = 0, seat = -1, comment } = this.twigs.get(node) ?? {};
    const next = this.twigs.get(only);
    return other === undefined && !comment && seat >= 0 && next?.turn === turn && next?.seat === seat;
  }

  /** The end of the turn that a node begins. @param {number} node */
  endOf(node) {
    while (this.within(node)) [node] = this.childrenOf(node);
    return node;
  }

  /** One move forward along the line. @param {number} node */
  next(node) {
    const [child] = this.childrenOf(node);
    return child === undefined ? node : this.endOf(child);
  }

  /** One move back. @param {number} node */
  before(node) {
    let parent = this.twigs.get(node)?.parent ?? -1;
    while (parent > 0 && this.within(parent)) parent = this.twigs.get(parent)?.parent ?? -1;
    return Math.max(0, parent);
  }

  /** The same move in the branch above or below; of the nearest branching on the way here. @param {number} node @param {number} by */
  beside(node, by) {
    for (let at = node; at > 0; at = this.twigs.get(at)?.parent ?? 0) {
      const siblings = this.childrenOf(this.twigs.get(at)?.parent ?? 0);
      const other = siblings[siblings.indexOf(at) + by];
      if (other !== undefined) return this.endOf(other);
    }
    return node;
  }

  /** The nodes from the first position to a node, without the first. @param {number} node */
  path(node) {
    const path = [];
    for (let at = node; at > 0; at = this.twigs.get(at)?.parent ?? 0) path.unshift(at);
    return path;
  }

  /** The moves of the line through a node, from the beginning to its end. @param {number} node */
  line(node) {
    const stops = [0];
    for (const at of this.path(node)) if (!this.within(at)) stops.push(at);
    for (let at = node, on = this.next(at); on !== at; at = on, on = this.next(at)) stops.push(on);
    return stops;
  }

  /** How a link names a node (line_tree.py). @param {number} node */
  address(node) {
    const parts = [0];
    for (const at of this.path(node)) {
      const order = this.childrenOf(this.twigs.get(at)?.parent ?? 0).indexOf(at);
      if (order > 0) parts.push(order, 0);
      else parts[parts.length - 1] += 1;
    }
    return parts.join(".");
  }

  /** @param {string} address */
  at(address) {
    let node = 0;
    for (const [i, part] of address.split(".").entries()) {
      const number = Number(part) || 0;
      for (let k = 0; k < (i % 2 ? 1 : number); k += 1) {
        const child = this.childrenOf(node)[i % 2 ? number : 0];
        if (child === undefined) return node;
        node = child;
      }
    }
    return node;
  }

  // --- drawing -------------------------------------------------------------------------------------------

  /** Give every move a place: a line is a row, branches are below it, the latest first. */
  lay() {
    this.cells.clear();
    this.rows = [];
    /** @type {{ first: number, from: Cell | null }[]} */
    const waiting = this.childrenOf(0).map((first) => ({ first, from: null })).reverse();
    while (waiting.length) {
      const { first, from } = /** @type {{ first: number, from: Cell | null }} */ (waiting.pop());
      const row = this.rows.length;
      /** @type {Cell[]} */ const cells = [];
      let [node, before] = [this.endOf(first), from];
      for (;;) {
        const cell = { twig: /** @type {StudyNode} */ (this.twigs.get(node)), col: (before?.col ?? -1) + 1, row, from: before };
        cells.push(cell);
        this.cells.set(node, cell);
        const branches = this.childrenOf(node).slice(1);
        for (const branch of branches.reverse()) waiting.push({ first: branch, from: cell });
        const on = this.next(node);
        if (on === node) break;
        [node, before] = [on, cell];
      }
      this.rows.push(cells);
    }
    const wide = this.rows.reduce((most, cells) => Math.max(most, cells.at(-1)?.col ?? 0), 0);
    this.canvas.style.width = `${(wide + 1) * WIDTH}px`;
    this.canvas.style.height = `${Math.max(1, this.rows.length) * HEIGHT}px`;
  }

  /** Draw the cells in view, and the joints that lead to them. */
  draw() {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.view;
    const [top, bottom] = [scrollTop - MARGIN, scrollTop + clientHeight + MARGIN].map((y) => Math.max(0, Math.floor(y / HEIGHT)));
    const [left, right] = [(scrollLeft - MARGIN) / WIDTH - 1, (scrollLeft + clientWidth + MARGIN) / WIDTH];
    const cells = this.rows.slice(top, bottom + 1).flatMap((row) => row.filter(({ col }) => col >= left && col <= right));
    const joints = this.rows.flatMap(([first]) => (first?.from && first.row >= top && first.from.row <= bottom ? [first] : []));
    const drawn = svg("svg", { class: "joints", width: parseFloat(this.canvas.style.width) || 1, height: parseFloat(this.canvas.style.height) || 1 },
      ...cells.map((cell) => svg("path", { d: this.stroke(cell) })), ...joints.map((cell) => svg("path", { d: this.joint(cell) })));
    this.canvas.replaceChildren(drawn, ...cells.map((cell) => this.node(cell)));
  }

  /** From the move before in the same row. @param {Cell} cell */
  stroke({ col, row, from }) {
    if (!from || from.row !== row) return "";
    const y = row * HEIGHT + CELL.height / 2;
    return `M${from.col * WIDTH + CELL.width} ${y}H${col * WIDTH}`;
  }

  /** From the line above, with a rounded corner. @param {Cell} cell */
  joint({ col, row, from }) {
    if (!from) return "";
    const [x, y] = [from.col * WIDTH + 24, row * HEIGHT + CELL.height / 2];
    return `M${x} ${from.row * HEIGHT + CELL.height}V${y - 12}Q${x} ${y} ${x + 12} ${y}H${col * WIDTH}`;
  }

  /** @param {Cell} cell */
  node({ twig, col, row }) {
    const button = html("button", { type: "button", className: "move", title: this.spoken(twig), data: { node: twig.number }, tabIndex: -1 }, ...this.label(twig));
    button.ariaLabel = this.spoken(twig);
    if (twig.number === this.current) button.ariaCurrent = "true";
    button.classList.toggle("commented", Boolean(twig.comment));
    button.style.left = `${col * WIDTH}px`;
    button.style.top = `${row * HEIGHT}px`;
    return button;
  }

  /** The steps of the whole turn that ends with a node. @param {StudyNode} twig */
  stepsOf(twig) {
    const steps = [];
    for (let at = /** @type {StudyNode | undefined} */ (twig); at; at = this.twigs.get(at.parent)) {
      steps.unshift(...(at.steps ?? []));
      if (at.parent <= 0 || !this.within(at.parent)) break;
    }
    return steps;
  }

  /** @param {StudyNode} twig @returns {(Node | string)[]} */
  label(twig) {
    if ((twig.seat ?? -1) < 0) return [html("i", { textContent: twig.parent < 0 ? this.words.start : this.words.deal })];
    const steps = this.stepsOf(twig);
    const pictures = steps.flatMap(({ pieces = [] }) => pieces).slice(0, PIECES).flatMap(([kind, count]) => [...(count > 1 ? [`${count}×`] : []), this.places.icon(kind)]);
    return [html("small", { textContent: String(twig.turn) }), ...pictures, html("span", { textContent: steps.at(-1)?.name ?? twig.move ?? "" })];
  }

  /** A move in words. @param {StudyNode | undefined} twig */
  spoken(twig) {
    if (!twig || twig.parent < 0) return this.words.start;
    if ((twig.seat ?? -1) < 0) return this.words.deal;
    const said = this.stepsOf(twig).map(({ pieces = [], name }) => [...pieces.map(([kind, count]) => `${count} × ${this.places.plan.kinds[kind][1]}`), name].join(" "));
    return `${twig.turn}. ${said.join(", ")}${twig.comment ? ` – ${twig.comment}` : ""}`;
  }

  /** @param {number} node */
  mark(node) {
    this.current = node;
    this.lay();
    const cell = this.cells.get(node);
    if (cell) {
      const [x, y] = [cell.col * WIDTH, cell.row * HEIGHT];
      const { view } = this;
      if (x < view.scrollLeft || x + WIDTH > view.scrollLeft + view.clientWidth) view.scrollLeft = x - view.clientWidth / 3;
      if (y < view.scrollTop || y + HEIGHT > view.scrollTop + view.clientHeight) view.scrollTop = y - view.clientHeight / 3;
    }
    this.draw();
  }
}
