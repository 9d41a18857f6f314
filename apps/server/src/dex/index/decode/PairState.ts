import { readUint, readWords, selectors } from "./ContractCall.ts"
import type { PoolState } from "./PoolState.ts"

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
