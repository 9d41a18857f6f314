import type { SourceTrade } from "../../ExchangeSource.ts"
import type { Interval, TapeTrade } from "../Tape.ts"
import { maxDisorderMs, newest, withTrades } from "./Coverage.ts"
import type { Conflict, Ledger, LedgerPlan } from "./Ledger.ts"
import type { RecentTradeFingerprints } from "./RecentTradeFingerprints.ts"
import { toFingerprint, makeRecentTradeFingerprints } from "./RecentTradeFingerprints.ts"

/**
 * At least as many as one transaction writes: one whose reply was lost is found again. A transaction is collected until it
 * has 5,000 trades, and its last batch has at most 2,000.
 */
export const overlapFingerprints = 7000

/** The trades that a ledger remembers, and those of them in the newest run. */
interface Memory {
  readonly stored: RecentTradeFingerprints
  readonly run: RecentTradeFingerprints
  /** Whether a trade was refused that the newest run lacks. */
  lacksOne: boolean
}

/** The plan so far. */
interface Draft {
  readonly memory: Memory
  readonly added: Map<string, TapeTrade>
  readonly conflicts: Array<Conflict>
  readonly refused: Array<SourceTrade>
  /** Trades of the newest run. */
  readonly ofRun: Set<string>
  next: number
  /** None while the tape is empty. */
  newestTime: number | undefined
  isNewRun: boolean
  lacksOne: boolean
}

const makeDraft = (memory: Memory, last: Interval | undefined): Draft => ({
  memory,
  added: new Map(),
  conflicts: [],
  refused: [],
  ofRun: new Set(),
  next: (last?.to ?? 0) + 1,
  newestTime: last?.toTime,
  isNewRun: false,
  lacksOne: memory.lacksOne
})

const beginRun = (draft: Draft): void => {
  draft.next++
  draft.isNewRun = true
  draft.lacksOne = false
  draft.ofRun.clear()
}

const getStored = ({ added, memory }: Draft, { id }: SourceTrade): string | undefined => {
  const trade = added.get(id)
  return trade === undefined ? memory.stored.get(id) : toFingerprint(trade)
}

const add = (draft: Draft, trade: SourceTrade, receivedAt: number): void => {
  const { added, newestTime } = draft
  const stored = getStored(draft, trade)
  if (stored !== undefined) {
    const sequence = added.get(trade.id)?.sequence
    if (stored !== toFingerprint(trade)) draft.conflicts.push({ trade, stored, sequence })
    return
  }
  if (newestTime !== undefined && trade.timestamp < newestTime - maxDisorderMs) {
    // Retention would drop all trades up to it with the day of its time.
    draft.refused.push(trade)
    draft.lacksOne = true
    return
  }
  if (draft.lacksOne) beginRun(draft)
  added.set(trade.id, { ...trade, sequence: draft.next++, receivedAt })
  draft.ofRun.add(trade.id)
  draft.newestTime = Math.max(newestTime ?? 0, trade.timestamp)
}

/** The trades of a page that extend the run, or form a new one. Trades before known trades are older. */
const takeBeyond = (draft: Draft, page: ReadonlyArray<SourceTrade>): ReadonlyArray<SourceTrade> => {
  const { isNewRun, memory, newestTime, ofRun } = draft
  if (newestTime === undefined) return page
  const isStored = (trade: SourceTrade) => getStored(draft, trade) !== undefined
  const reach = page.findIndex(({ id }) => ofRun.has(id) || (!isNewRun && memory.run.get(id) !== undefined))
  const known = page[reach]
  if (known !== undefined) {
    // Trades of one time may be in another order than on arrival: unknown ones directly before it can be newer.
    const isOther = (trade: SourceTrade) => trade.timestamp !== known.timestamp || isStored(trade)
    return page.slice(page.slice(0, reach).findLastIndex(isOther) + 1)
  }
  // A page from a cache contains nothing new.
  if ((page.at(-1)?.timestamp ?? 0) <= newestTime) return []
  const unknown = page.slice(page.findLastIndex(isStored) + 1)
  if (unknown.length > 0) beginRun(draft)
  return unknown
}

/**
 * For markets whose ids prove nothing: the position is a counter by arrival. A run continues while trades arrive live,
 * and across a page that reaches back to a trade of the run; otherwise a new run begins, one position further on.
 */
export const makeOverlapLedger = (): Ledger => {
  const memory: Memory = {
    stored: makeRecentTradeFingerprints(overlapFingerprints),
    run: makeRecentTradeFingerprints(overlapFingerprints),
    lacksOne: false
  }
  let planned: { readonly plan: LedgerPlan; readonly draft: Draft } | undefined

  const plan: Ledger["plan"] = (coverage, arrivals, isAfterLoss) => {
    const last = newest(coverage)
    const draft = makeDraft(memory, last)
    if (isAfterLoss && arrivals[0]?.from === "live" && last !== undefined) beginRun(draft)
    for (const { from, receivedAt, trades } of arrivals) {
      for (const trade of from === "live" ? trades : takeBeyond(draft, trades)) add(draft, trade, receivedAt)
    }
    const { added, conflicts, refused } = draft
    const trades = [...added.values()]
    const result: LedgerPlan = { trades, coverage: withTrades(coverage, trades), conflicts, refused }
    planned = { plan: result, draft }
    return result
  }

  return {
    plan,
    commit: (done) => {
      // A refused trade that arrives again is not refused again.
      memory.stored.remember([...done.trades, ...done.refused])
      if (planned?.plan !== done) return
      const { isNewRun, lacksOne, ofRun } = planned.draft
      memory.lacksOne = lacksOne
      if (isNewRun) memory.run.clear()
      memory.run.remember(done.trades.filter(({ id }) => ofRun.has(id)))
    },
    resume: (trades, ofRun) => {
      memory.stored.clear()
      memory.stored.remember(trades)
      memory.run.clear()
      memory.run.remember(ofRun)
    }
  }
}
