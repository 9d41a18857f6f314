import type { SourceTrade } from "../../ExchangeSource.ts"
import type { TapeTrade } from "../Tape.ts"
import { maxDisorderMs, newest, withTrades } from "./Coverage.ts"
import type { Conflict, Ledger, LedgerPlan } from "./Ledger.ts"
import { toFingerprint, makeRecentTradeFingerprints } from "./RecentTradeFingerprints.ts"

/**
 * At least as many as one transaction writes: one whose reply was lost is found again. A transaction is collected until it
 * has 5,000 trades, and its last batch has at most 2,000.
 */
export const overlapFingerprints = 7000

interface PlannedRun {
  readonly plan: LedgerPlan
  readonly isNewRun: boolean
  readonly ofRun: ReadonlySet<string>
  readonly lacksOne: boolean
}

/**
 * For markets whose ids prove nothing: the position is a counter by arrival. A run continues while trades arrive live,
 * and across a page that reaches back to a trade of the run; otherwise a new run begins, one position further on.
 */
export const makeOverlapLedger = (): Ledger => {
  const fingerprints = makeRecentTradeFingerprints(overlapFingerprints)
  const run = makeRecentTradeFingerprints(overlapFingerprints)
  let planned: PlannedRun | undefined
  /** Whether a trade was refused that the newest run lacks. */
  let lackedBefore = false

  const plan: Ledger["plan"] = (coverage, arrivals, isAfterLoss) => {
    const added = new Map<string, TapeTrade>()
    const conflicts: Array<Conflict> = []
    const refused: Array<SourceTrade> = []
    const ofRun = new Set<string>()
    let next = (newest(coverage)?.to ?? 0) + 1
    let newestTime = newest(coverage)?.toTime ?? 0
    let isEmpty = coverage.length === 0
    let isNewRun = false
    let lacksOne = lackedBefore

    const getStored = ({ id }: SourceTrade): string | undefined => {
      const trade = added.get(id)
      return trade === undefined ? fingerprints.get(id) : toFingerprint(trade)
    }
    const isOfRun = ({ id }: SourceTrade) => ofRun.has(id) || (!isNewRun && run.get(id) !== undefined)
    const add = (trade: SourceTrade, receivedAt: number) => {
      const stored = getStored(trade)
      if (stored === undefined && !isEmpty && trade.timestamp < newestTime - maxDisorderMs) {
        // Retention would drop all trades up to it with the day of its time.
        refused.push(trade)
        lacksOne = true
      } else if (stored === undefined) {
        if (lacksOne) beginRun()
        added.set(trade.id, { ...trade, sequence: next++, receivedAt })
        ofRun.add(trade.id)
        newestTime = Math.max(newestTime, trade.timestamp)
        isEmpty = false
      } else if (stored !== toFingerprint(trade)) {
        conflicts.push({ trade, stored, sequence: added.get(trade.id)?.sequence })
      }
    }
    const beginRun = () => {
      next++
      isNewRun = true
      lacksOne = false
      ofRun.clear()
    }
    /** The trades of a page that extend the run, or form a new one. Trades before known trades are older. */
    const takeBeyond = (page: ReadonlyArray<SourceTrade>): ReadonlyArray<SourceTrade> => {
      if (isEmpty) return page
      const reach = page.findIndex(isOfRun)
      const known = page[reach]
      if (known !== undefined) {
        // Trades of one time may be in another order than on arrival: unknown ones directly before it can be newer.
        const isOther = (trade: SourceTrade) => trade.timestamp !== known.timestamp || getStored(trade) !== undefined
        return page.slice(page.slice(0, reach).findLastIndex(isOther) + 1)
      }
      // A page from a cache contains nothing new.
      if ((page.at(-1)?.timestamp ?? 0) <= newestTime) return []
      const unknown = page.slice(page.findLastIndex((trade) => getStored(trade) !== undefined) + 1)
      if (unknown.length > 0) beginRun()
      return unknown
    }

    if (isAfterLoss && arrivals[0]?.from === "live" && !isEmpty) beginRun()
    for (const { from, receivedAt, trades } of arrivals) {
      for (const trade of from === "live" ? trades : takeBeyond(trades)) add(trade, receivedAt)
    }
    const trades = [...added.values()]
    const result: LedgerPlan = { trades, coverage: withTrades(coverage, trades), conflicts, refused }
    planned = { plan: result, isNewRun, ofRun, lacksOne }
    return result
  }

  return {
    plan,
    commit: (done) => {
      // A refused trade that arrives again is not refused again.
      fingerprints.remember([...done.trades, ...done.refused])
      if (planned?.plan !== done) return
      const { isNewRun, lacksOne, ofRun } = planned
      lackedBefore = lacksOne
      if (isNewRun) run.clear()
      run.remember(done.trades.filter(({ id }) => ofRun.has(id)))
    },
    resume: (trades, ofRun) => {
      fingerprints.clear()
      fingerprints.remember(trades)
      run.clear()
      run.remember(ofRun)
    }
  }
}
