import type { Blocks } from "@chaintape/blocks"
import * as calls from "@chaintape/blocks/calls"
import type * as Operations from "@chaintape/core/api/BlocksOperations"
import type * as Operation from "@chaintape/core/api/Operation"
import type { Client } from "@chaintape/core/client/Client"
import type { ClientError } from "@chaintape/core/client/ClientError"
import { expectTypeOf } from "@effect/vitest"
import type * as Effect from "effect/Effect"

type Errors<Call extends (request: never) => Effect.Effect<unknown, unknown, unknown>> = Effect.Error<ReturnType<Call>>
type Expected<Op extends Operation.Any> = Operation.Problem<Op> | ClientError

expectTypeOf<Errors<typeof calls.blockchains>>().toEqualTypeOf<Expected<typeof Operations.blockchains>>()
expectTypeOf<Errors<typeof calls.blocks>>().toEqualTypeOf<Expected<typeof Operations.blocks>>()

// Each has the parameters of the method with its name, and requires a client.
expectTypeOf<Parameters<typeof calls.blocks>>().toEqualTypeOf<Parameters<Blocks["Service"]["blocks"]>>()
expectTypeOf<Effect.Services<ReturnType<typeof calls.blocks>>>().toEqualTypeOf<Client>()

// Every operation of the group.
expectTypeOf<keyof typeof calls>().toEqualTypeOf<Exclude<keyof typeof Operations, "blockFields">>()

// @ts-expect-error no such field
export const refused = () => calls.blocks({ blockchain: "ethereum", orderBy: "hash" })
