import type { DevnetPool } from "@chaintape/sandbox"
import { Effect } from "effect"
import type { IndexedPool } from "../../../../../src/dex/index/IndexedBlock.ts"
import { readWords } from "../../../ChainTruth.ts"

/** In smallest units. */
export const toRaw = (decimal: string, decimals: number): bigint => {
  const [, sign = "", whole = "", part = ""] = /^(-?)(\d+)(?:\.(\d+))?$/.exec(decimal) ?? []
  return BigInt(`${sign}${whole}${part.padEnd(decimals, "0")}`)
}

/** What the index states of a pool, to compare with its contract. */
export const ofRow = (row: IndexedPool, { token0, token1 }: DevnetPool) => ({
  sqrtPrice: row.sqrtPrice,
  tick: row.tick === "" ? "0" : row.tick,
  feeTier: row.feeTier,
  observationIndex: row.observationIndex,
  liquidity: row.liquidity,
  feeGrowth: [row.feeGrowthGlobal0X128, row.feeGrowthGlobal1X128],
  reserves: [toRaw(row.totalValueLockedToken0, token0.decimals), toRaw(row.totalValueLockedToken1, token1.decimals)]
})

const functions = ["globalState", "liquidity", "totalFeeGrowth0Token", "totalFeeGrowth1Token", "getReserves"]

/** What the contract of a pool states in a block, and what it holds beyond its reserves. */
export const readPool = Effect.fnUntraced(function* (
  rpc: string,
  block: number,
  { address, token0, token1 }: DevnetPool,
  isIntegral: boolean
) {
  const [
    state = [],
    [liquidity] = [],
    [growth0] = [],
    [growth1] = [],
    reserves = [],
    [balance0] = [],
    [balance1] = []
  ] = yield* readWords(rpc, block, [
    ...functions.map((name) => ({ to: address, name })),
    { to: token0.address, name: "balanceOf", account: address },
    { to: token1.address, name: "balanceOf", account: address }
  ])
  const [reserve0 = -1n, reserve1 = -1n] = reserves
  return {
    stated: {
      sqrtPrice: String(state[0]),
      tick: String(BigInt.asIntN(24, state[1] ?? 0n)),
      feeTier: String(state[isIntegral ? 2 : 3]),
      observationIndex: isIntegral ? "0" : String(state[4]),
      liquidity: String(liquidity),
      feeGrowth: [String(growth0), String(growth1)],
      reserves: [reserve0, reserve1]
    },
    /** Donations and fees of flashes that no call has distributed yet. */
    excess: [(balance0 ?? -1n) - reserve0, (balance1 ?? -1n) - reserve1] as const
  }
})
