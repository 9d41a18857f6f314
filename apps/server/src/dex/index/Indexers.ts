import { Context, Effect, Layer, SubscriptionRef } from "effect"
import type { HttpClient } from "effect/http"
import type { IndexConfig } from "./IndexConfig.ts"
import type { EntityStore } from "./IndexedBlock.ts"
import { makeIndexer } from "./Indexer.ts"
import type { IndexStatus } from "./IndexStatus.ts"

/** The indexes of all configured deployments, which run as long as the layer. */
export class Indexers extends Context.Service<
  Indexers,
  {
    readonly statuses: Effect.Effect<ReadonlyArray<IndexStatus>>
  }
>()("@chaintape/server/dex/index/Indexers") {
  static readonly layer = (
    configs: ReadonlyArray<IndexConfig>
  ): Layer.Layer<Indexers, never, EntityStore | HttpClient.HttpClient> =>
    Layer.effect(
      Indexers,
      Effect.gen(function* () {
        const indexers = yield* Effect.forEach(configs, (config) => makeIndexer(config))
        yield* Effect.forEach(indexers, ({ run }) => Effect.forkScoped(run), { discard: true })
        return Indexers.of({ statuses: Effect.forEach(indexers, ({ status }) => SubscriptionRef.get(status)) })
      })
    )
}
