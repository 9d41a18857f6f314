import { Caller, KeyScope } from "@chaintape/contract"
import { KeyNotAllowed } from "@chaintape/core"
import { Effect, Layer } from "effect"

/** Restricts a key to its scopes. */
export const layer = Layer.succeed(KeyScope, (app, { group }) =>
  Effect.gen(function* () {
    const { groups } = yield* Caller
    const asked = group.identifier
    if (groups === undefined || groups.includes(asked)) return yield* app
    return yield* new KeyNotAllowed({
      group: asked,
      detail: `The key is limited to ${groups.join(", ") || "nothing"}, and this operation is of ${asked}: use another key.`
    })
  })
)
