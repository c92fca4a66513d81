// Every message in both directions, and the plan: made from web/live/messages.py and web/frames/plan.py.
export type Piece = [kind: number, spot?: number, count?: number, turn?: number, name?: string];

export interface Panel { id: string; title: string; width: number; height: number; seat: number | null }

export interface PlanSlot {
  id: string; panel: number; x: number; y: number; shape: string; outline: number; name: string;
  key?: string; mark?: string | null; caption?: string | null; caption_y?: number;
  spots?: number | null; size?: number; turn?: number; counted?: number | null; raised?: boolean;
}

export interface PlanLabel { panel: number; x: number; y: number; size: number; anchor: string; style: string; text: string }

export interface Plan {
  theme: string; sprite: string;
  kinds: [kind: string, name: string][];
  outlines: string[];
  spots: ([dx: number, dy: number] | [dx: number, dy: number, size: number])[][];
  counted: string[][];
  panels: Panel[]; slots: PlanSlot[]; labels: PlanLabel[];
}

export interface Seat { name: string; kind: string; bot?: string; strength?: string; own?: boolean }
export interface Step { pieces: [kind: number, count: number][]; name: string }
export interface LogLine { first: number; ply: number; seat: number; move: string; steps: Step[]; points?: number[]; searched?: string }
export type Term = [seat: number, points: number, reason: number, slot: number | null, lights: number[]];
export interface Part { ply: number; before: number[]; reasons: string[]; terms: Term[] }
export interface Breakdown { kinds: string[]; points: number[][] }
export interface Band { headline: string; detail?: string; notice?: string }
export interface Selection { slots: number[]; marked: number[]; said: string; problem?: string; move?: string }
export interface Thinking { seat: number; elapsed: number; budget: number }
export interface Walk { index: number; last: number; back: number | null; on: number | null }

export interface Frame {
  type: "frame"; whole?: boolean;
  lies?: Record<string, Piece[]>;
  places?: Record<string, Partial<PlanSlot> | null>;
  labels?: Record<string, [] | [text: string] | [text: string, style: string]>;
  seats?: Seat[]; log?: LogLine[]; earlier?: { count: number; text: string }; points?: Part[]; breakdown?: Breakdown; clocks?: number[];
  record?: { seed?: string; rematch?: string };
  ply: number; live?: boolean; mine?: boolean; over?: boolean; confirm?: boolean; undo?: boolean; to_move: number;
  logged: number; tallied: number; title: string; band: Band; choices?: number[][][];
  moves?: { move: string; path: number[] }[];
  selection?: Selection | null; pale?: number[]; told?: string[]; thinking?: Thinking | null; walk: Walk; more?: boolean;
}

export interface Reload { type: "reload"; text: string }
export interface Done { type: "done"; id: number; ply: number; saved: number }
export interface Refused { type: "refused"; id?: number; text: string; section?: string }
export interface Said { type: "said"; id: number; text: string; section?: string }
export interface Effect { move: string; said: string; lights?: number[] }
export interface Preview { type: "preview"; ply: number; path: number[]; effects?: Effect[]; blocked?: { slot: number; reason: string }[] }
export interface Why { type: "why"; path: number[]; text: string; section?: string; plain?: boolean }
export interface Judged { type: "judged"; ply: number; marked: number[]; said: string; problem?: string; move?: string }
export type FromServer = Reload | Done | Refused | Said | Preview | Why | Judged | Frame;

export interface Play { do: "play"; ply: number; move: string; at_once: boolean }
export interface Undo { do: "undo"; ply: number }
export interface Confirm { do: "confirm"; ply: number }
export interface Ask { do: "ask"; ply: number; text: string; at_once: boolean }
/** What changes something: the page gives it an id and waits for the answer. */
export type Command = Play | Undo | Confirm | Ask;
export interface Look { do: "look"; ply: number | null }
export interface Mark { do: "mark"; slots: number[]; ply: number }
export interface AskPreview { do: "preview"; path: number[]; ply: number }
export interface AskWhy { do: "why"; path: number[] }
export type Question = Look | Mark | AskPreview | AskWhy;
