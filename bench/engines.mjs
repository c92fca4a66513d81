// Calls a function of a module in Node. The job, as JSON on standard input: the module and its memory as files, the
// function's name, the address of its call, how often (each time with the same memory). Writes back the memory, and
// prints the milliseconds of every call (of the processor).
import fs from "node:fs";

const job = JSON.parse(fs.readFileSync(0, "utf8"));
const image = fs.readFileSync(job.memory);
let memory = null;
const clock_time_get = (which, precision, out) => {
    new DataView(memory.buffer).setBigInt64(out, process.hrtime.bigint(), true);
    return 0;
};
const imports = { wasi_snapshot_preview1: { clock_time_get } };
const { instance } = await WebAssembly.instantiate(fs.readFileSync(job.wasm), imports);
memory = instance.exports.memory;
memory.grow((image.length - memory.buffer.byteLength) / 65536);
const bytes = new Uint8Array(memory.buffer), times = [];
for (let i = 0; i < (job.repeats ?? 1); i++) {
    bytes.set(image);
    const began = process.cpuUsage();
    const failed = instance.exports[job.name](job.call);
    if (failed) throw new Error(`${job.name} failed: ${failed}`);
    const { user, system } = process.cpuUsage(began);
    times.push((user + system) / 1000);
}
process.stdout.write(JSON.stringify(times));
fs.writeFileSync(job.memory, bytes);
