// What a page answers to questions, in Node or in a page. `job` names the folder of the scripts, the files of the engine,
// and the file of questions (`bench/page_searches.py`); Node gets it as JSON on standard input and prints the answers.

/** @param {object} job @param {(what: string) => Promise<ArrayBuffer>} read */
export async function answers(job, read) {
  const { Searches } = await import(`${job.scripts}/searches.js`);
  const [code, said, memory, asked] = await Promise.all([job.code, job.description, job.memory, job.questions].map(read));
  const json = (bytes) => JSON.parse(new TextDecoder().decode(bytes));
  const searches = await Searches.open(code, json(said), memory);
  return json(asked).map((question) => answer(searches, question));
}

const typed = ({ row, seed, ...rest }) => ({ ...rest, row: Uint8Array.from(row), seed: BigInt(seed) });

/** What a judge wants to know; with seconds: about all turns of a position; otherwise the choice of a level. */
function answer(searches, { look, ...question }) {
  if (look) return searches.lookUp({ ...look, searches: look.searches.map(typed) });
  const asked = typed(question);
  const began = performance.now();
  if (!asked.seconds) return { ...searches.play(asked), spent: performance.now() - began };
  let last = null;
  searches.rate(asked, (findings) => { last = findings; });
  return last;
}

if (globalThis.process) {
  const fs = await import("node:fs");
  const { pathToFileURL } = await import("node:url");
  const job = JSON.parse(fs.readFileSync(0, "utf8"));
  const read = async (path) => { const file = fs.readFileSync(path); return file.buffer.slice(file.byteOffset, file.byteOffset + file.length); };
  process.stdout.write(JSON.stringify(await answers({ ...job, scripts: pathToFileURL(job.scripts).href }, read)));
}
