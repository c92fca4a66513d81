// @ts-check
// The table as it is drawn, and a script (learn/script.py): positions one after the other, for pages without a connection.
import { travel } from "./motion.js";
import { Pieces } from "./pieces.js";
import { embed, fetched, part, Places } from "./plan.js";
import { Renderer } from "./renderer.js";
/** @import { Blocked, Effect, Frame, Lying, News, PathMove } from "./messages" */
/** @import { Travel } from "./types" */

/** @typedef {{ news: News, to_move: number, seat?: number, target?: number, ply?: number }} Shown what a position changes */
/** @typedef {{ to?: number, shown?: Shown[], answer?: number }} Step */
/** @typedef {{ start: Shown, choices?: number[][][], moves?: PathMove[], effects?: Effect[], blocked?: Record<string, Blocked[]>, steps?: Record<string, Step>, best?: string[], path?: number[], glow?: number[], told?: string[], scores?: number[] }} Node */
/** @typedef {{ right: boolean, said?: string[], shown?: Shown[], scores?: number[], next?: { shown: Shown[], to: number, said?: string[] }[] }} Reply */
/** @typedef {{ node: number, task: string, why: string, hint: string, otherwise: string, bright: number[], chosen?: number[], at_once?: boolean, show: number[][] }} Task */
/** @typedef {{ nodes?: Node[], replies?: Reply[], tasks?: Task[], plans?: Record<string, string> }} Written */
/** @typedef {Required<Written>} Script */

/** @param {string} [address] @returns {Promise<Script>} */
export async function fetchScript(address = "") {
  const answer = await part(address);
  if (!answer.ok) throw new Error(await answer.text());
  return { nodes: [], replies: [], tasks: [], plans: {}, ...await answer.json() };
}

/** Draw the places of a table; the first form is the one of the shared panels. @param {HTMLElement} holder @param {Record<string, string>} forms addresses of plans */
export async function mount(holder, forms) {
  const [main, ...others] = await Promise.all(Object.values(forms).map(fetched));
  await embed(main);
  const places = new Places(main);
  Object.keys(forms).forEach((name, i) => places.add(name, [main, ...others][i]));
  const renderer = new Renderer(places, holder);
  return { places, renderer, pieces: new Pieces(places, renderer) };
}

/** What the rules say about a place after a path; undefined if they say nothing. @param {Node} node @param {number[]} path @param {number} [slot] */
export const refusedAt = (node, path, slot) => node.blocked?.[String(path)]?.find((each) => each.slot === slot);

/** The places whose pieces have changed; if everything is told, also those that are not listed any more. @param {News} news @param {Pieces} pieces @returns {Map<number, Lying[]>} */
export function changes({ whole, lies = {} }, pieces) {
  const named = new Map(Object.entries(lies).map(([slot, lying]) => [Number(slot), lying]));
  if (whole) for (const slot of pieces.tokens.keys()) if (!named.has(slot)) named.set(slot, []);
  return named;
}

export class Stage {
  /** @param {Renderer} renderer @param {Pieces} pieces @param {(travels: Travel[]) => Travel[]} [claim] takes away journeys of pieces in the hand */
  constructor(renderer, pieces, claim = (travels) => travels) {
    this.renderer = renderer;
    this.pieces = pieces;
    this.claim = claim;
  }

  /** Show a position. Resolves when its pieces have arrived; with `jump` they are there at once. @param {Shown} shown @param {{ jump?: boolean }} [how] */
  async show({ news, to_move }, { jump = false } = {}) {
    const travels = this.claim(this.pieces.show(changes(news, this.pieces)));
    this.renderer.show(/** @type {Frame} */ ({ news, to_move }));
    if (jump) for (const { node, merges } of travels) { if (merges) node.remove(); }
    else await travel(travels);
  }
}
