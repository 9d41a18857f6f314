import { Effect, Layer } from "effect"
import type { SqlClient } from "effect/sql"
import { withTrades } from "../../../../src/cex/tape/ledger/Coverage.ts"
import { TapeSegments } from "../../../../src/cex/tape/read/TapeSegments.ts"
import * as SqlTape from "../../../../src/cex/tape/store/SqlTape.ts"
import * as SqlTapeReads from "../../../../src/cex/tape/store/SqlTapeReads.ts"
import { Tape, type TapeReads } from "../../../../src/cex/tape/Tape.ts"
import type { TapeTrade } from "../../../../src/cex/tape/Tape.ts"
import type { Continuity } from "../../../../src/cex/TradeFlow.ts"
import type { Lease } from "../../../../src/ownership/Lease.ts"
import { embeddedDatabase, serverDatabase } from "../../../OwnDatabase.ts"
import { leaseInStore } from "../../../ownership/TestLease.ts"

const tape = Layer.mergeAll(SqlTape.layer, SqlTapeReads.layer, TapeSegments.layer, leaseInStore)

type Stored = Layer.Layer<Lease | SqlClient.SqlClient | Tape | TapeReads | TapeSegments, unknown>

/** The tape in the embedded database. */
export const embedded: Stored = tape.pipe(Layer.provideMerge(embeddedDatabase))

/** The tape in a database of a server. */
export const onServer = (url: string): Stored => tape.pipe(Layer.provideMerge(serverDatabase(url)))

const rowsOfChange = 5000

/** Stores trades, and returns their series. */
export const store = Effect.fnUntraced(function* (
  exchange: string,
  market: string,
  trades: ReadonlyArray<TapeTrade>,
  continuity: Continuity = "sequence"
) {
  const tape = yield* Tape
  let series = yield* tape.open(exchange, market, continuity, null)
  for (let at = 0; at < trades.length; at += rowsOfChange) {
    const part = trades.slice(at, at + rowsOfChange)
    const { coverage, version } = series
    yield* tape.append(series.id, { trades: part, coverage: withTrades(coverage, part), version, events: [] })
    series = yield* tape.open(exchange, market, continuity, null)
  }
  return series
})
