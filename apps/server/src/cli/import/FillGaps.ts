import { Clock, Effect } from "effect"
import * as CcxtSources from "../../cex/ccxt/CcxtSources.ts"
import type { CcxtExchangeEntry } from "../../cex/ccxt/upstream/CcxtConnections.ts"
import type { Importer } from "../../cex/dumps/Importer.ts"
import { ExchangeError } from "../../cex/ExchangeSource.ts"
import type { MarketName } from "../../cex/ExchangeSource.ts"
import type { Gap } from "../../cex/tape/ledger/Coverage.ts"
import { TradeFlow } from "../../cex/TradeFlow.ts"

/** Ids per request to the exchange, which reads as many pages as it needs. */
const idsOfPart = 4000

/** Requests the missing trades from the exchange, and stores them. `onStored` is called with each number of them. */
export const fillGaps = Effect.fn("FillGaps.fill")(
  function* (
    importer: Importer,
    entry: CcxtExchangeEntry,
    market: MarketName,
    gaps: ReadonlyArray<Gap>,
    onStored: (trades: number) => void
  ) {
    const flows = yield* TradeFlow
    const flow = yield* flows.open(entry.id, market)
    if (flow.continuity !== "sequence") {
      const message = `The exchange "${entry.id}" has no trades by id.`
      return yield* new ExchangeError({ exchange: entry.id, reason: "NotSupported", message })
    }
    for (const gap of gaps) {
      for (let from = gap.from; from <= gap.to; from += idsOfPart) {
        const trades = yield* flow.range(from, Math.min(gap.to, from + idsOfPart - 1))
        const receivedAt = yield* Clock.currentTimeMillis
        yield* importer.add(trades.map((trade) => ({ ...trade, receivedAt })))
        onStored(trades.length)
      }
    }
  },
  Effect.scoped,
  (effect, _importer, entry) => Effect.provide(effect, CcxtSources.layer([entry]))
)
