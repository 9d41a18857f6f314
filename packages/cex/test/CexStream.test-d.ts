import type { Cex } from "@chaintape/cex"
import * as CexStream from "@chaintape/cex/stream"
import { Market, type Trade } from "@chaintape/core"
import type * as Operations from "@chaintape/core/api/CexOperations"
import type * as Operation from "@chaintape/core/api/Operation"
import type { ClientError } from "@chaintape/core/client/ClientError"
import type { InvalidCursor, TradesTooDense } from "@chaintape/core/stream/StreamError"
import { expectTypeOf } from "@effect/vitest"
import type * as Stream from "effect/Stream"

type Expected = Operation.Problem<typeof Operations.trades> | ClientError | InvalidCursor | TradesTooDense

// Exactly the errors of reading a page, and those that a stream adds.
expectTypeOf<ReturnType<typeof CexStream.trades>>().toEqualTypeOf<Stream.Stream<Trade, Expected, Cex>>()
expectTypeOf<ReturnType<typeof CexStream.tradePages>>().toEqualTypeOf<
  Stream.Stream<CexStream.TradePage, Expected, Cex>
>()

// A stream of trades requires a start.
expectTypeOf<CexStream.TradesRequest["since"]>().not.toExtend<undefined>()
// @ts-expect-error `since` is missing
void CexStream.trades({ exchange: "kraken", market: Market.make("BTC/USD") })
