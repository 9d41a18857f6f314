import type { SourceTrade } from "../../ExchangeSource.ts"
import { toSequence } from "../../TradeSequence.ts"
import type { TapeTrade } from "../Tape.ts"
import { contains, getNeighbours, maxDisorderMs, newest, withTrades } from "./Coverage.ts"
import type { Coverage, Position } from "./Coverage.ts"
import type { Conflict, Ledger, LedgerPlan, TradesArrival } from "./Ledger.ts"
import { toFingerprint, makeRecentTradeFingerprints } from "./RecentTradeFingerprints.ts"

/** Trades whose contents are compared when they arrive again. */
export const sequenceFingerprints = 1000

/** An id further than this beyond the newest is accepted only together with another one that is nearer to it. */
const maxLeap = 10_000_000

/** The ids that are far beyond all others. */
const findStrays = (coverage: Coverage, sequences: Iterable<number>): ReadonlySet<number> => {
  const found = new Set<number>()
  const ascending = [...sequences].sort((one, other) => one - other)
  let reach = newest(coverage)?.to
  for (const [at, sequence] of ascending.entries()) {
    const next = ascending[at + 1] ?? Number.POSITIVE_INFINITY
    const isNear = reach === undefined || sequence - reach <= maxLeap || next - sequence <= maxLeap
    if (isNear) reach = Math.max(reach ?? sequence, sequence)
    else found.add(sequence)
  }
  return found
}

const isOlder = (time: number, other: number): boolean => time < other - maxDisorderMs

/**
 * The new trades whose time contradicts their sequence: they are far older than the trade before them, or far newer than
 * the one after them, while these two fit. The tape would drop them, and all trades up to them, with the day of their time.
 */
export const findMisdated = (coverage: Coverage, trades: ReadonlyArray<Position>): ReadonlySet<number> => {
  const found = new Set<number>()
  const ascending = trades.toSorted((one, other) => one.sequence - other.sequence)
  let last: Position | undefined
  for (const [at, { sequence, timestamp }] of ascending.entries()) {
    const { after, before } = getNeighbours(coverage, sequence)
    const isLastNearer = last !== undefined && last.sequence > (before?.to ?? -1)
    const lower = isLastNearer ? last?.timestamp : before?.toTime
    const next = ascending[at + 1]
    const isNextNearer = next !== undefined && next.sequence < (after?.from ?? Number.POSITIVE_INFINITY)
    const upper = isNextNearer ? next.timestamp : after?.fromTime
    const isTooOld = lower !== undefined && isOlder(timestamp, lower)
    const isTooNew = upper !== undefined && isOlder(upper, timestamp) && !(lower !== undefined && isOlder(upper, lower))
    if (isTooOld || isTooNew) found.add(sequence)
    else last = { sequence, timestamp }
  }
  return found
}

/** The trades held back, and the connection for which this was last recorded. */
interface Held {
  readonly trade: TapeTrade | undefined
  readonly connection: number | undefined
}

const getNewest = (arrivals: ReadonlyArray<TradesArrival>, among: ReadonlySet<number>) =>
  among.size === 0
    ? undefined
    : arrivals.flatMap(({ trades }) => trades).findLast((trade) => among.has(toSequence(trade.id) ?? -1))

/** For markets whose ids are consecutive integers: the id is the position. */
export const makeSequenceLedger = (): Ledger => {
  const fingerprints = makeRecentTradeFingerprints(sequenceFingerprints)
  /** Misdated trades, which are not refused again when they arrive again. */
  const refusedBefore = makeRecentTradeFingerprints(sequenceFingerprints)
  let held: Held = { trade: undefined, connection: undefined }
  let planned:
    | { readonly plan: LedgerPlan; readonly held: Held; readonly misdated: ReadonlyArray<TapeTrade> }
    | undefined

  const plan = (coverage: Coverage, arrivals: ReadonlyArray<TradesArrival>): LedgerPlan => {
    const trades = new Map<number, TapeTrade>()
    const conflicts: Array<Conflict> = []
    const refused: Array<SourceTrade> = []
    if (held.trade !== undefined && !contains(coverage, held.trade.sequence)) {
      trades.set(held.trade.sequence, held.trade)
    }
    for (const { receivedAt, trades: arrived } of arrivals) {
      for (const trade of arrived) {
        const sequence = toSequence(trade.id)
        if (sequence === undefined) {
          refused.push(trade)
          continue
        }
        const first = trades.get(sequence)
        if (first === undefined && !contains(coverage, sequence)) {
          if (refusedBefore.get(trade.id) === toFingerprint(trade)) continue
          trades.set(sequence, { ...trade, sequence, receivedAt })
          continue
        }
        const stored = first === undefined ? fingerprints.get(trade.id) : toFingerprint(first)
        if (stored !== undefined && stored !== toFingerprint(trade)) conflicts.push({ trade, stored, sequence })
      }
    }
    const far = findStrays(coverage, trades.keys())
    const stray = getNewest(arrivals, far)
    const connection = stray === undefined ? held.connection : arrivals.at(-1)?.connection
    if (stray !== undefined && connection !== held.connection) refused.push(stray)
    const candidate = stray === undefined ? held.trade?.sequence : toSequence(stray.id)
    const trade = candidate !== undefined && far.has(candidate) ? trades.get(candidate) : undefined
    const near = [...trades.values()].filter(({ sequence }) => !far.has(sequence))
    const wrong = findMisdated(coverage, near)
    const [misdated, added] = [
      near.filter(({ sequence }) => wrong.has(sequence)),
      near.filter(({ sequence }) => !wrong.has(sequence))
    ]
    refused.push(...misdated)
    const result: LedgerPlan = { trades: added, coverage: withTrades(coverage, added), conflicts, refused }
    planned = { plan: result, held: { trade, connection }, misdated }
    return result
  }

  return {
    plan,
    commit: (done) => {
      fingerprints.remember(done.trades)
      if (planned?.plan !== done) return
      held = planned.held
      refusedBefore.remember(planned.misdated)
    },
    resume: (trades) => {
      fingerprints.clear()
      fingerprints.remember(trades)
    }
  }
}
