import type { Cex } from "@chaintape/cex"
import type { Client, ClientError, Trades } from "@chaintape/core"
import type { Operation } from "@chaintape/core/operations"
import type * as Operations from "@chaintape/core/operations/cex"
import { expectTypeOf } from "@effect/vitest"
import type * as Effect from "effect/Effect"
import * as calls from "../src/CexCalls.ts"

type Errors<Call extends (request: never) => Effect.Effect<unknown, unknown, unknown>> = Effect.Error<ReturnType<Call>>
type Expected<Op extends Operation.Any> = Operation.Problem<Op> | ClientError

expectTypeOf<Errors<typeof calls.exchanges>>().toEqualTypeOf<Expected<typeof Operations.exchanges>>()
expectTypeOf<Errors<typeof calls.exchange>>().toEqualTypeOf<Expected<typeof Operations.exchange>>()
expectTypeOf<Errors<typeof calls.trades>>().toEqualTypeOf<Expected<typeof Operations.trades>>()
expectTypeOf<Errors<typeof calls.lastTrade>>().toEqualTypeOf<Expected<typeof Operations.lastTrade>>()
expectTypeOf<Errors<typeof calls.lastCandle>>().toEqualTypeOf<Expected<typeof Operations.lastCandle>>()
expectTypeOf<Errors<typeof calls.candles>>().toEqualTypeOf<Expected<typeof Operations.candles>>()

// Each has the parameters of the method with its name, and requires a client.
expectTypeOf<Parameters<typeof calls.trades>>().toEqualTypeOf<Parameters<Cex["Service"]["trades"]>>()
expectTypeOf<Effect.Success<ReturnType<typeof calls.trades>>>().toEqualTypeOf<Trades>()
expectTypeOf<Effect.Services<ReturnType<typeof calls.trades>>>().toEqualTypeOf<Client>()

// Every operation of the group.
expectTypeOf<keyof typeof calls>().toEqualTypeOf<keyof typeof Operations>()

export const refused = [
  // @ts-expect-error a market is written BASE/QUOTE by its constructor, not by any text
  () => calls.lastTrade({ exchange: "kraken", market: "BTC-USD" }),

  // @ts-expect-error no such parameter
  () => calls.exchange({ exchange: "kraken", limit: 5 })
]
