import { Authorization, KeyScope, ParameterCheck, RateLimit } from "@chaintape/contract"
import { Context, Effect, FileSystem, Layer, Path, Stdio, Terminal } from "effect"
import { HttpServer } from "effect/http"
import { ChildProcessSpawner } from "effect/process"
import { SqlClient } from "effect/sql"

/** The services that a group of handlers may still require: handlers that read services per request would not find them. */
type Middleware = Authorization | KeyScope | ParameterCheck | RateLimit

/** Services of Effect that the program uses, and no request. */
const programServices = new Set<string>(
  [
    FileSystem.FileSystem,
    Path.Path,
    Stdio.Stdio,
    Terminal.Terminal,
    ChildProcessSpawner.ChildProcessSpawner,
    Layer.CurrentMemoMap,
    HttpServer.HttpServer,
    SqlClient.SqlClient
  ].map(({ key }) => key)
)

const isProgramService = (key: string): boolean =>
  key.startsWith("@chaintape/server/") || key.startsWith("@effect/sql-pg/") || programServices.has(key)

/** Of the services in a context, those that a request may need: each request copies its context several times. */
export const withoutOwnServices = <R>(context: Context.Context<R>): Context.Context<R> =>
  Context.makeUnsafe(new Map([...context.mapUnsafe].filter(([key]) => !isProgramService(key))))

const middleware: ReadonlySet<string> = new Set(
  [Authorization, KeyScope, ParameterCheck, RateLimit].map(({ key }) => key)
)

const pickMiddleware = <R extends Middleware>(context: Context.Context<R>): Context.Context<R> =>
  Context.makeUnsafe(new Map([...context.mapUnsafe].filter(([key]) => middleware.has(key))))

/**
 * Builds a group of handlers, which have their services from the function that makes them, in a context of the
 * middleware alone. `HttpApiBuilder.group` merges that context into the context of every request: with all services of
 * the program, this costs an eighth of a small response.
 */
export const handlerGroup = <A, E, R extends Middleware, E2, R2>(
  make: Effect.Effect<Layer.Layer<A, E, R>, E2, R2>
): Layer.Layer<A, E | E2, R | R2> =>
  Layer.unwrap(
    Effect.map(make, (group) =>
      Layer.fromBuild((memoMap, scope) =>
        Effect.updateContext(Layer.buildWithMemoMap(group, memoMap, scope), pickMiddleware<R>)
      )
    )
  )
