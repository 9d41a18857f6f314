import type { Client, ClientError, TokenAddress } from "@chaintape/core"
import type { Operation } from "@chaintape/core/operations"
import type * as Operations from "@chaintape/core/operations/dex"
import type { Dex } from "@chaintape/dex"
import { expectTypeOf } from "@effect/vitest"
import type * as Effect from "effect/Effect"
import * as calls from "../src/DexCalls.ts"

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

// Every operation of the group.
expectTypeOf<keyof typeof calls>().toEqualTypeOf<keyof typeof Operations>()

declare const token: TokenAddress

export const refused = [
  // @ts-expect-error the address of a token is not that of a pool
  () => calls.pool({ exchange: "uniswap-v3", blockchain: "ethereum", pool: token })
]
