import { Context, Effect, Layer, Schema } from "effect"

/** How an index is doing. */
export const IndexStatus = Schema.Struct({
  /** `dex id/blockchain id`. */
  key: Schema.String,
  state: Schema.Literals(["starting", "historical", "realtime", "stopped"]),
  /** The chain's newest block. */
  head: Schema.NullOr(Schema.Int),
  /** The newest block that can be asked for. */
  indexed: Schema.NullOr(Schema.Int),
  lag: Schema.NullOr(Schema.Int),
  /** Reorgs that were followed since its instance took it over. */
  reorgs: Schema.Int,
  lastError: Schema.NullOr(Schema.String)
})

export type IndexStatus = typeof IndexStatus.Type

/** Port: the configured indexes, whichever instance keeps them. */
export class IndexStatuses extends Context.Service<
  IndexStatuses,
  {
    readonly all: Effect.Effect<ReadonlyArray<IndexStatus>>
    /**
     * Tells whether an index is still as it is at this moment. Undefined where another instance keeps it, and while it is
     * written. The key is that of its status.
     */
    readonly unchanged: (key: string) => Effect.Effect<(() => boolean) | undefined>
  }
>()("@chaintape/server/sources/IndexStatuses") {
  static readonly layerNone = Layer.succeed(IndexStatuses, {
    all: Effect.succeed([]),
    unchanged: () => Effect.undefined
  })
}
