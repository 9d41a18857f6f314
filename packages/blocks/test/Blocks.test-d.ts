import type { Blocks } from "@chaintape/blocks"
import type { ClientError } from "@chaintape/core"
import type { Operation } from "@chaintape/core/operations"
import type * as Operations from "@chaintape/core/operations/blocks"
import { expectTypeOf } from "@effect/vitest"
import type * as Effect from "effect/Effect"

type Service = Blocks["Service"]
type Errors<Call extends (request: never) => Effect.Effect<unknown, unknown>> = Effect.Error<ReturnType<Call>>
type Expected<Op extends Operation.Any> = Operation.Problem<Op> | ClientError
type Names = keyof typeof Operations

expectTypeOf<Errors<Service["blockchains"]>>().toEqualTypeOf<Expected<typeof Operations.blockchains>>()
expectTypeOf<Errors<Service["blocks"]>>().toEqualTypeOf<Expected<typeof Operations.blocks>>()

// Every operation of the group, with and without the data of the response headers.
expectTypeOf<keyof Service["withResponse"]>().toEqualTypeOf<Names>()
expectTypeOf<Exclude<keyof Service, "withResponse">>().toEqualTypeOf<Names>()
