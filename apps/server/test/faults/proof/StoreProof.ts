import { Effect } from "effect"
import type { Outside } from "../world/Outside.ts"
import { differencesOfIndex, newestIndexed, readChain, readIndex } from "./IndexProof.ts"
import { differencesOfTape, readTape } from "./TapeProof.ts"

/** The content of a closed store, compared with journal and chain. */
export const differencesOfStore = Effect.fnUntraced(function* (
  outside: Outside,
  target: ReadonlyArray<readonly [product: string, trade: number]>
) {
  const found: Array<string> = []
  // First: the chain forgets the state of blocks that are far behind its head.
  const block = yield* newestIndexed
  const { overlapping, ...state } = yield* readIndex(block)
  found.push(...differencesOfIndex(state, yield* readChain(outside.chain.rpc, outside.chain.factory, block)))
  if (overlapping > 0) found.push(`${overlapping} versions of entities overlap.`)
  for (const [product, trade] of target) {
    const stored = yield* readTape(product.replace("-", "/"), trade)
    found.push(...differencesOfTape(stored, yield* outside.journal(product, trade)).map((one) => `${product}: ${one}`))
  }
  return { found, block }
})
