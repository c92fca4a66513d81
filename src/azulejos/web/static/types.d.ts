// What the modules hand to each other. What the server sends is in messages.d.ts.
import type { Ask, Confirm, Frame, Look, Mark, Play, PlanSlot, Preview, Undo, Why } from "./messages";

/** What changes something: the connection gives it an id and waits for the answer. */
export type Command = Omit<Play, "id"> | Omit<Undo, "id"> | Omit<Confirm, "id"> | Omit<Ask, "id">;
export type Question = Look | Mark | Preview | Why;

/** A legal move: the places to click, in order, and its text. */
export interface Choice { path: number[]; text: string }

/** A place as it is now: the plan's, with what a frame changed about it. */
export type Place = PlanSlot;

/** Where something lies on the screen. */
export interface Spot { x: number; y: number; scale: number }

/** A node on its way: `node` is drawn at its end already. */
export interface Travel { node: SVGGElement; from: Spot; merges: boolean }

/** A sentence for the hint line. */
export interface Hint { bad?: boolean; section?: string | null; quiet?: boolean }

export type Words = Record<string, string>;
export type { Frame };
