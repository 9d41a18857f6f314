/**
 * The calls of a group on one client. Internal because a record of operations loses its keys on the way, which a cast
 * restores.
 */
import * as Effect from "effect/Effect"
import type * as Operation from "../../api/Operation.ts"
import type { Client, Read, ReadAnswer } from "../../client/Client.ts"

/** Operations by the names of their methods. */
type Operations = { readonly [name: string]: Operation.Any }

/**
 * The methods of a group: each returns the value of its operation, and below `withResponse` also what the response headers
 * say about it.
 *
 * @since 0.1.0
 * @category models
 *
 * @example
 * ```ts
 * import type { ping } from "@chaintape/core/api/SystemOperations"
 * import type { Calls } from "@chaintape/core/client/Calls"
 *
 * const address = (system: Calls<{ readonly ping: typeof ping }>) => system.ping({})
 * ```
 */
export type Calls<Ops extends Operations> = { readonly [K in keyof Ops]: Read<Ops[K]> } & {
  readonly withResponse: { readonly [K in keyof Ops]: ReadAnswer<Ops[K]> }
}

/**
 * The methods of a group on a client.
 *
 * @since 0.1.0
 * @category constructors
 *
 * @example
 * ```ts
 * import { Client } from "@chaintape/core"
 * import { ping } from "@chaintape/core/api/SystemOperations"
 * import { callsOf } from "@chaintape/core/client/Calls"
 * import { Effect } from "effect"
 *
 * const address = Effect.gen(function* () {
 *   const system = callsOf(yield* Client, { ping })
 *   const { ip } = yield* system.ping({})
 *   return ip
 * })
 * ```
 */
export const callsOf = <Ops extends Operations>({ call }: Client["Service"], operations: Ops): Calls<Ops> => {
  const over = (method: (operation: Operation.Any) => unknown) =>
    Object.fromEntries(Object.entries(operations).map(([name, operation]) => [name, method(operation)]))
  return {
    ...over(
      (operation): Read<Operation.Any> =>
        (request, options) =>
          Effect.map(call(operation, request, options), ({ value }) => value)
    ),
    withResponse: over(
      (operation): ReadAnswer<Operation.Any> =>
        (request, options) =>
          call(operation, request, options)
    )
  } as Calls<Ops>
}
