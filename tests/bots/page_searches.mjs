// Searches as a page does, in Node. The job, as JSON on standard input: the folder of the scripts, the files of the engine,
// and questions; prints what is found.
import fs from "node:fs";
import { pathToFileURL } from "node:url";

const job = JSON.parse(fs.readFileSync(0, "utf8"));
const { Searches } = await import(pathToFileURL(`${job.scripts}/searches.js`).href);
const file = fs.readFileSync(job.memory);
const memory = file.buffer.slice(file.byteOffset, file.byteOffset + file.length);
const searches = await Searches.open(fs.readFileSync(job.code), JSON.parse(fs.readFileSync(job.description, "utf8")), memory);

function rated(asked) {
  let last = null;
  searches.rate(asked, (findings) => { last = findings; });
  return last;
}

const found = job.questions.map(({ row, seed, seconds, ...rest }) => {
  const asked = { ...rest, seconds, row: Uint8Array.from(row), seed: BigInt(seed) };
  return seconds ? rated(asked) : searches.play(asked);
});
process.stdout.write(JSON.stringify(found));
