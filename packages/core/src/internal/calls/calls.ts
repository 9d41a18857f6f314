/**
 * The calls of a group on one client. Internal because a record of operations loses its keys on the way, which a cast
 * restores.
 */
import * as Effect from "effect/Effect"
import type { Call, Method } from "../../client/CallMode.ts"
import { Client } from "../../client/Client.ts"
import type * as Operation from "../../operation/Operation.ts"

/** The cast says that a request may be omitted only where nothing is required; without types a call reports what is missing. */
const toInput = <Op extends Operation.Any>(request: Operation.Input<Op> | undefined) => request as Operation.Input<Op>

/** Operations by the names of their methods. */
type Operations = { readonly [name: string]: Operation.Any }

/**
 * The methods of a group: each returns the value of its operation, and below `withResponse` also what the response
 * headers say about it.
 */
export type Calls<Ops extends Operations> = { readonly [K in keyof Ops]: Method<"effect", Ops[K]> } & {
  readonly withResponse: { readonly [K in keyof Ops]: Method<"effectResponse", Ops[K]> }
}

/** A record with the method of each operation. The cast restores the keys that `Object.entries` loses. */
export const methodsOf = <Methods>(operations: Operations, method: (operation: Operation.Any) => unknown): Methods =>
  Object.fromEntries(Object.entries(operations).map(([name, operation]) => [name, method(operation)])) as Methods

/**
 * The methods of a group on a client.
 *
 * @since 0.1.0
 * @category constructors
 *
 * @example
 * ```ts
 * import { Client } from "@chaintape/core"
 * import { callsOf, SystemOperations } from "@chaintape/core/operations"
 * import { Effect } from "effect"
 *
 * const address = Effect.gen(function* () {
 *   const system = callsOf(yield* Client, { ping: SystemOperations.ping })
 *   const { ip } = yield* system.ping({})
 *   return ip
 * })
 * ```
 */
export const callsOf = <Ops extends Operations>({ call }: Client["Service"], operations: Ops): Calls<Ops> => ({
  ...methodsOf<{ readonly [K in keyof Ops]: Method<"effect", Ops[K]> }>(
    operations,
    (operation): Method<"effect", Operation.Any> =>
      (...[request, options]) =>
        Effect.map(call(operation, toInput(request), options), ({ value }) => value)
  ),
  withResponse: methodsOf(
    operations,
    (operation): Method<"effectResponse", Operation.Any> =>
      (...[request, options]) =>
        call(operation, toInput(request), options)
  )
})

/**
 * The function of an operation.
 *
 * @example
 * ```ts
 * import { call } from "@chaintape/core/operations"
 * import { lastTrade } from "@chaintape/core/operations/cex"
 *
 * const read = call(lastTrade)
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const call =
  <Op extends Operation.Any>(operation: Op): Call<Op> =>
  (...[request, options]) =>
    Client.use(({ call }) => Effect.map(call(operation, toInput(request), options), ({ value }) => value))
