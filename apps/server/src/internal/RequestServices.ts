import type { Authorization, KeyScope, ParameterCheck, RateLimit } from "@chaintape/core/api/Authorization"
import { Context, Effect, Layer } from "effect"

/** What a group of handlers may still require: handlers that read services per request would not find them. */
type Middleware = Authorization | KeyScope | ParameterCheck | RateLimit

/** Of the services in a context, those of Effect and of the contract. */
export const withoutOwnServices = <R>(context: Context.Context<R>): Context.Context<R> =>
  Context.makeUnsafe(new Map([...context.mapUnsafe].filter(([key]) => !key.startsWith("@chaintape/server/"))))

/**
 * Builds a group of handlers, which have their services from the function that makes them, in a context without the
 * services of this program. `HttpApiBuilder.group` merges that context into the context of every request: with all
 * services of the program, this costs an eighth of a small response.
 */
export const handlerGroup = <A, E, R extends Middleware, E2, R2>(
  make: Effect.Effect<Layer.Layer<A, E, R>, E2, R2>
): Layer.Layer<A, E | E2, R | R2> =>
  Layer.unwrap(
    Effect.map(make, (group) =>
      Layer.fromBuild((memoMap, scope) =>
        Effect.updateContext(Layer.buildWithMemoMap(group, memoMap, scope), withoutOwnServices<R>)
      )
    )
  )
