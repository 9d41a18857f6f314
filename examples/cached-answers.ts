// Caches responses, so that repeated reads send no request while a response is fresh.
// #region cached-answers
import { Cex } from "@chaintape/cex"
import { AnswerCache, Client } from "@chaintape/core"
import { Console, Effect, Layer } from "effect"

const layer = Cex.layerNoDeps.pipe(
  Layer.provide(AnswerCache.layer({ entries: 500, bytes: 8_000_000 })),
  Layer.provide(Client.layerConfig())
)

const program = Effect.gen(function* () {
  const cex = yield* Cex
  const first = yield* cex.exchange({ exchange: "sandbox" })
  const second = yield* cex.exchange({ exchange: "sandbox" })
  yield* Console.log(`${first.name} was sent ${first === second ? "once" : "twice"}`)
})

await Effect.runPromise(Effect.provide(program, layer))
// #endregion
