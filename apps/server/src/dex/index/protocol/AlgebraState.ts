import { readUint, readWords, selectors, toPoolFacts } from "../decode/ContractCall.ts"
import type { PoolState } from "../decode/PoolState.ts"

/** The fields of a pool's global state in each version of Algebra. */
type GlobalState = Readonly<Record<"sqrtPrice" | "tick" | "fee" | "observationIndex", bigint | undefined>>

/** How a version of Algebra states what its pools have. */
interface AlgebraVersion {
  /** Of the global state, as many as are read. */
  readonly words: number
  readonly read: (globalState: ReadonlyArray<bigint>) => GlobalState
  /** Whether the pools have no `getReserves`: what they hold is what the contracts of their tokens state. */
  readonly hasBalances?: boolean
}

/** How the pools of a version state what they hold. */
export const toAlgebraState = ({ hasBalances = false, read, words }: AlgebraVersion): PoolState => ({
  calls: [
    { selector: "0xe76c01e4", words }, // globalState()
    { selector: selectors.liquidity, words: 1 },
    { selector: "0x6378ae44", words: 1 }, // totalFeeGrowth0Token()
    { selector: "0xecdecf42", words: 1 }, // totalFeeGrowth1Token()
    ...(hasBalances ? [] : [{ selector: selectors.getReserves, words: 2 }])
  ],
  hasBalances,
  read: ([globalState, ...results]) => {
    const { fee, observationIndex, sqrtPrice, tick } = read(readWords(globalState))
    const [liquidity, feeGrowthGlobal0X128, feeGrowthGlobal1X128] = results.slice(0, 3).map(readUint)
    const [reserve0, reserve1] = hasBalances ? results.slice(3).map(readUint) : readWords(results[3])
    const facts = toPoolFacts({ sqrtPrice, tick, observationIndex, feeGrowthGlobal0X128, feeGrowthGlobal1X128 })
    if (facts === undefined || fee === undefined || liquidity === undefined) return undefined
    if (!hasBalances && (reserve0 === undefined || reserve1 === undefined)) return undefined
    return { ...facts, holdings: { fee, liquidity, reserve0, reserve1 } }
  }
})
