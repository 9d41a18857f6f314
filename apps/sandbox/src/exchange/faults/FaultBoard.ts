import { Record } from "effect"
import { SeededRandom } from "../market/SeededRandom.ts"
import type { Endpoint, Fault, FaultKind, FaultOf, FaultSet, FaultState } from "./Fault.ts"

interface Entry {
  readonly fault: Fault
  readonly random: SeededRandom
  seen: number
  hits: number
}

/** An opportunity for faults: a request, a connection, or a frame. */
export interface Target {
  readonly endpoint: Endpoint
  readonly product?: string | undefined
}

export type ClockPart = "time" | "date" | "trades"

/** The faults that apply to one opportunity. */
export type AppliedFaults = ReadonlyArray<Fault>

/** Where a fault strikes: "request" is any request, "page" one for rows; the next three are of the stream. */
type Stage = "request" | "page" | "connection" | "delivery" | "frame" | "clock"

/** The stages of each fault: of every kind at least one. */
const stages = {
  latency: ["request", "delivery"],
  hang: ["request", "connection"],
  "rate-limited": ["request", "connection"],
  "server-error": ["request", "connection"],
  "html-page": ["request", "connection"],
  "truncated-body": ["request"],
  "changed-shape": ["request"],
  "socket-drop": ["frame"],
  "frame-loss": ["frame"],
  duplicate: ["page", "frame"],
  "out-of-order": ["page", "frame"],
  "stale-page": ["page"],
  "clock-skew": ["clock"]
} satisfies Record<FaultKind, readonly [Stage, ...ReadonlyArray<Stage>]>

const toFaults = (...wanted: ReadonlyArray<Stage>): ReadonlyArray<FaultKind> =>
  Record.toEntries(stages).flatMap(([kind, of]) => (of.some((stage) => wanted.includes(stage)) ? [kind] : []))

export const connectionFaults = toFaults("connection")
export const frameFaults = toFaults("frame")
export const deliveryFaults = toFaults("delivery")

const requestFaults = toFaults("request")
const pageFaults = toFaults("request", "page")

/** The faults of a request: only pages of rows have an order, an age and duplicates. */
export const getRequestFaults = (endpoint: Endpoint): ReadonlyArray<FaultKind> =>
  endpoint === "trades" || endpoint === "candles" ? pageFaults : requestFaults

/** The active faults, with their random generators and counters. */
export class FaultBoard {
  #seed = 1
  #entries: ReadonlyArray<Entry> = []
  #skewedSince = 0

  /** Replaces the whole set and resets counters and generators. `time` is in microseconds. */
  set(faults: FaultSet, time: number): void {
    this.#seed = faults.seed ?? 1
    this.#skewedSince = time
    this.#entries = faults.faults.map((fault, index) => ({
      fault,
      random: new SeededRandom(fault.seed === undefined ? `${this.#seed}/${index}` : `${fault.seed}`),
      seen: 0,
      hits: 0
    }))
  }

  reset(): void {
    this.set({ faults: [] }, 0)
  }

  get state(): { readonly seed: number; readonly faults: ReadonlyArray<FaultState> } {
    return { seed: this.#seed, faults: this.#entries.map(({ fault, hits, seen }) => ({ ...fault, seen, hits })) }
  }

  /** Draws for every active fault of these kinds that matches the target. */
  selectFaults(target: Target, kinds: ReadonlyArray<FaultKind>, tradeId?: number): AppliedFaults {
    if (this.#entries.length === 0) return []
    const applied: Array<Fault> = []
    for (const entry of this.#entries) {
      if (!kinds.includes(entry.fault.kind) || !matchesTarget(entry.fault, target)) continue
      if (this.#fires(entry, tradeId)) applied.push(entry.fault)
    }
    return applied
  }

  /** A random value of the fault, for faults that need more than a yes or no. */
  draw(fault: Fault): number {
    return this.#entries.find((entry) => entry.fault === fault)?.random.fraction() ?? 0
  }

  /** The error of the exchange's clock in microseconds at a true time. */
  skew(part: ClockPart, target: Target, time: number): number {
    if (time < this.#skewedSince) return 0
    const hours = (time - this.#skewedSince) / 3_600_000_000
    let sum = 0
    for (const entry of this.#entries) {
      const fault = findSkew(entry.fault, part, target)
      if (fault === undefined) continue
      entry.seen++
      entry.hits++
      sum += fault.offsetMilliseconds * 1000 + Math.round((fault.driftMillisecondsPerHour ?? 0) * 1000 * hours)
    }
    return sum
  }

  isSkewed(part: ClockPart, target: Target): boolean {
    return this.#entries.some(({ fault }) => findSkew(fault, part, target) !== undefined)
  }

  #fires(entry: Entry, tradeId: number | undefined): boolean {
    const { fault } = entry
    entry.seen++
    if (entry.seen <= (fault.afterRequests ?? 0)) return false
    if (fault.count !== undefined && entry.hits >= fault.count) return false
    const named = fault.kind === "frame-loss" && fault.tradeIds !== undefined
    const strikes = named
      ? tradeId !== undefined && fault.tradeIds.includes(tradeId)
      : entry.random.chance(fault.rate ?? 1)
    if (strikes) entry.hits++
    return strikes
  }
}

/** The first fault of a kind among those that apply. */
export const findFault = <Kind extends FaultKind>(applied: AppliedFaults, kind: Kind): FaultOf<Kind> | undefined =>
  applied.find((fault): fault is FaultOf<Kind> => fault.kind === kind)

const matchesTarget = (fault: Fault, target: Target): boolean =>
  (fault.endpoint === undefined || fault.endpoint === target.endpoint) &&
  (fault.product === undefined || fault.product === target.product)

const findSkew = (fault: Fault, part: ClockPart, target: Target): FaultOf<"clock-skew"> | undefined =>
  fault.kind === "clock-skew" && matchesTarget(fault, target) && (fault.parts?.includes(part) ?? true)
    ? fault
    : undefined
