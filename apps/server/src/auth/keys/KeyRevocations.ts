import { Context, Effect, Layer, Option } from "effect"
import { RedisLink } from "../../store/RedisLink.ts"
import { ApiKeys } from "./ApiKeys.ts"

const channel = "revoked"

/** Notifies every instance of changed keys. */
export class KeyRevocations extends Context.Service<
  KeyRevocations,
  { readonly announce: (id: string) => Effect.Effect<void> }
>()("@chaintape/server/auth/keys/KeyRevocations") {
  static readonly layer = Layer.effect(
    KeyRevocations,
    Effect.gen(function* () {
      const keys = yield* ApiKeys
      const link = yield* RedisLink
      yield* link.listen(channel, keys.forget)
      return KeyRevocations.of({
        announce: (id) =>
          Effect.andThen(
            keys.forget(id),
            Effect.asVoid(link.send(["PUBLISH", `${link.prefix}${channel}`, id], Option.some))
          )
      })
    })
  )
}
