import { BlockNotFound } from "@chaintape/core"
import type { InvalidParameter } from "@chaintape/core"
import type { Operation } from "@chaintape/core/operations"
import type * as BlocksOperations from "@chaintape/core/operations/blocks"
import { Context, Effect, Layer, Option } from "effect"
import { toProblem } from "../../sources/SourceFailure.ts"
import { SourceHealth } from "../../sources/SourceHealth.ts"
import { Blockchains } from "../Blockchains.ts"
import type { ConfiguredBlockchain } from "../Blockchains.ts"
import { BlockSource, BlockSourceError } from "../BlockSource.ts"
import type { SourceBlock } from "../SourceBlock.ts"
import { makeBlockchainState } from "./BlockchainState.ts"
import type { BlockchainState } from "./BlockchainState.ts"
import { findWindow, isUnchanged, readPage } from "./BlockPages.ts"
import type { BlocksRequest } from "./BlockPages.ts"

/** The deadline of a request, which may take many calls to the source. */
const requestTimeout = "14 seconds"

export interface BlocksResult {
  readonly blocks: ReadonlyArray<SourceBlock>
  readonly asOf: { readonly number: number; readonly hash: string; readonly finalized: boolean }
  /** Whether a repetition of the request returns the same. */
  readonly isImmutable: boolean
}

const notFound = (blockchain: string, block: number, head: number) =>
  new BlockNotFound({
    blockchain,
    block: String(block),
    head: String(head),
    detail: `The blockchain "${blockchain}" has no block ${block} yet: its newest block is ${head}.`
  })

const chainChanged = (blockchain: string) =>
  new BlockSourceError({
    blockchain,
    reason: "Reorged",
    message: `The blockchain "${blockchain}" changed its branch while it was read.`
  })

const tooSlow = (blockchain: string) =>
  new BlockSourceError({
    blockchain,
    reason: "Timeout",
    message: `The nodes of "${blockchain}" did not answer within ${requestTimeout}.`
  })

/** To the caller, nodes that disagree in each attempt contradict themselves. */
const toReadProblem = ({ blockchain, message, reason, retryAfterMs }: BlockSourceError) =>
  toProblem(blockchain, { message, reason: reason === "Reorged" ? "BadResponse" : reason, retryAfterMs })

/** Lists of blocks. */
export class Blocks extends Context.Service<
  Blocks,
  {
    readonly list: (
      blockchain: string,
      request: BlocksRequest
    ) => Effect.Effect<BlocksResult, Operation.Problem<typeof BlocksOperations.blocks>>
  }
>()("@chaintape/server/blocks/read/Blocks") {
  static readonly layer = Layer.effect(
    Blocks,
    Effect.gen(function* () {
      const blockchains = yield* Blockchains
      const source = yield* BlockSource
      const health = (yield* SourceHealth).blockchain
      const states = new Map(
        blockchains.all.map(({ ephemeral, id }) => [id, makeBlockchainState(source, id, ephemeral)])
      )

      const list = Effect.fnUntraced(function* (
        { ephemeral, id }: ConfiguredBlockchain,
        { observe, read }: BlockchainState,
        request: BlocksRequest
      ): Effect.fn.Return<BlocksResult, BlockSourceError | BlockNotFound | InvalidParameter> {
        const { final, number: stated } = yield* source.head(id)
        yield* health.advanced(id, stated)
        const newest = yield* observe(stated)
        // A block that was there is not gone because the node that answers now is behind.
        const isKnown = !ephemeral && Option.exists(request.block, (block) => block > stated && block <= newest)
        const head = isKnown ? newest : stated
        const beyond = Option.filter(request.block, (block) => block > head)
        if (Option.isSome(beyond)) return yield* notFound(id, beyond.value, head)
        const [upper] = yield* read([Option.getOrElse(request.block, () => head)], final)
        if (upper === undefined) return yield* chainChanged(id)
        const window = yield* findWindow(read, head, final, request)
        const blocks = yield* readPage(read, window, request)
        if (!(yield* isUnchanged(read, upper, blocks, final))) return yield* chainChanged(id)
        const finalized = window.upper <= final
        const closed = Option.isSome(request.to) && window.high < final
        return {
          blocks,
          asOf: { number: window.upper, hash: upper.hash, finalized },
          isImmutable: !ephemeral && ((Option.isSome(request.block) && finalized) || closed)
        }
      })

      return Blocks.of({
        list: Effect.fn("Blocks.list")(function* (id, request) {
          const blockchain = yield* blockchains.get(id)
          const state = states.get(id)
          if (state === undefined) return yield* Effect.die(new Error(`"${id}" is not configured`))
          return yield* state.admit(list(blockchain, state, request)).pipe(
            // After a reorg the next attempt sees one branch; after an invalid answer it may reach another node of a pool.
            Effect.retry({
              times: 2,
              while: (error) =>
                error._tag === "BlockSourceError" && (error.reason === "Reorged" || error.reason === "BadResponse")
            }),
            Effect.timeoutOrElse({ duration: requestTimeout, orElse: () => Effect.fail(tooSlow(id)) }),
            Effect.tap(() => health.succeeded(id)),
            Effect.tapError((error) =>
              error._tag === "BlockSourceError" ? health.failed(id, error.message) : Effect.void
            ),
            Effect.catchTag("BlockSourceError", (error) => Effect.fail(toReadProblem(error)))
          )
        })
      })
    })
  )
}
