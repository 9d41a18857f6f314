import { Context, Effect, Layer } from "effect"
import type { BlockId } from "../../live/Reorg.ts"
import type { DexSourceError, SwapRow } from "../DexSource.ts"

/** A swap and its position in the chain. */
export interface ChainSwap {
  readonly block: BlockId
  readonly logIndex: number
  readonly row: SwapRow
}

/** The current index, relative to known blocks. */
export interface IndexedChain {
  /** The newest block that can be queried. */
  readonly head: BlockId
  /** The newest of the known blocks that the index has. */
  readonly common: BlockId | undefined
}

/** The blocks and swaps after a position, all on one branch of the chain. */
export interface SwapsBehind {
  /** By block number and log index, ascending. */
  readonly swaps: ReadonlyArray<ChainSwap>
  /** The newest blocks up to the head, ascending. */
  readonly blocks: ReadonlyArray<BlockId>
}

const notConfigured = (key: string) => Effect.die(new Error(`"${key}" is not configured`))

/** Port: the swaps of a pool in chain order. `deployment` is a key of the configuration. */
export class SwapSource extends Context.Service<
  SwapSource,
  {
    readonly chain: (deployment: string, known: ReadonlyArray<BlockId>) => Effect.Effect<IndexedChain, DexSourceError>
    /** The newest final block at or below `below`; undefined if the index starts above it. */
    readonly finalized: (deployment: string, below: number) => Effect.Effect<BlockId | undefined, DexSourceError>
    /** The first `max` swaps after a block and log index, up to the head. Fails if a reorg is written meanwhile. */
    readonly after: (
      deployment: string,
      pool: string,
      position: { readonly number: number; readonly logIndex: number },
      head: BlockId,
      max: number
    ) => Effect.Effect<SwapsBehind, DexSourceError>
    /** A topic of `Wakeups`, notified of every write of this process. */
    readonly topic: (deployment: string) => string
  }
>()("@chaintape/server/dex/live/SwapSource") {
  /** Used if no decentralized exchange is indexed. */
  static readonly layerNone = Layer.succeed(SwapSource, {
    chain: (key) => notConfigured(key),
    finalized: (key) => notConfigured(key),
    after: (key) => notConfigured(key),
    topic: (key) => key
  })
}
