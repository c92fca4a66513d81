// What the modules hand to each other. What the server sends is in messages.d.ts.
import type { Frame, LogLine, Piece, PlanSlot, Seat } from "./messages";

/** A legal move: the places to click, in order, and its text. */
export interface Choice { path: number[]; text: string }

/** A place as it is now: the plan's, with what a frame changed about it. */
export type Place = PlanSlot;

/** Where something lies on the screen. */
export interface Spot { x: number; y: number; scale: number }

/** A node on its way: `node` is drawn at its end already. */
export interface Travel { node: SVGGElement; from: Spot; merges: boolean }

/** What holds until a frame says otherwise. */
export interface Kept {
  lies: Map<number, Piece[]>;
  seats: Seat[];
  log: LogLine[];
}

/** A sentence for the hint line. */
export interface Hint { bad?: boolean; section?: string | null; quiet?: boolean }

export type Words = Record<string, string>;
export type { Frame };
