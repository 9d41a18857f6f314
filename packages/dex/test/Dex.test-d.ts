import type { ClientError } from "@chaintape/core"
import type { Operation } from "@chaintape/core/operations"
import type * as Operations from "@chaintape/core/operations/dex"
import type { Dex } from "@chaintape/dex"
import { expectTypeOf } from "@effect/vitest"
import type * as Effect from "effect/Effect"

type Service = Dex["Service"]
type Errors<Call extends (request: never) => Effect.Effect<unknown, unknown>> = Effect.Error<ReturnType<Call>>
type Expected<Op extends Operation.Any> = Operation.Problem<Op> | ClientError
type Names = keyof typeof Operations

expectTypeOf<Errors<Service["blockchains"]>>().toEqualTypeOf<Expected<typeof Operations.blockchains>>()
expectTypeOf<Errors<Service["deployments"]>>().toEqualTypeOf<Expected<typeof Operations.deployments>>()
expectTypeOf<Errors<Service["tokens"]>>().toEqualTypeOf<Expected<typeof Operations.tokens>>()
expectTypeOf<Errors<Service["tokenTrades"]>>().toEqualTypeOf<Expected<typeof Operations.tokenTrades>>()
expectTypeOf<Errors<Service["pools"]>>().toEqualTypeOf<Expected<typeof Operations.pools>>()
expectTypeOf<Errors<Service["pool"]>>().toEqualTypeOf<Expected<typeof Operations.pool>>()
expectTypeOf<Errors<Service["poolTrades"]>>().toEqualTypeOf<Expected<typeof Operations.poolTrades>>()
expectTypeOf<Errors<Service["candles"]>>().toEqualTypeOf<Expected<typeof Operations.candles>>()
expectTypeOf<Errors<Service["ticks"]>>().toEqualTypeOf<Expected<typeof Operations.ticks>>()

// An unknown pool or token is a problem of the operations that name one, and of no other.
type Missing<Error extends { readonly _tag: string }> = Extract<Error["_tag"], "PoolNotFound" | "TokenNotFound">
expectTypeOf<Missing<Errors<Service["pools"]> | Errors<Service["tokens"]>>>().toBeNever()
expectTypeOf<Missing<Errors<Service["pool"]> | Errors<Service["poolTrades"]>>>().toEqualTypeOf<"PoolNotFound">()
expectTypeOf<Missing<Errors<Service["tokenTrades"]>>>().toEqualTypeOf<"TokenNotFound">()

// Every operation of the group, with and without the data of the response headers.
expectTypeOf<keyof Service["withResponse"]>().toEqualTypeOf<Names>()
expectTypeOf<Exclude<keyof Service, "withResponse">>().toEqualTypeOf<Names>()
