import { Effect, Layer } from "effect"
import { Blockchains } from "../../src/blocks/Blockchains.ts"
import { BlockSource } from "../../src/blocks/BlockSource.ts"
import { Blocks } from "../../src/blocks/read/Blocks.ts"
import type { SourceBlock } from "../../src/blocks/SourceBlock.ts"
import { SourceHealth } from "../../src/sources/SourceHealth.ts"

const hash = (branch: string, number: number) => `0x${branch.padStart(4, "0")}${number.toString(16).padStart(60, "0")}`

/** A block whose values are derived from its number, its time and its branch; many share their size, gas and author. */
export const syntheticBlock = (
  number: number,
  timestamp: number,
  branch = "a",
  parentBranch = branch
): SourceBlock => ({
  number,
  hash: hash(branch, number),
  parentHash: number === 0 ? `0x${"0".repeat(64)}` : hash(parentBranch, number - 1),
  timestamp,
  size: BigInt((number * 7919) % 13) + 500n,
  gasLimit: 30_000_000n,
  gasUsed: (BigInt(number) * 104_729n) % 31n,
  totalDifficulty: number % 5 === 0 ? undefined : BigInt(number % 3) * 10n ** 24n,
  author: `0x${String((number * 31) % 4).padStart(40, "0")}`
})

export const chainOf = (times: ReadonlyArray<number>): ReadonlyArray<SourceBlock> =>
  times.map((time, number) => syntheticBlock(number, time))

/** The calls of a source, and how many blocks they were for. */
export interface Asked {
  heads: number
  calls: number
  blocks: number
}

/** A source over blocks that may change between two calls. */
export const sourceOf = (
  read: () => ReadonlyArray<SourceBlock>,
  asked: Asked = { heads: 0, calls: 0, blocks: 0 },
  finality = 8
): BlockSource["Service"] => ({
  head: () =>
    Effect.sync(() => {
      asked.heads++
      const number = read().length - 1
      return { number, final: number - finality }
    }),
  blocks: (_blockchain, numbers) =>
    Effect.sync(() => {
      asked.calls++
      asked.blocks += numbers.length
      const chain = read()
      return numbers.flatMap((number) => chain[number] ?? [])
    })
})

/** The use case over a source, for one blockchain. A layer of its own wherever it is built. */
export const blocksOver = (source: BlockSource["Service"], finality = 8, id = "synthetic", ephemeral = false) =>
  Layer.fresh(Blocks.layer).pipe(
    Layer.provideMerge(Blockchains.layer([{ id, name: "Synthetic", finality, ephemeral }])),
    Layer.provideMerge(SourceHealth.layer([{ id, kind: "blockchain" }])),
    Layer.provide(Layer.succeed(BlockSource, source))
  )
