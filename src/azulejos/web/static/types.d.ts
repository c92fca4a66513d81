// Types shared by the modules. Messages from the server are in messages.d.ts.
import type { AnswerRequest, CanThink, Coach, Confirm, EnterText, FoundMove, FoundTurns, Frame, GetHint, GetLog, GetPreview, GetReason, JudgeMarked, Play, PlanSlot, Propose, ReplacePlayer, ResumeSeat, Searched, ShowMoment, Speak, Undo, WeighGame } from "./messages";

/** A message that changes something: the connection adds an id and waits for the answer. */
export type Command = Omit<Play, "id"> | Omit<Undo, "id"> | Omit<Confirm, "id"> | Omit<EnterText, "id"> | Omit<Speak, "id"> | Omit<Propose, "id"> | Omit<AnswerRequest, "id"> | Omit<ResumeSeat, "id"> | Omit<ReplacePlayer, "id">;
export type Question = ShowMoment | JudgeMarked | GetPreview | GetReason | GetLog | GetHint | Coach | CanThink | FoundMove | FoundTurns | Searched | WeighGame;

/** A legal move: the places to click, in order, and its text. */
export interface Choice { path: number[]; text: string }

/** A place as it is now: the plan's, with the changes of frames. */
export type Place = PlanSlot;

/** Where something lies on the screen. */
export interface Spot { x: number; y: number; scale: number }

/** A journey of a node, from place `source` (-1: nowhere) to place `to`; `node` is already drawn at its destination. */
export interface Travel { node: SVGGElement; from: Spot; merges: boolean; source: number; to: number; within: boolean; dealt: boolean }

/** A sentence for the hint line. */
export interface Hint { bad?: boolean; loses?: boolean; section?: string | null; quiet?: boolean }

export type Words = Record<string, string>;
export type { Frame };
