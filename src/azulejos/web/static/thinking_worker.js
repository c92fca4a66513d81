// @ts-check
// The worker that thinks for a page: one core, stopped by ending it. It hears where the engine is, then questions.
import { Searches } from "./searches.js";
/** @import { Asked, Findings, Wanted } from "./searches.js" */

/** @typedef {{ code: string, description: string, memory: string }} Addresses */
/** @typedef {{ open: Addresses } | { task: number, play: Asked } | { task: number, look: { anew: boolean, searches: Wanted[] } } | { task: number, rate: { row: Uint8Array, seconds: number, seed: bigint } }} Question */

const PAUSE = 200; // milliseconds between two answers about all turns; better ones in between are left out

const PAUSES = [1000, 5000]; // milliseconds before a file is asked for again

/** @type {Promise<Searches>} */
let searches;

/** A file; the network may fail, or the server be busy, for a moment. @param {string} address @returns {Promise<Response>} */
async function loaded(address, pauses = PAUSES) {
  const response = await fetch(address).catch(() => null);
  if (response?.ok) return response;
  if (!pauses.length) throw new Error(`${address}: ${response?.status ?? "unreachable"}`);
  await new Promise((resolve) => { setTimeout(resolve, pauses[0]); });
  return loaded(address, pauses.slice(1));
}

/** @param {Addresses} addresses */
async function open({ code, description, memory }) {
  const [module, said, file] = await Promise.all([code, description, memory].map((address) => loaded(address)));
  return Searches.open(module, await said.json(), await file.arrayBuffer());
}

/** @param {Question} question */
async function answer(question) {
  if ("open" in question) {
    searches = open(question.open);
    await searches;
    return { ready: true };
  }
  const { task } = question;
  if ("look" in question) return { task, lines: (await searches).lookUp(question.look) };
  if ("play" in question) return { task, found: (await searches).play(question.play) };
  let told = 0, last = /** @type {Findings | null} */ (null);
  (await searches).rate(question.rate, (findings) => {
    last = findings;
    if (performance.now() - told < PAUSE) return;
    told = performance.now();
    postMessage({ task, findings });
  });
  return { task, findings: last, last: true };
}

addEventListener("message", async ({ data }) => {
  try {
    postMessage(await answer(data));
  } catch (error) {
    postMessage({ failed: String(error), task: data.task });
  }
});
