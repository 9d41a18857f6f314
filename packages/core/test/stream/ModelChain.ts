import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import * as Option from "effect/Option"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import type { Block } from "../../src/blocks/Block.ts"
import { BlockNotFound } from "../../src/blocks/BlocksProblem.ts"
import * as Answer from "../../src/operation/Answer.ts"
import type { ListPage } from "../../src/page/ListPage.ts"
import { blockPages, type BlocksRequest, type ReadBlocks } from "../../src/stream/BlocksStream.ts"
import { Broken } from "./ModelMarket.ts"

const blockAt = (number: number): Block => ({
  number: BigInt(number),
  timestamp: DateTime.makeUnsafe(number * 12_000),
  size: 1n,
  gasLimit: 2n,
  gasUsed: 1n,
  totalDifficulty: Option.none(),
  author: "0x00"
})

export interface ModelChain {
  /** The newest block when the first page is read; the chain grows by one block with each read. */
  readonly head: number
  /** The numbers of the reads that fail, from 1. */
  readonly failing?: ReadonlySet<number>
  /** From this read on, blocks from this number on have other hashes. */
  readonly reorg?: { readonly read: number; readonly from: number }
  readonly isSilent?: boolean
  /** Whether blocks by number have no hash, as in a subgraph. */
  readonly isOfSubgraph?: boolean
}

export const modelChain = ({ failing, head, isOfSubgraph, isSilent, reorg }: ModelChain) => {
  const requests: Array<Parameters<ReadBlocks<never, never>>[0]> = []
  const read: ReadBlocks<Broken | BlockNotFound, never> = Effect.fnUntraced(function* (request) {
    requests.push(request)
    const count = requests.length
    if (failing?.has(count) === true) return yield* new Broken({ read: count })
    const newest = head + count - 1
    const { block = newest, blockchain, limit = 100, skip = 0 } = request
    if (block > newest) {
      return yield* new BlockNotFound({ blockchain, block: String(block), head: String(newest), detail: "not yet" })
    }
    const isReplaced = reorg !== undefined && count >= reorg.read && block >= reorg.from
    const isUnknown = isOfSubgraph === true && request.block !== undefined
    const hash = isUnknown ? "" : `0x${block}${isReplaced ? "b" : "a"}`
    const all = Array.from({ length: block + 1 }, (_, index) => blockAt(block - index))
    const told = isSilent === true ? {} : { "chaintape-as-of": `number=${block}, hash="${hash}", finalized=?0` }
    return Answer.make(all.slice(skip, skip + limit), Headers.fromInput(told))
  })
  return { read, requests }
}

/** As `readInPieces` of the model market. */
export const readListInPieces = Effect.fnUntraced(function* <E extends { readonly _tag: string }>(
  read: ReadBlocks<E, never>,
  request: BlocksRequest,
  cuts: ReadonlyArray<number>
) {
  const pages: Array<ListPage<Block>> = []
  let cursor = request.cursor
  for (let piece = 0; ; piece++) {
    const cut = cuts[piece]
    const stream = blockPages(read, { ...request, cursor })
    const result = yield* (cut === undefined ? stream : Stream.take(stream, cut)).pipe(
      Stream.runForEach((page) =>
        Effect.sync(() => {
          pages.push(page)
          cursor = page.cursor
        })
      ),
      Effect.result
    )
    if (Result.isFailure(result) && result.failure._tag !== "Broken") return yield* Effect.fail(result.failure)
    if (Result.isSuccess(result) && cut === undefined) return pages
  }
})

export const numbersOf = (pages: ReadonlyArray<ListPage<Block>>): ReadonlyArray<bigint> =>
  pages.flatMap(({ items }) => items.map(({ number }) => number))

/** Every block from `high` down to 0. */
export const downFrom = (high: number): ReadonlyArray<bigint> =>
  Array.from({ length: high + 1 }, (_, index) => BigInt(high - index))
