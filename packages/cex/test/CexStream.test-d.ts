import { type Cex, CexStream } from "@chaintape/cex"
import { type ClientError, type InvalidCursor, Market, type Trade, type TradesTooDense } from "@chaintape/core"
import type { Operation } from "@chaintape/core/operations"
import type * as Operations from "@chaintape/core/operations/cex"
import { expectTypeOf } from "@effect/vitest"
import type * as Stream from "effect/Stream"

type Expected = Operation.Problem<typeof Operations.trades> | ClientError | InvalidCursor | TradesTooDense

// Exactly the errors of reading a page, and those that a stream adds.
expectTypeOf<ReturnType<typeof CexStream.trades>>().toEqualTypeOf<Stream.Stream<Trade, Expected, Cex>>()
expectTypeOf<ReturnType<typeof CexStream.tradePages>>().toEqualTypeOf<
  Stream.Stream<CexStream.TradePage, Expected, Cex>
>()

// A stream of trades requires a start.
expectTypeOf<Parameters<typeof CexStream.trades>[0]["since"]>().not.toExtend<undefined>()
// @ts-expect-error `since` is missing
void CexStream.trades({ exchange: "kraken", market: Market.make("BTC/USD") })
