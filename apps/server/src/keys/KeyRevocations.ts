import { Context, Effect, Layer } from "effect"
import { RedisLink } from "../store/RedisLink.ts"
import { ApiKeys } from "./ApiKeys.ts"

const channel = "revoked"

/** Tells every instance which keys have changed. */
export class KeyRevocations extends Context.Service<
  KeyRevocations,
  { readonly announce: (id: string) => Effect.Effect<void> }
>()("@chaintape/server/keys/KeyRevocations") {
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
            Effect.asVoid(link.ask((redis) => redis.send("PUBLISH", `${link.prefix}${channel}`, id)))
          )
      })
    })
  )
}
