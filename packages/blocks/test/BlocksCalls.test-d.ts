import type { Blocks } from "@chaintape/blocks"
import type { Client, ClientError } from "@chaintape/core"
import type { Operation } from "@chaintape/core/operations"
import type * as Operations from "@chaintape/core/operations/blocks"
import { expectTypeOf } from "@effect/vitest"
import type * as Effect from "effect/Effect"
import * as calls from "../src/BlocksCalls.ts"

type Errors<Call extends (request: never) => Effect.Effect<unknown, unknown, unknown>> = Effect.Error<ReturnType<Call>>
type Expected<Op extends Operation.Any> = Operation.Problem<Op> | ClientError

expectTypeOf<Errors<typeof calls.blockchains>>().toEqualTypeOf<Expected<typeof Operations.blockchains>>()
expectTypeOf<Errors<typeof calls.blocks>>().toEqualTypeOf<Expected<typeof Operations.blocks>>()

// Each has the parameters of the method with its name, and requires a client.
expectTypeOf<Parameters<typeof calls.blocks>>().toEqualTypeOf<Parameters<Blocks["Service"]["blocks"]>>()
expectTypeOf<Effect.Services<ReturnType<typeof calls.blocks>>>().toEqualTypeOf<Client>()

// Every operation of the group.
expectTypeOf<keyof typeof calls>().toEqualTypeOf<keyof typeof Operations>()

// @ts-expect-error no such field
export const refused = () => calls.blocks({ blockchain: "ethereum", orderBy: "hash" })
