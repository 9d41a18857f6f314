import { Effect } from "effect"
import { BlockSourceError } from "../BlockSource.ts"
import type { BlockSource } from "../BlockSource.ts"
import type { SourceBlock } from "../SourceBlock.ts"

/** Blocks of each blockchain. */
const maxCachedBlocks = 50_000

/**
 * Reads the blocks of one blockchain, caches the final ones, and never mixes two branches of the chain. Nothing of an
 * ephemeral chain is cached: its node may begin another one.
 */
export const makeBlockReader = (source: BlockSource["Service"], blockchain: string, isEphemeral: boolean) => {
  const finals = new Map<number, SourceBlock>()
  const remember = (blocks: ReadonlyArray<SourceBlock>, final: number) => {
    for (const block of blocks) if (block.number <= final) finals.set(block.number, block)
    for (const number of finals.keys()) {
      if (finals.size <= maxCachedBlocks) break
      finals.delete(number) // the oldest entry: a Map keeps the order of insertion
    }
  }

  const findUnlinked = (blocks: ReadonlyMap<number, SourceBlock>) => {
    for (const block of blocks.values()) {
      const parent = blocks.get(block.number - 1)
      if (parent !== undefined && parent.hash !== block.parentHash) return block
    }
    return undefined
  }

  /** In the order of `numbers`. `final` is the newest final block. */
  return Effect.fnUntraced(function* (
    numbers: ReadonlyArray<number>,
    final: number
  ): Effect.fn.Return<ReadonlyArray<SourceBlock>, BlockSourceError> {
    const missing = [...new Set(numbers)].filter((number) => !finals.has(number))
    const fetched = missing.length === 0 ? [] : yield* source.blocks(blockchain, missing)
    const known = new Map(fetched.map((block) => [block.number, block]))
    for (const number of numbers) {
      const block = known.get(number) ?? finals.get(number)
      if (block !== undefined) known.set(number, block)
    }
    const stray = findUnlinked(known)
    if (stray !== undefined) {
      finals.clear() // what was taken for final belongs to a branch that is gone
      return yield* new BlockSourceError({
        blockchain,
        reason: "Reorged",
        message: `The nodes of "${blockchain}" answered with two branches of the chain around block ${stray.number}.`
      })
    }
    if (!isEphemeral) remember(fetched, final)
    return numbers.flatMap((number) => known.get(number) ?? [])
  })
}
