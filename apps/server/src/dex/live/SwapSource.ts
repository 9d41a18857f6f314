import { Context, Effect, Layer } from "effect"
import type { Option } from "effect"
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
  /** The newest of the known blocks that the index has, and whose history is unchanged. */
  readonly common: BlockId | undefined
  /** The id of the newest rewind of the index; 0 before the first one. */
  readonly rewindId: number
}

/** The blocks and swaps after a position, all on one branch of the chain. */
export interface SwapsAfter {
  /** By block number and log index, ascending. */
  readonly swaps: ReadonlyArray<ChainSwap>
  /** The newest blocks up to the head, ascending. */
  readonly blocks: ReadonlyArray<BlockId>
}

const notConfigured = (key: string) => Effect.die(new Error(`"${key}" is not configured`))

/**
 * Port: the swaps of a pool in chain order. `deployment` is a key of the configuration. `since` is the id of a rewind:
 * a later one may have changed the swaps above its block, also if the blocks have the same hashes (a repair).
 */
export class SwapSource extends Context.Service<
  SwapSource,
  {
    /** Whether it has the swaps of a deployment. The others fail for one that it has not. */
    readonly follows: (deployment: string) => boolean
    readonly chain: (
      deployment: string,
      known: ReadonlyArray<BlockId>,
      since: number | undefined
    ) => Effect.Effect<IndexedChain, DexSourceError>
    /**
     * The newest block with an unchanged history that was final when `head` was the head; none if the index starts
     * above it.
     */
    readonly finalAt: (
      deployment: string,
      head: number,
      since: number | undefined
    ) => Effect.Effect<Option.Option<BlockId>, DexSourceError>
    /** The first `max` swaps after a block and log index, up to the head. Fails if a reorg is written meanwhile. */
    readonly after: (
      deployment: string,
      pool: string,
      position: { readonly number: number; readonly logIndex: number },
      head: BlockId,
      max: number
    ) => Effect.Effect<SwapsAfter, DexSourceError>
    /** A topic of `Wakeups`, notified of every write of this process. */
    readonly topic: (deployment: string) => string
  }
>()("@chaintape/server/dex/live/SwapSource") {
  /** Used if no decentralized exchange is indexed. */
  static readonly layerNone = Layer.succeed(SwapSource, {
    follows: () => false,
    chain: (key) => notConfigured(key),
    finalAt: (key) => notConfigured(key),
    after: (key) => notConfigured(key),
    topic: (key) => key
  })
}
