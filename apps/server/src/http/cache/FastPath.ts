import type { ServerResponse } from "node:http"
import { Context, Effect, Layer } from "effect"
import type { Scope } from "effect"
import type { ContextualRequest } from "../request/RequestContext.ts"

/**
 * `sent` is a complete response; `pending` one that will be sent, or passed on by `next`; `passed` a request that was
 * left untouched.
 */
export type Outcome = "sent" | "pending" | "passed"

/** Answers a request, or passes it on to the full pipeline. */
export type Serve = (request: ContextualRequest, response: ServerResponse, next: () => void) => Outcome

/** Called with each request before the routes. */
export class FastPath extends Context.Service<
  FastPath,
  {
    readonly serve: Serve
    /** Registers it until the scope ends. */
    readonly use: (serve: Serve) => Effect.Effect<void, never, Scope.Scope>
  }
>()("@chaintape/server/http/cache/FastPath") {
  static readonly layer = Layer.sync(FastPath, () => {
    const none: Serve = () => "passed"
    let current = none
    return FastPath.of({
      serve: (request, response, next) => current(request, response, next),
      use: (serve) =>
        Effect.acquireRelease(
          Effect.sync(() => void (current = serve)),
          () => Effect.sync(() => void (current = none))
        )
    })
  })
}
