import type { IncomingMessage, ServerResponse } from "node:http"
import { Context, Effect, Layer } from "effect"
import type { Scope } from "effect"

/** Answers a request at once and whole, or leaves it untouched: false. */
export type Answer = (request: IncomingMessage, response: ServerResponse) => boolean

/** What is asked of a request before the routes are. */
export class Shortcut extends Context.Service<
  Shortcut,
  {
    readonly answer: Answer
    /** Asks this one, until the scope ends. */
    readonly use: (answer: Answer) => Effect.Effect<void, never, Scope.Scope>
  }
>()("@chaintape/server/http/Shortcut") {
  static readonly layer = Layer.sync(Shortcut, () => {
    const none: Answer = () => false
    let current = none
    return Shortcut.of({
      answer: (request, response) => current(request, response),
      use: (answer) =>
        Effect.acquireRelease(
          Effect.sync(() => void (current = answer)),
          () => Effect.sync(() => void (current = none))
        )
    })
  })
}
