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

// Each takes what the method of its name takes, and needs a client.
expectTypeOf<Parameters<typeof calls.pools>>().toEqualTypeOf<Parameters<Dex["Service"]["pools"]>>()
expectTypeOf<Effect.Services<ReturnType<typeof calls.pools>>>().toEqualTypeOf<Client>()

// Every operation of the group is there; the rest of the module are the fields by which lists are sorted.
type NotOperations = "poolOrderFields" | "tokenOrderFields" | "tradeOrderFields"
expectTypeOf<keyof typeof calls>().toEqualTypeOf<Exclude<keyof typeof Operations, NotOperations>>()

declare const token: TokenAddress

export const refused = [
  // @ts-expect-error the address of a token is not that of a pool
  () => calls.pool({ exchange: "uniswap-v3", blockchain: "ethereum", pool: token })
]
