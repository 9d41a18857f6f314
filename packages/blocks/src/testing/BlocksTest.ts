/**
 * A `Blocks` for tests, from plain values.
 *
 * @since 0.1.0
 */
import { type Block, Blockchain, BlockNotFound } from "@chaintape/core"
import * as Operations from "@chaintape/core/operations/blocks"
import { asOfBlock, Script, mockResponse } from "@chaintape/core/testing"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { Blocks } from "../Blocks.ts"

type Rows = ReadonlyArray<Script.Unbranded<Block>>

/**
 * The reply of each operation: a value, a problem, an effect of either, or a function of the request. `mockResponse` adds
 * response headers to a value.
 *
 * @example
 * ```ts
 * import { BlocksTest } from "@chaintape/blocks/testing"
 *
 * const script: BlocksTest.BlocksScript = { blocks: [BlocksTest.block({ number: 1n }), BlocksTest.block({ number: 2n })] }
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface BlocksScript {
  /** The blockchains that the service lists. */
  readonly blockchains?: Script.Scripted<typeof Operations.blockchains>
  /** All blocks of the chain, the largest number being its head: a reply contains those that the request selects. */
  readonly blocks?: Script.Scripted<typeof Operations.blocks, Rows>
  /** New blocks and reorgs of the chain, with `layerHttp`; without it the client polls `blocks`. */
  readonly liveBlocks?: Parameters<typeof Script.liveBlocks>[0]
}

const standard = Script.byField("number", "desc")

const getHead = (rows: Rows): number => rows.reduce((head, { number }) => Math.max(head, Number(number)), 0)

const blocksLine = (blocks: NonNullable<BlocksScript["blocks"]>) =>
  Script.line<typeof Operations.blocks, Rows>(Operations.blocks, blocks, (rows, request) => {
    const { block, blockchain, from, to } = request
    const head = getHead(rows)
    if (block !== undefined && block > head) {
      const detail = `"${blockchain}" has no block ${block} yet: its head is ${head}.`
      return Effect.fail(new BlockNotFound({ blockchain, block: String(block), head: String(head), detail }))
    }
    const selected = rows.filter(
      ({ number, timestamp }) =>
        (block === undefined || number <= BigInt(block)) &&
        (from === undefined || DateTime.isGreaterThanOrEqualTo(timestamp, from)) &&
        (to === undefined || DateTime.isLessThanOrEqualTo(timestamp, to))
    )
    return Effect.succeed(
      mockResponse(Script.pageOf(selected, request, standard, "number"), { asOf: asOfBlock(block ?? head) })
    )
  })

const getLines = ({ blockchains, blocks }: BlocksScript): ReadonlyArray<Script.Line> => {
  const lines: Array<Script.Line> = []
  if (blockchains !== undefined) {
    lines.push(
      Script.line<typeof Operations.blockchains, ReadonlyArray<Script.Unbranded<Blockchain>>>(
        Operations.blockchains,
        blockchains,
        (given) =>
          Effect.succeed(
            mockResponse(
              given.map((one) => new Blockchain(one)),
              {}
            )
          )
      )
    )
  }
  if (blocks !== undefined) lines.push(blocksLine(blocks))
  return lines
}

/**
 * A `Blocks` without a network. An operation without a reply is a defect whose message names it, as is a value that the
 * service could not return. Invalid parameters fail with `InvalidParameter`, as at the service.
 *
 * @example
 * ```ts
 * import { Blocks } from "@chaintape/blocks"
 * import { BlocksTest } from "@chaintape/blocks/testing"
 * import * as Effect from "effect/Effect"
 *
 * const head = Effect.gen(function* () {
 *   const { blocks } = yield* Blocks
 *   return (yield* blocks({ blockchain: "ethereum", limit: 1 }))[0]?.number
 * })
 *
 * const tested = Effect.provide(head, BlocksTest.layer({ blocks: [BlocksTest.block({ number: 7n })] }))
 * ```
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (script: BlocksScript): Layer.Layer<Blocks> =>
  Blocks.layerNoDeps.pipe(Layer.provide(Script.layerScript(getLines(script))))

/**
 * The same script as an `HttpClient`, below the client: its retries, decoding and errors apply, and faults can be
 * inserted.
 *
 * @example
 * ```ts
 * import { Blocks } from "@chaintape/blocks"
 * import { BlocksTest } from "@chaintape/blocks/testing"
 * import { Client } from "@chaintape/core"
 * import { Faults } from "@chaintape/core/testing"
 * import * as Layer from "effect/Layer"
 *
 * const afterReorg = Blocks.layerNoDeps.pipe(
 *   Layer.provide(Client.layerNoDeps({ baseUrl: "http://service.test" })),
 *   Layer.provide(Faults.reorg({ skip: 1, block: 7 })),
 *   Layer.provide(BlocksTest.layerHttp({ blocks: [BlocksTest.block({ number: 7n })] }))
 * )
 * ```
 *
 * @since 0.1.0
 * @category layers
 */
export const layerHttp = (script: BlocksScript): Layer.Layer<HttpClient.HttpClient> =>
  Script.layerScriptHttp(
    getLines(script),
    script.liveBlocks === undefined ? [] : [Script.liveBlocks(script.liveBlocks)]
  )

const genesis = DateTime.makeUnsafe("2026-01-01T00:00:00Z")

/**
 * A block with defaults for a test: number 1, one block every twelve seconds from 2026-01-01 on, half full.
 *
 * @example
 * ```ts
 * import { BlocksTest } from "@chaintape/blocks/testing"
 *
 * const chain = [1n, 2n, 3n].map((number) => BlocksTest.block({ number }))
 * ```
 *
 * @since 0.1.0
 * @category values
 */
export const block = (given: Partial<Script.Unbranded<Block>> = {}): Script.Unbranded<Block> => {
  const number = given.number ?? 1n
  return {
    number,
    timestamp: DateTime.add(genesis, { seconds: 12 * Number(number) }),
    size: 1000n,
    gasLimit: 30_000_000n,
    gasUsed: 15_000_000n,
    totalDifficulty: Option.none(),
    author: `0x${"0".repeat(40)}`,
    ...given
  }
}
