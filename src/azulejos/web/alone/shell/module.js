// @ts-check
// A game's module, for Python in this worker (core/page_module.py), which can only copy what lies in its memory.

/** What starts a module, as often as it is called. @param {Uint8Array} code */
export function moduleOf(code) {
  const module = new WebAssembly.Module(/** @type {BufferSource} */ (code));
  return () => {
    /** @type {WebAssembly.Memory} */
    let memory;
    const tell = (/** @type {number} */ _which, /** @type {bigint} */ _precision, /** @type {number} */ out) => {
      new DataView(memory.buffer).setBigInt64(out, BigInt(Math.round(performance.now() * 1e6)), true);
      return 0;
    };
    const { exports } = new WebAssembly.Instance(module, { wasi_snapshot_preview1: { clock_time_get: tell } });
    const own = /** @type {Record<string, any>} */ (exports);
    memory = own.memory;
    let bytes = new Uint8Array(memory.buffer);
    return {
      end: Number(own.__heap_base.value),
      size: () => bytes.length,
      grow: (/** @type {number} */ pages) => { memory.grow(pages); bytes = new Uint8Array(memory.buffer); },
      part: (/** @type {number} */ start, /** @type {number} */ end) => bytes.subarray(start, end),
      call: (/** @type {string} */ name, /** @type {number} */ at) => own[name](at),
    };
  };
}
