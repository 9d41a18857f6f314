import { Array as Arr, Effect } from "effect"
import type { Checkpoint } from "../store/EntityStore.ts"
import type { ChainReader } from "./ChainReader.ts"

const blocksAtOnce = 100

/** The newest of the indexed blocks that is still on the chain; undefined if none of them is. */
export const findCommonAncestor = Effect.fn("Indexer.findCommonAncestor")(function* (
  reader: ChainReader,
  stored: ReadonlyArray<Checkpoint>,
  head: number
) {
  const newestFirst = stored.filter(({ number }) => number <= head).toReversed()
  for (const chunk of Arr.chunksOf(newestFirst, blocksAtOnce)) {
    const headers = yield* reader.headers(chunk.map(({ number }) => number))
    const ancestor = chunk.find(({ hash }, index) => headers[index]?.hash === hash)
    if (ancestor !== undefined) return ancestor
  }
  return undefined
})
