// Made from web/wire/messages.py and web/wire/plan.py: python -m azulejos.web.wire.written
export type Lying = [kind: number, spot?: number, count?: number, turn?: number, name?: string];
export interface Hello { do: "hello"; protocol: string; plan: string }
export interface JudgeMarked { do: "mark"; slots: number[]; ply: number }
export interface GetPreview { do: "preview"; path: number[]; ply: number }
export interface GetReason { do: "why"; path: number[] }
export interface CanThink { do: "thinks"; on: boolean; memory: string }
export interface Play { do: "play"; id: number; ply: number; move: string; at_once: boolean }
export interface Undo { do: "undo"; id: number; ply: number }
export interface Confirm { do: "confirm"; id: number; ply: number }
export interface EnterText { do: "ask"; id: number; ply: number; text: string; at_once: boolean }
export interface ShowMoment { do: "look"; ply: number | null; stop: number | null }
export interface GetHint { do: "hint"; ply: number; step: number }
export interface Coach { do: "coach"; on: boolean; heard: boolean }
export interface FoundMove { do: "found"; task: number; action: number; nodes: number }
export interface Searched { do: "searched"; task: number; found: FoundLine[] }
export interface WeighGame { do: "weigh" }
export interface GetLog { do: "earlier" }
export interface Speak { do: "speak"; id: number; phrase: string; text: string }
export interface Propose { do: "propose"; id: number; what: "back" | "again" }
export interface AnswerRequest { do: "reply"; id: number; yes: boolean }
export interface ResumeSeat { do: "return"; id: number; seat: number }
export interface ReplacePlayer { do: "replace"; id: number; seat: number }
export interface AddNumber { do: "number"; number: string }
export interface ShowNode { do: "visit"; node: number }
export interface AddMove { do: "add"; id: number; node: number; move: string }
export interface DrawPieces { do: "draw"; id: number; node: number }
export interface SetComment { do: "comment"; id: number; node: number; text: string }
export interface RemoveNode { do: "remove"; id: number; node: number }
export interface PromoteLine { do: "promote"; id: number; node: number }
export interface SetTitle { do: "title"; id: number; title: string }
export interface SetPosition { do: "arrange"; id: number; position: string; check: boolean }
export interface FoundTurns { do: "rated"; task: number; nodes: number; turns: SearchedTurn[]; means: number[]; last: boolean }
export interface CopyStudy { do: "duplicate"; id: number }
export interface JudgeNode { do: "judge"; node: number; engine: string }
export interface StopJudging { do: "pause" }
export interface WantedSearch { row: string; nodes: number; seed: string; fresh: boolean; out: boolean }
export interface SlotChange { name?: string; key?: string; mark?: string; caption?: string }
export interface LabelText { text: string; style?: string }
export interface Seat { name: string; kind: string; role: string; bot?: string; strength?: string; own?: boolean; back?: boolean; face?: string }
export interface LogStep { pieces?: [number, number][]; name: string }
export interface LogTurn { first: number; ply: number; stop: number; seat: number; move: string; steps?: LogStep[]; points?: number[]; searched?: string }
export interface ScoredAction { ply: number; before: number[]; reasons: string[]; short: string[]; terms: ([number, number, number, number | null, number[]])[] }
export interface Breakdown { kinds: string[]; points: number[][] }
export interface Band { headline: string; detail?: string; notice?: string; round?: string; rounds?: string }
export interface PathMove { move: string; path: number[] }
export interface MarkedVerdict { marked: number[]; said: string; problem?: string; move?: string }
export interface Markable { slots: number[]; verdict: MarkedVerdict }
export interface TurnOffer { choices?: number[][][]; moves?: PathMove[]; selection?: Markable | null; pale?: number[] }
export interface Effect { move: string; said: string; lights?: number[]; ghosts?: Record<string, Lying[]>; points?: [number, number][] }
export interface Blocked { slot: number; reason: string }
export interface BotThinking { seat: number; elapsed: number; budget: number }
export interface Walk { index: number; last: number; back?: number | null; on?: number | null; deals?: number[] }
export interface TakenBack { number: number; ply: number; moves: string }
export interface WaitingRequest { what: string; text: string; answer?: boolean; own?: boolean }
export interface SpokenLine { number: number; seat: number; name: string; text: string; phrase?: boolean }
export interface GameEnd { breakdown: Breakdown; winners: number[]; seed: string; numbers?: string[]; rematch?: string }
export interface News { whole?: boolean; lies?: Record<string, Lying[]>; places?: Record<string, SlotChange | null>; labels?: Record<string, LabelText | null>; seats?: Seat[]; log?: LogTurn[]; earlier?: string; scored?: ScoredAction[]; ending?: GameEnd | null; branches?: TakenBack[] }
export interface StudyNode { number: number; parent: number; seat?: number; turn?: number; round?: number; move?: string; steps?: LogStep[]; comment?: string; order?: number }
export interface SearchedTurn { line: number[]; value: number; visits: number; proved: boolean }
export interface FoundLine { line: number[]; value?: number; proved?: boolean; means?: number[] }
export interface PromisedMoment { stop: number; points: number[]; win: number[] }
export interface Measured { value: number; low: number; high: number }
export interface ComparedTurn { move: string; steps: LogStep[]; path: number[]; points: Measured; proved?: boolean; exact?: boolean; equal?: boolean }
export interface PassThreat { text: string; pieces?: [number, number][]; path?: number[] }
export interface Reload { type: "reload"; text: string }
export interface Done { type: "done"; id: number; ply: number; saved: number }
export interface Refusal { type: "refused"; id?: number; text: string; section?: string }
export interface Previewed { type: "preview"; ply: number; path: number[]; effects?: Effect[]; blocked?: Blocked[]; superseded?: boolean }
export interface Explained { type: "why"; path: number[]; text: string; section?: string; plain?: boolean; step?: boolean }
export interface Judged { type: "judged"; ply: number; verdict: MarkedVerdict }
export interface Prepare { type: "prepare"; code: string; description: string; memory: string }
export interface TextAnswer { type: "said"; id: number; text: string }
export interface Hinted { type: "hint"; ply: number; step: number; said: string[]; lights?: number[]; arrow?: number[]; more?: boolean }
export interface Think { type: "think"; task: number; level: string; row: string; seconds: number; seed: string }
export interface Search { type: "search"; task: number; anew: boolean; searches: WantedSearch[] }
export interface Weighed { type: "weighed"; moments: PromisedMoment[] }
export interface Moves { type: "moves"; log: LogTurn[] }
export interface Talk { type: "talk"; lines: SpokenLine[]; old?: boolean }
export interface Frame { type: "frame"; news: News; ply: number; seen: number; course: number; to_move: number; title: string; band: Band; walk: Walk; moved?: number[]; live?: boolean; more?: boolean; mine?: boolean; over?: boolean; confirm?: boolean; undo?: boolean; foreseen?: Effect | null; offer?: TurnOffer | null; told?: string[]; thinking?: BotThinking | null; clocks?: number[]; away?: (number | null)[]; called?: boolean; can_take_back?: boolean; asked?: WaitingRequest | null; hints?: boolean; warned?: string }
export interface NodesChanged { type: "nodes"; nodes: StudyNode[] }
export interface NodesRemoved { type: "removed"; nodes: number[] }
export interface Board { type: "board"; node: number; news: News; to_move: number; offer?: TurnOffer | null; status: string; position: string; scores: number[] }
export interface Opened { type: "opened"; id: number; address?: string; picture?: string }
export interface Rate { type: "rate"; task: number; row: string; seconds: number; seed: string }
export interface NodeOutlook { type: "outlook"; node: number; points: Measured[]; win: Measured[]; kind: string; turns: ComparedTurn[]; equals: number; threat: PassThreat | null; finished: boolean; seconds: number }
export interface NoJudge { type: "nojudge"; node: number; text: string }
export interface PlanPanel { id: string; title: string; width: number; height: number; seat: number | null; ground: string; turned?: boolean }
export interface PlanSlot { id: string; panel: number; x: number; y: number; shape: string; outline: number; name: string; key?: string; mark?: string | null; caption?: string | null; caption_y?: number; spots?: number | null; size?: number; turn?: number; counted?: number | null; optional?: boolean; raised?: boolean }
export interface PlanLabel { panel: number; x: number; y: number; size: number; anchor: string; style: string; text: string }
export interface PlanFile { theme: string; sprite: string; kinds: [string, string][]; outlines: string[]; spots: number[][][]; counted: string[][]; panels: PlanPanel[]; slots: PlanSlot[]; labels: PlanLabel[] }
export type FromTable = Hello | AddNumber | Play | Undo | Confirm | EnterText | ShowMoment | JudgeMarked | GetPreview | GetReason | GetHint | Coach | CanThink | FoundMove | Searched | GetLog | WeighGame | Speak | Propose | AnswerRequest | ResumeSeat | ReplacePlayer;
export type ToTable = Reload | Done | Refusal | TextAnswer | Previewed | Explained | Judged | Hinted | Prepare | Think | Moves | Talk | Frame;
export type FromStudy = Hello | ShowNode | AddMove | DrawPieces | SetComment | RemoveNode | PromoteLine | SetTitle | SetPosition | CopyStudy | JudgeNode | StopJudging | CanThink | FoundTurns | JudgeMarked | GetPreview | GetReason;
export type ToStudy = Reload | Done | Refusal | Previewed | Explained | Judged | Prepare | Rate | NodesChanged | NodesRemoved | Board | Opened | NodeOutlook | NoJudge;
