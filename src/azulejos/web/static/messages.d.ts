// Made from web/wire/messages.py, web/wire/study_messages.py and web/wire/plan.py:
// python -m azulejos.web.wire.written
export type Lying = [kind: number, spot?: number, count?: number, turn?: number, name?: string];
export interface Hello { do: "hello"; protocol: string; plan: string }
export interface Play { do: "play"; id: number; ply: number; move: string; at_once: boolean }
export interface Undo { do: "undo"; id: number; ply: number }
export interface Confirm { do: "confirm"; id: number; ply: number }
export interface Ask { do: "ask"; id: number; ply: number; text: string; at_once: boolean }
export interface Look { do: "look"; ply: number | null; stop: number | null }
export interface Mark { do: "mark"; slots: number[]; ply: number }
export interface Preview { do: "preview"; path: number[]; ply: number }
export interface Why { do: "why"; path: number[] }
export interface Hint { do: "hint"; ply: number; step: number }
export interface Coach { do: "coach"; on: boolean }
export interface Earlier { do: "earlier" }
export interface Speak { do: "speak"; id: number; phrase: string; text: string }
export interface Propose { do: "propose"; id: number; what: "back" | "again" }
export interface Reply { do: "reply"; id: number; yes: boolean }
export interface Return { do: "return"; id: number; seat: number }
export interface Replace { do: "replace"; id: number; seat: number }
export interface Change { name?: string; key?: string; mark?: string; caption?: string }
export interface Words { text: string; style?: string }
export interface Seat { name: string; kind: string; role: string; bot?: string; strength?: string; own?: boolean; back?: boolean }
export interface Step { pieces?: [number, number][]; name: string }
export interface Turn { first: number; ply: number; stop: number; seat: number; move: string; steps?: Step[]; points?: number[]; searched?: string }
export interface Scoring { ply: number; before: number[]; reasons: string[]; short: string[]; terms: ([number, number, number, number | null, number[]])[] }
export interface Breakdown { kinds: string[]; points: number[][] }
export interface Band { headline: string; detail?: string; notice?: string }
export interface Move { move: string; path: number[] }
export interface Verdict { marked: number[]; said: string; problem?: string; move?: string }
export interface Selection { slots: number[]; verdict: Verdict }
export interface Offer { choices?: number[][][]; moves?: Move[]; selection?: Selection | null; pale?: number[] }
export interface Thinking { seat: number; elapsed: number; budget: number }
export interface Walk { index: number; last: number; back?: number | null; on?: number | null; deals?: number[] }
export interface TakenBack { number: number; ply: number; moves: string }
export interface Asked { what: string; text: string; answer?: boolean; own?: boolean }
export interface ChatLine { number: number; seat: number; name: string; text: string; phrase?: boolean }
export interface Ending { breakdown: Breakdown; winners: number[]; seed: string; rematch?: string }
export interface Reload { type: "reload"; text: string }
export interface Done { type: "done"; id: number; ply: number; saved: number }
export interface Refused { type: "refused"; id?: number; text: string; section?: string }
export interface Said { type: "said"; id: number; text: string }
export interface Effect { move: string; said: string; lights?: number[]; ghosts?: Record<string, Lying[]>; points?: [number, number][] }
export interface Blocked { slot: number; reason: string }
export interface Previewed { type: "preview"; ply: number; path: number[]; effects?: Effect[]; blocked?: Blocked[]; superseded?: boolean }
export interface Explained { type: "why"; path: number[]; text: string; section?: string; plain?: boolean }
export interface Judged { type: "judged"; ply: number; verdict: Verdict }
export interface Hinted { type: "hint"; ply: number; step: number; said: string[]; lights?: number[]; more?: boolean }
export interface News { whole?: boolean; lies?: Record<string, Lying[]>; places?: Record<string, Change | null>; labels?: Record<string, Words | null>; seats?: Seat[]; log?: Turn[]; earlier?: string; scored?: Scoring[]; ending?: Ending | null; branches?: TakenBack[] }
export interface Moves { type: "moves"; log: Turn[] }
export interface Talk { type: "talk"; lines: ChatLine[]; old?: boolean }
export interface Frame { type: "frame"; news: News; ply: number; seen: number; to_move: number; title: string; band: Band; walk: Walk; live?: boolean; more?: boolean; mine?: boolean; over?: boolean; confirm?: boolean; undo?: boolean; offer?: Offer | null; told?: string[]; thinking?: Thinking | null; clocks?: number[]; away?: (number | null)[]; called?: boolean; can_take_back?: boolean; asked?: Asked | null; hints?: boolean; warned?: string }
export interface Visit { do: "visit"; node: number }
export interface Add { do: "add"; id: number; node: number; move: string }
export interface Draw { do: "draw"; id: number; node: number }
export interface Remark { do: "remark"; id: number; node: number; text: string }
export interface Remove { do: "remove"; id: number; node: number }
export interface Promote { do: "promote"; id: number; node: number }
export interface Entitle { do: "entitle"; id: number; title: string }
export interface Arrange { do: "arrange"; id: number; position: string; check: boolean }
export interface Duplicate { do: "duplicate"; id: number }
export interface Consider { do: "consider"; node: number; engine: string }
export interface Pause { do: "pause" }
export interface Twig { number: number; parent: number; seat?: number; turn?: number; round?: number; move?: string; steps?: Step[]; comment?: string; order?: number }
export interface Measured { value: number; low: number; high: number }
export interface ComparedTurn { move: string; steps: Step[]; path: number[]; points: Measured; proved?: boolean; exact?: boolean; equal?: boolean }
export interface Menace { text: string; pieces?: [number, number][]; path?: number[] }
export interface Grown { type: "grown"; nodes: Twig[] }
export interface Shed { type: "shed"; nodes: number[] }
export interface Board { type: "board"; node: number; news: News; to_move: number; offer?: Offer | null; status: string; position: string; scores: number[] }
export interface Opened { type: "opened"; id: number; address?: string; picture?: string }
export interface Outlook { type: "outlook"; node: number; points: Measured[]; win: Measured[]; kind: string; turns: ComparedTurn[]; equals: number; menace: Menace | null; finished: boolean; seconds: number }
export interface NoJudge { type: "nojudge"; node: number; text: string }
export interface PlanPanel { id: string; title: string; width: number; height: number; seat: number | null; ground: string; turned?: boolean }
export interface PlanSlot { id: string; panel: number; x: number; y: number; shape: string; outline: number; name: string; key?: string; mark?: string | null; caption?: string | null; caption_y?: number; spots?: number | null; size?: number; turn?: number; counted?: number | null; optional?: boolean; raised?: boolean }
export interface PlanLabel { panel: number; x: number; y: number; size: number; anchor: string; style: string; text: string }
export interface PlanFile { theme: string; sprite: string; kinds: [string, string][]; outlines: string[]; spots: number[][][]; counted: string[][]; panels: PlanPanel[]; slots: PlanSlot[]; labels: PlanLabel[] }
export type FromPage = Hello | Play | Undo | Confirm | Ask | Look | Mark | Preview | Why | Hint | Coach | Earlier | Speak | Propose | Reply | Return | Replace;
export type FromServer = Reload | Done | Refused | Said | Previewed | Explained | Judged | Hinted | Moves | Talk | Frame;
export type FromStudyPage = Hello | Visit | Add | Draw | Remark | Remove | Promote | Entitle | Arrange | Duplicate | Consider | Pause | Mark | Preview | Why;
export type FromStudy = Reload | Done | Refused | Previewed | Explained | Judged | Grown | Shed | Board | Opened | Outlook | NoJudge;
