import type * as Operations from "@chaintape/core/api/DexOperations"
import type * as Operation from "@chaintape/core/api/Operation"
import type { Client } from "@chaintape/core/client/Client"
import type { ClientError } from "@chaintape/core/client/ClientError"
import type { TokenAddress } from "@chaintape/core/dex/Address"
import type { Dex } from "@chaintape/dex"
import * as calls from "@chaintape/dex/calls"
import { expectTypeOf } from "@effect/vitest"
import type * as Effect from "effect/Effect"

type Errors<Call extends (request: never) => Effect.Effect<unknown, unknown, unknown>> = Effect.Error<ReturnType<Call>>
type Expected<Op extends Operation.Any> = Operation.Problem<Op> | ClientError

expectTypeOf<Errors<typeof calls.blockchains>>().toEqualTypeOf<Expected<typeof Operations.blockchains>>()
expectTypeOf<Errors<typeof calls.deployments>>().toEqualTypeOf<Expected<typeof Operations.deployments>>()
expectTypeOf<Errors<typeof calls.tokens>>().toEqualTypeOf<Expected<typeof Operations.tokens>>()
expectTypeOf<Errors<typeof calls.tokenTrades>>().toEqualTypeOf<Expected<typeof Operations.tokenTrades>>()
expectTypeOf<Errors<typeof calls.pools>>().toEqualTypeOf<Expected<typeof Operations.pools>>()
expectTypeOf<Errors<typeof calls.pool>>().toEqualTypeOf<Expected<typeof Operations.pool>>()
expectTypeOf<Errors<typeof calls.poolTrades>>().toEqualTypeOf<Expected<typeof Operations.poolTrades>>()
expectTypeOf<Errors<typeof calls.candles>>().toEqualTypeOf<Expected<typeof Operations.candles>>()
expectTypeOf<Errors<typeof calls.ticks>>().toEqualTypeOf<Expected<typeof Operations.ticks>>()

// Each has the parameters of the method with its name, and requires a client.
expectTypeOf<Parameters<typeof calls.pools>>().toEqualTypeOf<Parameters<Dex["Service"]["pools"]>>()
expectTypeOf<Effect.Services<ReturnType<typeof calls.pools>>>().toEqualTypeOf<Client>()

// Every operation of the group; the other exports of the module are the sort fields of the lists.
type NotOperations = "poolOrderFields" | "tokenOrderFields" | "tradeOrderFields"
expectTypeOf<keyof typeof calls>().toEqualTypeOf<Exclude<keyof typeof Operations, NotOperations>>()

declare const token: TokenAddress

export const refused = [
  // @ts-expect-error the address of a token is not that of a pool
  () => calls.pool({ exchange: "uniswap-v3", blockchain: "ethereum", pool: token })
]
