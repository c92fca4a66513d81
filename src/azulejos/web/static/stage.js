// @ts-check
// Positions one after the other, for pages that follow a script instead of a connection.
import { travel } from "./motion.js";
/** @import { Frame, Lying, News } from "./messages" */
/** @import { Pieces } from "./pieces.js" */
/** @import { Renderer } from "./renderer.js" */
/** @import { Travel } from "./types" */

/** @typedef {{ news: News, to_move: number }} Shown what a position changes */

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
