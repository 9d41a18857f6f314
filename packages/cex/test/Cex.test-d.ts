import type { Cex } from "@chaintape/cex"
import type { ClientError } from "@chaintape/core"
import type { Operation } from "@chaintape/core/operations"
import type * as Operations from "@chaintape/core/operations/cex"
import { expectTypeOf } from "@effect/vitest"
import type * as Effect from "effect/Effect"

type Service = Cex["Service"]
type Errors<Call extends (request: never) => Effect.Effect<unknown, unknown>> = Effect.Error<ReturnType<Call>>
type Expected<Op extends Operation.Any> = Operation.Problem<Op> | ClientError

expectTypeOf<Errors<Service["exchanges"]>>().toEqualTypeOf<Expected<typeof Operations.exchanges>>()
expectTypeOf<Errors<Service["exchange"]>>().toEqualTypeOf<Expected<typeof Operations.exchange>>()
expectTypeOf<Errors<Service["markets"]>>().toEqualTypeOf<Expected<typeof Operations.markets>>()
expectTypeOf<Errors<Service["trades"]>>().toEqualTypeOf<Expected<typeof Operations.trades>>()
expectTypeOf<Errors<Service["lastTrade"]>>().toEqualTypeOf<Expected<typeof Operations.lastTrade>>()
expectTypeOf<Errors<Service["lastCandle"]>>().toEqualTypeOf<Expected<typeof Operations.lastCandle>>()
expectTypeOf<Errors<Service["candles"]>>().toEqualTypeOf<Expected<typeof Operations.candles>>()

// Every operation of the group, with and without the data of the response headers.
expectTypeOf<keyof Service["withResponse"]>().toEqualTypeOf<keyof typeof Operations>()
expectTypeOf<Exclude<keyof Service, "withResponse">>().toEqualTypeOf<keyof typeof Operations>()
