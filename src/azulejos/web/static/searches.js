// @ts-check
// How a level chooses (bots/skill.py, bots/search.py), with the functions of a module and the memory of a file
// (bots/page_memory.py). By nodes alone, the same question has the same answer here and in Python, to the last bit.
import { Engine } from "./engine.js";
/** @import { Cells, Description, Held } from "./engine.js" */

/**
 * @typedef {object} Limit
 * @property {number | null} seconds
 * @property {number | null} nodes
 */
/**
 * @typedef {object} Asked
 * @property {string} level a level's name in the file
 * @property {Uint8Array} row the bytes of the position
 * @property {Limit} limit
 * @property {bigint} seed the state of a generator
 */
/**
 * @typedef {object} Found
 * @property {number[]} line actions: the one to play, and what is expected after it
 * @property {number} nodes
 * @property {number} value hundredths of a point
 * @property {number} depth
 * @property {boolean} proved
 * @property {number} deals
 */

/** @typedef {{ line: number[], value: number, visits: number, proved: boolean }} FoundTurn of a solver in points, of a tree from 0 to 1 */
/** @typedef {{ nodes: number, turns: FoundTurn[], means: number[] }} Findings */

/** @typedef {{ row: Uint8Array, nodes: number, seed: bigint, fresh: boolean, out: boolean }} Wanted */
/** @typedef {import("./messages").FoundLine} FoundLine */

const SLICE = 0.008; // seconds between two looks at the clock while a tree grows
const FIRST_SLICE = 8; // simulations of the first slice: how long one takes is not known yet
const NANOSECONDS = 1e9;
const FIRST_GROWTH = 64; // simulations before the first answer about all turns; every further one comes after twice as many
const SHOWN = 5; // turns
const TRIED = 4 * SHOWN; // of a tree: several may lead to the same position

export class Searches {
  /** @param {Response | Promise<Response> | BufferSource} code @param {Description} description @param {ArrayBuffer} file */
  static async open(code, description, file) { return new Searches(await Engine.open(code, description), file); }

  /** @param {Engine} engine @param {ArrayBuffer} file */
  constructor(engine, file) {
    this.engine = engine;
    const { header, blocks, memories } = engine.lay(file);
    this.levels = header.levels;
    this.numbers = header.numbers;
    this.blocks = blocks;
    const { MAX_LEGAL, SIZE } = engine.description.constants;
    const { room, line } = this.numbers;
    const { turns, search, proof, outlook, tree } = memories;
    this.turns = turns;
    this.search = search;
    this.proof = proof;
    this.outlook = outlook;
    this.tree = tree;
    this.rows = engine.array("|u1", [1, SIZE]);
    this.actions = engine.array("<i4", [MAX_LEGAL]);
    this.promises = engine.array("<i8", [room]);
    this.rng = engine.array("<u8", [1]);
    this.line = engine.array("<i4", [line]);
    this.edges = engine.array("<i8", [this.numbers.path]);
    this.ratings = engine.array("<i8", [MAX_LEGAL, this.numbers.columns]);
    this.lines = engine.array("<i4", [MAX_LEGAL, line]);
    this.transpositions = search && /** @type {Cells} */ (search.fields.transpositions).shape[0];
  }

  // --- what a level does ---------------------------------------------------------------------------------

  /** The choice of a level. @param {Asked} asked @returns {Found} */
  play({ level, row, limit, seed }) {
    const began = performance.now(), standard = this.levels[level];
    this.engine.view(this.rows).set(row);
    const count = this.engine.call("doors.legal_at", this.rows, 0, this.actions);
    if (count === 1) return this.found([this.engine.view(this.actions)[0]], { proved: true });
    if (standard.skill === undefined) return this.strongest(row, limit, seed, began);
    this.weigh(standard.weights);
    if (standard.skill < this.numbers.searches) return this.glance(row, standard.skill);
    const won = count <= this.numbers.provable ? this.won(row, limit, standard.nodes) : null;
    return won ?? this.look(row, limit, standard.nodes, seed, began);
  }

  /** As much as the limit allows. @param {Uint8Array} row @param {Limit} limit @param {bigint} seed @param {number} began */
  strongest(row, limit, seed, began) {
    return this.numbers.solvable ? this.solve(row, limit, seed, began) : this.grow(row, limit, seed, began);
  }

  /** A turn without search. @param {Uint8Array} row @param {number} skill */
  glance(row, skill) {
    this.put(this.turns, row);
    const rank = this.engine.call("choice.choose_turn", this.turns, this.promises, this.rng, skill, this.numbers.nonsense);
    return this.turn(rank);
  }

  /** A win in the last round, if a search proves it in half of the time. @param {Uint8Array} row @param {Limit} limit @param {number} own */
  won(row, { seconds, nodes }, own) {
    if (own >= this.numbers.winning || !this.numbers.solvable) return null;
    const most = Math.min(this.numbers.winning, nodes ?? this.numbers.winning);
    this.begin(this.proof, row, most, true);
    this.until(this.proof, seconds === null ? null : seconds / 2);
    const value = this.engine.call("choice.winning_line", this.proof, this.line, most);
    return value ? this.found(this.noted(this.line), { value, nodes: most, proved: true }) : null;
  }

  /** A short search, whose answer must also be sensible without search. @param {Uint8Array} row @param {Limit} limit @param {number} own @param {bigint} seed @param {number} began */
  look(row, { seconds, nodes }, own, seed, began) {
    const found = this.strongest(row, { seconds, nodes: Math.min(own, nodes ?? own) }, seed, began);
    this.put(this.turns, row);
    const { nonsense } = this.numbers;
    if (!this.engine.call("choice.is_nonsense", this.turns, found.line[0], nonsense)) return found;
    const rank = this.engine.call("choice.first_sensible", this.turns, this.promises, nonsense);
    const { line, value } = this.turn(rank);
    return { ...found, line, value };
  }

  // --- all turns of a position ---------------------------------------------------------------------------

  /** Rate the turns of a position, better and better. @param {{ row: Uint8Array, seconds: number, seed: bigint }} asked @param {(found: Findings) => void} tell */
  rate({ row, seconds, seed }, tell) {
    const began = performance.now();
    if (this.numbers.solvable) this.rateBySolving(row, seconds, tell);
    else this.rateByGrowing(row, seed, () => seconds - (performance.now() - began) / 1000, tell);
  }

  /** @param {Uint8Array} row @param {number} seconds @param {(found: Findings) => void} tell */
  rateBySolving(row, seconds, tell) {
    this.begin(this.search, row, this.numbers.unbounded, false);
    this.until(this.search, seconds);
    const count = this.engine.call("solver.begin_ratings", this.search, this.ratings, this.lines);
    let depth = 0, goesOn = 1;
    while (goesOn) {
      tell(this.rated(count));
      depth += 1;
      goesOn = this.engine.call("solver.rate_to_depth", this.search, count, depth, 0, this.ratings, this.lines);
    }
    tell(this.rated(count));
  }

  /** What is known of the actions. @param {number} count @returns {Findings} */
  rated(count) {
    const { rating: at, search } = this.numbers;
    const turns = Array.from({ length: count }, (_, i) => {
      const row = this.engine.view(this.engine.row(this.ratings, i));
      const line = this.noted(this.engine.row(this.lines, i));
      return { line, value: Number(row[at.rating]) / 100, visits: 0, proved: Boolean(row[at.rated_proved]) };
    });
    turns.sort((one, other) => other.value - one.value);
    return { nodes: Number(this.view(this.search, "counters")[search.nodes]), turns: turns.slice(0, SHOWN), means: [] };
  }

  /** @param {Uint8Array} row @param {bigint} seed @param {() => number} time what is left of it @param {(found: Findings) => void} tell */
  rateByGrowing(row, seed, time, tell) {
    this.plant(row, seed, true);
    for (let most = FIRST_GROWTH; ; most *= 2) {
      const before = Number(this.view(this.tree, "counters")[this.numbers.tree.simulations]);
      this.simulate(most, Math.max(0, time()));
      const after = Number(this.view(this.tree, "counters")[this.numbers.tree.simulations]);
      tell(this.grown(after));
      if (time() <= 0 || after === before || this.crowded()) return;
    }
  }

  /** What the tree says about the turns at its root. @param {number} simulations @returns {Findings} */
  grown(simulations) {
    const { engine } = this, nodes = this.cells(this.tree, "nodes"), edges = this.cells(this.tree, "edges");
    const first = engine.field(nodes, 0, "first"), count = engine.field(nodes, 0, "count");
    const turns = Array.from({ length: count }, (_, i) => {
      const visits = engine.field(edges, first + i, "visits");
      return { line: this.turnOf(first + i), value: engine.field(edges, first + i, "total") / visits, visits, proved: false };
    }).filter(({ visits }) => visits > 0);
    turns.sort((one, other) => other.visits - one.visits);
    return { nodes: simulations, turns: turns.slice(0, TRIED), means: this.means() };
  }

  // --- what a judge wants to know (insight/judge.py) ------------------------------------------------------

  /** Searches of given sizes, one after the other. @param {{ anew: boolean, searches: Wanted[] }} asked @returns {FoundLine[]} */
  lookUp({ anew, searches }) {
    if (anew && this.numbers.solvable) this.engine.call("solver.forget", this.search);
    return searches.map((wanted) => (wanted.out ? this.follow(wanted) : this.searched(wanted)));
  }

  /** @param {Wanted} wanted @returns {FoundLine} */
  searched(wanted) { return this.numbers.solvable ? this.solved(wanted) : this.grew(wanted); }

  /** @param {Wanted} wanted @returns {FoundLine} */
  solved({ row, nodes, fresh }) {
    const { search: at } = this.numbers;
    this.begin(this.search, row, nodes, fresh);
    this.until(this.search, null);
    this.engine.call("solver.deepen", this.search);
    const counters = this.view(this.search, "counters");
    const line = fresh ? [] : this.noted(this.engine.row(this.cells(this.search, "lines"), 0));
    return { line, value: Number(counters[at.value]), proved: Boolean(counters[at.proved]) };
  }

  /** @param {Wanted} wanted @returns {FoundLine} */
  grew({ row, nodes, seed, fresh }) {
    this.plant(row, seed, true);
    this.simulate(nodes, null);
    return { line: fresh ? [] : this.bestLine(), means: this.means() };
  }

  /** Play the best action of each search until something is drawn or the game is over. @param {Wanted} wanted @returns {FoundLine} */
  follow(wanted) {
    const { engine } = this, line = [], memory = this.numbers.solvable ? this.search : this.tree;
    let row = wanted.row;
    for (;;) {
      this.put(memory, row);
      if (engine.field(this.cells(memory, "stack"), 0, "to_move") < 0) return { line };
      const [action] = this.searched({ ...wanted, row }).line;
      engine.view(this.rows).set(row);
      if (!engine.call("doors.play_at", this.rows, 0, action)) throw new Error(`the search found ${action}, which is not legal`);
      row = engine.view(this.rows).slice();
      line.push(action);
    }
  }

  // --- two seats, rounds without chance --------------------------------------------------------------------

  /** @param {Uint8Array} row @param {Limit} limit @param {bigint} seed @param {number} began @returns {Found} */
  solve(row, { seconds, nodes }, seed, began) {
    const { search: at } = this.numbers, most = nodes ?? this.numbers.unbounded;
    this.begin(this.search, row, most, seconds === null && nodes !== null);
    this.view(this.outlook, "rng")[1] = seed;
    this.until(this.search, seconds === null ? null : left(seconds, began));
    this.engine.call("solver.deepen", this.search);
    const proved = this.view(this.search, "counters")[at.proved];
    const deals = proved ? this.engine.call("ahead.decide", this.search, this.outlook) : 0;
    const counters = this.view(this.search, "counters");
    const [value, depth, searched] = [at.value, at.depth, at.nodes].map((which) => Number(counters[which]));
    const line = this.noted(this.engine.row(this.cells(this.search, "lines"), 0));
    return { line, value, depth, nodes: searched, proved: Boolean(proved), deals };
  }

  /** Set a position and a limit of nodes. If nodes alone limit it, what was found before must not matter. @param {Held} memory @param {Uint8Array} row @param {number} nodes @param {boolean} alone */
  begin(memory, row, nodes, alone) {
    this.put(memory, row);
    this.view(memory, "counters").fill(0n)[this.numbers.search.limit] = BigInt(nodes);
    const history = this.view(memory, "history");
    for (let i = 0; i < history.length; i++) history[i] >>= 3;
    const table = this.cells(memory, "transpositions"), all = table.shape[0];
    const most = memory === this.search ? /** @type {number} */ (this.transpositions) : all;
    table.shape[0] = alone ? Math.min(most, 2 ** Math.max(4, (2 * nodes).toString(2).length)) : most;
    this.engine.write(memory, "transpositions");
    if (alone) this.engine.call("solver.forget", memory);
  }

  /** The search ends by itself after so many seconds. @param {Held} memory @param {number | null} seconds */
  until(memory, seconds) {
    const { clock: at } = this.numbers, clock = this.view(memory, "clock");
    this.view(memory, "flag")[0] = 0n;
    clock[at.which] = clock[at.wall];
    clock[at.began] = 0n;
    clock[at.budget] = seconds === null ? 0n : BigInt(Math.max(1, Math.round(seconds * NANOSECONDS)));
  }

  // --- all other tables --------------------------------------------------------------------------------------

  /** @param {Uint8Array} row @param {Limit} limit @param {bigint} seed @param {number} began @returns {Found} */
  grow(row, limit, seed, began) {
    const inTurn = this.engine.call("doors.in_turn_at", this.rows, 0);
    const seconds = inTurn && limit.seconds !== null ? limit.seconds / 4 : limit.seconds; // the first action considered the whole turn
    const nodes = inTurn && limit.nodes !== null ? Math.floor(limit.nodes / 4) : limit.nodes;
    const { tree: at } = this.numbers;
    this.plant(row, seed, seconds === null && nodes !== null);
    this.simulate(nodes ?? this.numbers.unbounded, seconds === null ? null : left(seconds, began));
    const line = this.bestLine();
    const best = Number(this.engine.view(this.edges)[0]), edges = this.cells(this.tree, "edges");
    const share = this.engine.field(edges, best, "total") / this.engine.field(edges, best, "visits");
    const counters = this.view(this.tree, "counters");
    return this.found(line, {
      value: Math.log(share / (1 - share)) * this.numbers.swing,
      nodes: Number(counters[at.simulations]), depth: Number(counters[at.longest]),
    });
  }

  /** The most tried turns of the tree, one after the other: actions. The first edge is the first of `edges` then. */
  bestLine() {
    const length = this.engine.call("tree.best_line", this.tree, this.edges);
    return [...this.engine.view(this.edges).subarray(0, length)].flatMap((edge) => this.turnOf(Number(edge)));
  }

  /** The mean result of every seat. */
  means() {
    const seats = this.engine.field(this.cells(this.tree, "stack"), 0, "players");
    const simulations = Number(this.view(this.tree, "counters")[this.numbers.tree.simulations]);
    return [...this.view(this.tree, "worth").subarray(0, seats)].map((sum) => sum / simulations);
  }

  /** Set the root of the tree; what is known of the position stays, unless nodes alone limit the search. @param {Uint8Array} row @param {bigint} seed @param {boolean} alone */
  plant(row, seed, alone) {
    const { tree: at } = this.numbers, counters = this.view(this.tree, "counters");
    if (alone || this.crowded()) this.clear(counters);
    this.put(this.tree, row);
    counters[at.simulations] = counters[at.longest] = 0n;
    counters[at.through_chance] = BigInt(this.numbers.through_chance);
    counters[at.swing] = BigInt(this.numbers.swing);
    counters[at.threads] = 1n;
    this.view(this.tree, "worth").fill(0);
    this.view(this.tree, "flag")[0] = 0n;
    this.view(this.tree, "rng").fill(seed);
  }

  /** Whether a quarter of the tree's memory is used. */
  crowded() {
    const { tree: at } = this.numbers, counters = this.view(this.tree, "counters");
    return [[at.nodes, "nodes"], [at.edges, "edges"]].some(([which, name]) => 4 * Number(counters[which]) > this.cells(this.tree, name).shape[0]);
  }

  /** @param {BigInt64Array} counters */
  clear(counters) {
    const { tree: at } = this.numbers, nodes = this.cells(this.tree, "nodes");
    this.view(this.tree, "slots").fill(0);
    new Uint8Array(this.engine.memory.buffer, nodes.address, Number(counters[at.nodes]) * nodes.size).fill(0);
    counters[at.nodes] = counters[at.edges] = 0n;
  }

  /** Go on until there are so many simulations, or as long: in slices, because a tree has no clock of its own. @param {number} most @param {number | null} seconds */
  simulate(most, seconds) {
    const began = performance.now(), { tree: at } = this.numbers, counters = this.view(this.tree, "counters");
    const first = Number(counters[at.simulations]);
    for (let done = first; done < most;) {
      const spent = (performance.now() - began) / 1000, own = done - first;
      if (seconds !== null && own && spent >= seconds) return;
      const slice = seconds === null ? most : own ? Math.min(SLICE, seconds - spent) * own / spent : FIRST_SLICE;
      counters[at.limit] = BigInt(Math.min(most, done + Math.max(1, Math.floor(slice))));
      this.engine.call("tree.grow", this.tree);
      if (Number(counters[at.simulations]) === done) return; // the memory is full
      done = Number(counters[at.simulations]);
    }
  }

  /** The actions of an edge. @param {number} edge @returns {number[]} */
  turnOf(edge) {
    const edges = this.cells(this.tree, "edges");
    return [...this.engine.field(edges, edge, "actions").subarray(0, this.engine.field(edges, edge, "length"))];
  }

  // --- memory ------------------------------------------------------------------------------------------------

  /** The array of a field. @param {Held} memory @param {string} name @returns {Cells} */
  cells(memory, name) { return /** @type {Cells} */ (memory.fields[name]); }

  /** The items of a field. @param {Held} memory @param {string} name */
  view(memory, name) { return this.engine.view(this.cells(memory, name)); }

  /** Set the position of ply 0. @param {Held} memory @param {Uint8Array} row */
  put(memory, row) { new Uint8Array(this.engine.memory.buffer, this.cells(memory, "words").address, row.length).set(row); }

  /** Turns are judged by the weights of a level. @param {number} block */
  weigh(block) {
    const { address, shape, size } = this.cells(this.turns, "weights"), { buffer } = this.engine.memory;
    const bytes = shape[0] * shape[1] * size;
    new Uint8Array(buffer, address, bytes).set(new Uint8Array(buffer, this.blocks[block], bytes));
  }

  /** A listed turn by its rank. */
  turn(/** @type {number} */ rank) {
    const { fields } = this.turns, turn = Number(this.view(this.turns, "order")[rank]);
    const [length, ...actions] = this.engine.view(this.engine.row(/** @type {Cells} */ (fields.found), turn));
    const seat = this.engine.field(/** @type {Cells} */ (fields.stack), 0, "to_move");
    const value = Number(this.engine.view(this.engine.row(/** @type {Cells} */ (fields.values), turn))[seat]);
    return this.found(actions.slice(0, length), { value, nodes: 1, depth: 1 });
  }

  /** A line that ends with -1. @param {Cells} cells @returns {number[]} */
  noted(cells) {
    const actions = [...this.engine.view(cells)];
    return actions.slice(0, actions.indexOf(-1));
  }

  /** @param {number[]} line @param {Partial<Found>} more @returns {Found} */
  found(line, more) { return { line, nodes: 0, value: 0, depth: 0, proved: false, deals: 0, ...more }; }
}

/** What is left of a limit, however long it took to begin: at least half of it. @param {number} seconds @param {number} began */
const left = (seconds, began) => Math.max(seconds / 2, seconds - (performance.now() - began) / 1000);
