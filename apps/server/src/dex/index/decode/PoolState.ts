import type { StatedFacts } from "./ChainFacts.ts"
import { readPoolFacts, selectors, readUint, readWords } from "./ContractCall.ts"

/** A function of a pool without arguments. */
export interface PoolCall {
  readonly selector: string
  /** Of its result, as many as are read. */
  readonly words: number
}

/** The functions by which the contract of a pool states what it holds. */
export interface PoolState {
  readonly calls: ReadonlyArray<PoolCall>
  /** Whether the contracts of its tokens state what it holds: their `balanceOf` follow the results of the calls. */
  readonly hasBalances?: boolean
  /** Decodes the results; undefined if that of a call is missing. */
  readonly read: (results: ReadonlyArray<unknown>) => StatedFacts | undefined
}

/** How a pool of Uniswap V3, or of a fork with the same functions, states what it holds. */
export const concentratedState: PoolState = {
  calls: [
    { selector: selectors.slot0, words: 3 },
    { selector: selectors.feeGrowthGlobal0X128, words: 1 },
    { selector: selectors.feeGrowthGlobal1X128, words: 1 }
  ],
  read: ([slot0, growth0, growth1]) => readPoolFacts(slot0, growth0, growth1)
}

/** How a pair of Uniswap V2 states what it holds: `getReserves`, and the supply of its LP token. */
export const pairState: PoolState = {
  calls: [
    { selector: selectors.getReserves, words: 2 },
    { selector: selectors.totalSupply, words: 1 }
  ],
  read: ([reserves, totalSupply]) => {
    const [reserve0, reserve1] = readWords(reserves)
    const supply = readUint(totalSupply)
    return reserve0 === undefined || reserve1 === undefined || supply === undefined
      ? undefined
      : { kind: "pair", reserve0, reserve1, supply }
  }
}
