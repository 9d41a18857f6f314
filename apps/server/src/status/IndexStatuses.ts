import { Context, Effect, Layer, Schema } from "effect"

/** The status of an index. */
export const IndexStatus = Schema.Struct({
  /** `dex id/blockchain id`. */
  key: Schema.String,
  state: Schema.Literals(["starting", "historical", "realtime", "stopped"]),
  /** The chain's newest block. */
  head: Schema.NullOr(Schema.Int),
  /** The newest block that can be queried. */
  indexed: Schema.NullOr(Schema.Int),
  lag: Schema.NullOr(Schema.Int),
  /** The block up to which every block is proven against the headers. */
  proven: Schema.NullOr(Schema.Int),
  /** Why the proof does not go on. */
  unproven: Schema.NullOr(Schema.String),
  /** Reorgs since its instance took the index over. */
  reorgs: Schema.Int,
  lastError: Schema.NullOr(Schema.String)
})

export type IndexStatus = typeof IndexStatus.Type

/** Port: the configured indexes, whichever instance owns them. */
export class IndexStatuses extends Context.Service<
  IndexStatuses,
  {
    readonly all: Effect.Effect<ReadonlyArray<IndexStatus>>
    /**
     * Opens a check whether an index is unchanged since now. Undefined if another instance owns it, and while it is
     * written. The key is that of its status.
     */
    readonly watchUnchanged: (key: string) => Effect.Effect<(() => boolean) | undefined>
  }
>()("@chaintape/server/status/IndexStatuses") {
  static readonly layerNone = Layer.succeed(IndexStatuses, {
    all: Effect.succeed([]),
    watchUnchanged: () => Effect.undefined
  })
}
