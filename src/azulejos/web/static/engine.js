// @ts-check
// A game's functions from its WebAssembly module, in a page, a worker or Node: what core/module.py says, in JavaScript.
// It knows no game, rule or search: which functions there are, and what their memory is made of, the description says.

const PAGE = 65536;
const LINE = 64; // bytes to which arrays are aligned
const CALL = 16; // bytes of a call before its arguments
const ARRAY = 32; // bytes of an array without its shape and strides

/** @typedef {{ address: number, kind: string, size: number, shape: number[], strides: number[] }} Cells an array in the memory of a module */
/** @typedef {{ address: number, class: string, fields: Record<string, Cells | Held>, places: Record<string, number> }} Held a tuple of arrays and tuples */
/** @typedef {[number, number, number[], number[]]} ArrayPlan its block, where it begins there, shape, strides */
/** @typedef {{ class: string, fields: Record<string, ArrayPlan | TuplePlan> }} TuplePlan */
/** @typedef {{ memories: Record<string, TuplePlan>, levels: Record<string, any>, numbers: Record<string, any>, blocks: [number, number][] }} Header of a file of memory (bots/page_memory.py) */
/** @typedef {{ exports: Record<string, [string, string[], string]>, tuples: Record<string, [string, string][]>, records: Record<string, { size: number, fields: Record<string, any[]> }>, constants: Record<string, number> }} Description engine.json */
/** @typedef {Int8Array | Uint8Array | Int16Array | Int32Array | Float32Array | Float64Array | BigInt64Array | BigUint64Array} View */

const VIEWS = {
  "|i1": Int8Array, "|u1": Uint8Array, "<i2": Int16Array, "<i4": Int32Array, "<f4": Float32Array, "<f8": Float64Array,
  "<i8": BigInt64Array, "<u8": BigUint64Array,
};

/** The size of what is at multiples of `step`. @param {number} size @param {number} step */
const upTo = (size, step) => Math.ceil(size / step) * step;

export class Engine {
  /**
   * Start a module. It imports a clock and nothing else.
   * @param {Response | Promise<Response> | BufferSource} code @param {Description} description
   */
  static async open(code, description) {
    /** @type {Engine} */
    let engine;
    const imports = { wasi_snapshot_preview1: { clock_time_get: (/** @type {[number, bigint, number]} */ ...[, , out]) => engine.tell(out) } };
    const given = await code;
    const bytes = given instanceof ArrayBuffer || ArrayBuffer.isView(given);
    const { instance } = bytes ? await WebAssembly.instantiate(/** @type {BufferSource} */ (given), imports) : await WebAssembly.instantiateStreaming(/** @type {Response} */ (given), imports);
    engine = new Engine(instance, description);
    return engine;
  }

  /** @param {WebAssembly.Instance} instance @param {Description} description */
  constructor({ exports }, description) {
    this.description = description;
    this.exports = /** @type {Record<string, (call: number) => number>} */ (/** @type {unknown} */ (exports));
    this.memory = /** @type {WebAssembly.Memory} */ (exports.memory);
    this.end = Number(/** @type {WebAssembly.Global} */ (exports.__heap_base).value);
    this.bytes = new DataView(this.memory.buffer);
    this.room = this.take(PAGE); // for calls
  }

  /** Write the time to an address, in nanoseconds. @param {number} out */
  tell(out) {
    this.bytes.setBigInt64(out, BigInt(Math.round(performance.now() * 1e6)), true);
    return 0;
  }

  // --- memory ------------------------------------------------------------------------------------------

  /** The address of so many more bytes, all zero. Nothing is ever freed: an engine ends with its worker. @param {number} size */
  take(size) {
    const start = upTo(this.end, LINE);
    this.end = start + size;
    const missing = this.end - this.memory.buffer.byteLength;
    if (missing > 0) this.memory.grow(Math.ceil(missing / PAGE));
    this.bytes = new DataView(this.memory.buffer);
    return start;
  }

  /** A new array of zeros, the last index first. @param {string} kind such as "<i4" @param {number[]} shape @returns {Cells} */
  array(kind, shape) {
    const size = this.itemSize(kind);
    const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((all, one) => all * one, size));
    return { address: this.take(shape.reduce((all, one) => all * one, size)), kind, size, shape, strides };
  }

  /** The items of an array whose bytes follow one another. Valid until memory is taken. @param {Cells} cells @returns {any} */
  view({ address, kind, shape }) {
    const View = /** @type {Record<string, any>} */ (VIEWS)[kind];
    return new View(this.memory.buffer, address, shape.reduce((all, one) => all * one, 1));
  }

  /** A row of an array. @param {Cells} cells @param {number} number @returns {Cells} */
  row({ address, kind, size, shape, strides }, number) {
    return { address: address + number * strides[0], kind, size, shape: shape.slice(1), strides: strides.slice(1) };
  }

  /** A field of an item of an array of records, as a number or an array. @param {Cells} cells @param {number} index @param {string} name @returns {any} */
  field({ address, kind, strides }, index, name) {
    const [place, type, shape] = this.description.records[kind].fields[name];
    const Kind = /** @type {Record<string, any>} */ (VIEWS)[type];
    const view = new Kind(this.memory.buffer, address + index * strides[0] + place, shape[0] ?? 1);
    return shape.length ? view : view[0];
  }

  /** @param {string} kind */
  itemSize(kind) { return this.description.records[kind]?.size ?? Number(kind.slice(2)); }

  /** Lay out all memories of a file (bots/page_memory.py). @param {ArrayBuffer} file */
  lay(file) {
    const length = new DataView(file).getUint32(0, true);
    /** @type {Header} */
    const header = JSON.parse(new TextDecoder().decode(new Uint8Array(file, 4, length)));
    const blocks = header.blocks.map(([size]) => this.take(size));
    const contents = new Uint8Array(file, 4 + length), inside = new Uint8Array(this.memory.buffer);
    for (const [number, [size, begin]] of header.blocks.entries()) {
      if (begin >= 0) inside.set(contents.subarray(begin, begin + size), blocks[number]);
    }
    const memories = Object.entries(header.memories).map(([name, plan]) => [name, this.tuple(plan, blocks)]);
    return { header, blocks, memories: /** @type {Record<string, Held>} */ (Object.fromEntries(memories)) };
  }

  /** @param {TuplePlan} plan @param {number[]} blocks @returns {Held} */
  tuple(plan, blocks) {
    /** @type {Record<string, Cells | Held>} */
    const fields = {}, places = /** @type {Record<string, number>} */ ({});
    let end = 0;
    for (const [name, kind] of this.description.tuples[plan.class]) {
      const made = plan.fields[name];
      if (Array.isArray(made)) {
        const [block, offset, shape, strides] = made, item = kind.slice(0, kind.indexOf("["));
        fields[name] = { address: blocks[block] + offset, kind: item, size: this.itemSize(item), shape, strides };
      } else fields[name] = this.tuple(made, blocks);
      places[name] = end = upTo(end, Array.isArray(made) ? 8 : 4);
      end += Array.isArray(made) ? ARRAY + 16 * made[2].length : 4;
    }
    const held = { address: this.take(end), class: plan.class, fields, places };
    for (const name of Object.keys(fields)) this.write(held, name);
    return held;
  }

  /** Write down a field of a tuple: after it was laid out, or has got another shape. @param {Held} held @param {string} name */
  write({ address, fields, places }, name) {
    const value = fields[name];
    if ("shape" in value) this.writeArray(value, address + places[name]);
    else this.bytes.setUint32(address + places[name], value.address, true);
  }

  /** @param {Cells} cells @param {number} at */
  writeArray({ address, size, shape, strides }, at) {
    const words = [shape.reduce((all, one) => all * one, 1), size];
    this.bytes.setBigInt64(at, 0n, true);
    for (const [index, word] of words.entries()) this.bytes.setBigInt64(at + 8 + 8 * index, BigInt(word), true);
    this.bytes.setUint32(at + 24, address, true);
    for (const [index, word] of [...shape, ...strides].entries()) this.bytes.setBigInt64(at + ARRAY + 8 * index, BigInt(word), true);
  }

  // --- calls -------------------------------------------------------------------------------------------

  /**
   * Call a function with numbers, arrays and tuples. A trap is a RuntimeError, another failure an Error.
   * @param {string} name such as "solver.deepen" @param {...(number | bigint | boolean | Cells | Held)} given
   */
  call(name, ...given) {
    const [, kinds, result] = this.description.exports[name];
    if (given.length !== kinds.length) throw new TypeError(`${name} takes ${kinds.length} arguments, not ${given.length}`);
    let at = this.room + CALL;
    for (const [index, value] of given.entries()) at = this.put(kinds[index], value, upTo(at, 8));
    const failed = this.exports[name](this.room);
    if (failed) throw new Error(`${name} failed: ${failed}`);
    if (result === "none") return 0;
    if (result === "float") return this.bytes.getFloat64(this.room, true);
    return result === "bool" ? this.bytes.getUint8(this.room) : Number(this.bytes.getBigInt64(this.room, true));
  }

  /** Write down an argument; returns where it ends. @param {string} kind @param {number | bigint | boolean | Cells | Held} value @param {number} at */
  put(kind, value, at) {
    if (kind === "float") this.bytes.setFloat64(at, Number(value), true);
    else if (typeof value !== "object") this.bytes.setBigInt64(at, BigInt(value), true);
    else if ("shape" in value) {
      this.writeArray(value, at);
      return at + ARRAY + 16 * value.shape.length;
    } else this.bytes.setUint32(at, value.address, true);
    return at + 8;
  }
}
