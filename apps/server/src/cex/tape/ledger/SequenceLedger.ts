import type { SourceTrade } from "../../ExchangeSource.ts"
import { toSequence } from "../../TradeSequence.ts"
import type { TapeTrade } from "../Tape.ts"
import { contains, getNeighbours, maxDisorderMs, newest, withTrades } from "./Coverage.ts"
import type { Coverage, Position } from "./Coverage.ts"
import type { Conflict, Ledger, LedgerPlan, TradesArrival } from "./Ledger.ts"
import type { RecentTradeFingerprints } from "./RecentTradeFingerprints.ts"
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

/** The stray that is held back, and the connection for which one was last recorded. */
interface Held {
  readonly trade: TapeTrade | undefined
  readonly connection: number | undefined
}

/** The trades that a ledger remembers. */
interface Memory {
  readonly stored: RecentTradeFingerprints
  /** Misdated trades, which are not refused again when they arrive again. */
  readonly misdated: RecentTradeFingerprints
  held: Held
}

/** Finds the trades that are not stored, with the one that was held back, the conflicts, and the trades whose id is no sequence. */
const compareArrivals = (
  { held, misdated, stored }: Memory,
  coverage: Coverage,
  arrivals: ReadonlyArray<TradesArrival>
) => {
  const unstored = new Map<number, TapeTrade>()
  const conflicts: Array<Conflict> = []
  const unnumbered: Array<SourceTrade> = []
  if (held.trade !== undefined && !contains(coverage, held.trade.sequence)) {
    unstored.set(held.trade.sequence, held.trade)
  }
  const compare = (trade: SourceTrade, receivedAt: number): void => {
    const sequence = toSequence(trade.id)
    if (sequence === undefined) return void unnumbered.push(trade)
    const fingerprint = toFingerprint(trade)
    const first = unstored.get(sequence)
    if (first === undefined && !contains(coverage, sequence)) {
      if (misdated.get(trade.id) !== fingerprint) unstored.set(sequence, { ...trade, sequence, receivedAt })
      return
    }
    const before = first === undefined ? stored.get(trade.id) : toFingerprint(first)
    if (before !== undefined && before !== fingerprint) conflicts.push({ trade, stored: before, sequence })
  }
  for (const { receivedAt, trades } of arrivals) for (const trade of trades) compare(trade, receivedAt)
  return { unstored, conflicts, unnumbered }
}

const findNewest = (arrivals: ReadonlyArray<TradesArrival>, among: ReadonlySet<number>) =>
  among.size === 0
    ? undefined
    : arrivals.flatMap(({ trades }) => trades).findLast((trade) => among.has(toSequence(trade.id) ?? -1))

/** Holds the newest stray back, and refuses it once per connection. */
const holdStray = (
  held: Held,
  arrivals: ReadonlyArray<TradesArrival>,
  unstored: ReadonlyMap<number, TapeTrade>,
  strays: ReadonlySet<number>
) => {
  const stray = findNewest(arrivals, strays)
  const connection = stray === undefined ? held.connection : arrivals.at(-1)?.connection
  const sequence = stray === undefined ? held.trade?.sequence : toSequence(stray.id)
  const trade = sequence !== undefined && strays.has(sequence) ? unstored.get(sequence) : undefined
  const refused = stray !== undefined && connection !== held.connection ? [stray] : []
  return { held: { trade, connection } satisfies Held, refused }
}

/** For markets whose ids are consecutive integers: the id is the position. */
export const makeSequenceLedger = (): Ledger => {
  const memory: Memory = {
    stored: makeRecentTradeFingerprints(sequenceFingerprints),
    misdated: makeRecentTradeFingerprints(sequenceFingerprints),
    held: { trade: undefined, connection: undefined }
  }
  let planned:
    | { readonly plan: LedgerPlan; readonly held: Held; readonly misdated: ReadonlyArray<TapeTrade> }
    | undefined

  const plan = (coverage: Coverage, arrivals: ReadonlyArray<TradesArrival>): LedgerPlan => {
    const { conflicts, unnumbered, unstored } = compareArrivals(memory, coverage, arrivals)
    const strays = findStrays(coverage, unstored.keys())
    const { held, refused } = holdStray(memory.held, arrivals, unstored, strays)
    const near = [...unstored.values()].filter(({ sequence }) => !strays.has(sequence))
    const wrong = findMisdated(coverage, near)
    const misdated = near.filter(({ sequence }) => wrong.has(sequence))
    const trades = near.filter(({ sequence }) => !wrong.has(sequence))
    const result: LedgerPlan = {
      trades,
      coverage: withTrades(coverage, trades),
      conflicts,
      refused: [...unnumbered, ...refused, ...misdated]
    }
    planned = { plan: result, held, misdated }
    return result
  }

  return {
    plan,
    commit: (done) => {
      memory.stored.remember(done.trades)
      if (planned?.plan !== done) return
      memory.held = planned.held
      memory.misdated.remember(planned.misdated)
    },
    resume: (trades) => {
      memory.stored.clear()
      memory.stored.remember(trades)
    }
  }
}
