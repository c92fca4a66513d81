// @ts-check
// What somebody has practised, as this browser keeps it. Entries are sets: copies are united, and nothing is lost. The
// server has the same under the visitor's key; each side gets what only the other one has (web/pages/you.py).
import { inSite } from "./root.js";

/** @typedef {"right" | "helped" | "wrong"} First */
/** @typedef {{ puzzle: string, at: number, first: First, tries?: number, hints?: number, solved?: boolean, shown?: boolean, day?: string }} Attempt */
/** @typedef {{ card: string, at: number, first: First, tries?: number, hints?: number }} Answer */
/** @typedef {{ attempts: Attempt[], answers: Answer[] }} Progress */
/** @typedef {{ attempts: number, answers: number, cards: number, games: number, due: number, days: number }} Summary */

const KEPT = "azulejos.progress";
const UNSENT = "azulejos.unsent";
const MOST = 900; // entries in one request
const NEWEST = 3000; // entries of a set that are kept, here as on the server
/** @type {("attempts" | "answers")[]} */
const SETS = ["attempts", "answers"];

/** @param {string} name @returns {Progress} */
function read(name) {
  try {
    const { attempts = [], answers = [] } = JSON.parse(localStorage.getItem(name) ?? "{}");
    return { attempts, answers };
  } catch { return { attempts: [], answers: [] }; }
}

/** @param {string} name @param {Progress} progress */
function write(name, progress) {
  try { localStorage.setItem(name, JSON.stringify(progress)); } catch { /* storage is full or forbidden */ }
}

export const progress = () => read(KEPT);

/** The name of an entry: what was tried, and when. @param {any} entry */
const keyOf = (entry) => `${entry.puzzle ?? entry.card} ${entry.at}`;

/** Unite two sets; of two entries with one name, the larger value of each field. @template {object} T @param {T[]} one @param {T[]} other @returns {T[]} */
function united(one, other) {
  /** @type {Map<string, any>} */ const found = new Map();
  for (const entry of [...one, ...other]) {
    const known = found.get(keyOf(entry)) ?? {};
    const joined = { ...known };
    for (const [name, value] of Object.entries(entry)) joined[name] = known[name] > value ? known[name] : value;
    found.set(keyOf(entry), joined);
  }
  return [...found.values()].sort((a, b) => a.at - b.at).slice(-NEWEST);
}

/** @param {string} name @param {Partial<Progress>} entries */
function add(name, entries) {
  const before = read(name);
  write(name, { attempts: united(before.attempts, entries.attempts ?? []), answers: united(before.answers, entries.answers ?? []) });
}

/** Keep entries, and send them as soon as there is a connection. @param {Partial<Progress>} entries */
export async function keep(entries) {
  add(KEPT, entries);
  add(UNSENT, entries);
  return sync();
}

/** Send what was not sent yet; then give the server what it lacks, and take what is missing here. @returns {Promise<Summary | null>} */
export async function sync() {
  const unsent = read(UNSENT);
  const found = await send(unsent);
  if (!found) return null;
  const kept = progress();
  const all = SETS.every((name) => found[name] >= kept[name].length) ? found : await send(kept);
  if (all && SETS.some((name) => all[name] > kept[name].length)) await fetchAll();
  return all;
}

/** @param {Progress} entries @returns {Promise<Summary | null>} */
async function send({ attempts, answers }) {
  /** @type {Summary | null} */ let found = null;
  for (let at = 0; at === 0 || at < attempts.length + answers.length; at += MOST) {
    const part = { attempts: attempts.slice(at, at + MOST), answers: answers.slice(Math.max(0, at - attempts.length), Math.max(0, at + MOST - attempts.length)) };
    const answer = await fetch(inSite("you/progress"), { method: "POST", body: JSON.stringify(part) }).catch(() => null);
    if (!answer?.ok) return null;
    found = await answer.json();
    forgetSent(part);
  }
  return found;
}

/** @param {Progress} sent */
function forgetSent(sent) {
  const names = new Set(SETS.flatMap((name) => sent[name].map((entry) => JSON.stringify(entry))));
  const left = read(UNSENT);
  write(UNSENT, { attempts: left.attempts.filter((entry) => !names.has(JSON.stringify(entry))), answers: left.answers.filter((entry) => !names.has(JSON.stringify(entry))) });
}

async function fetchAll() {
  const answer = await fetch(inSite("you/progress.json")).catch(() => null);
  if (answer?.ok) add(KEPT, await answer.json());
}

export function forget() {
  for (const name of [KEPT, UNSENT]) localStorage.removeItem(name);
}

// --- what follows from it, for pages without a connection (insight/practice.py) ---------------------------------

/** @param {number} ago @param {Date} today */
function day(ago, today) {
  return new Date(today.getTime() - ago * 86_400_000).toISOString().slice(0, 10);
}

/** Days in a row up to today, or up to yesterday; and the last seven days. */
export function streak(today = new Date()) {
  const solved = new Set(progress().attempts.filter((entry) => entry.solved && entry.day).map((entry) => entry.day));
  const first = solved.has(day(0, today)) ? 0 : 1;
  let days = 0;
  while (solved.has(day(first + days, today))) days += 1;
  return { days, today: first === 0, week: [6, 5, 4, 3, 2, 1, 0].map((ago) => solved.has(day(ago, today))) };
}
