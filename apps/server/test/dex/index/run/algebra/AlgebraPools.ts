import type { DevnetPool } from "@chaintape/sandbox"
import { Effect } from "effect"
import type { IndexedPool } from "../../../../../src/dex/index/IndexedBlock.ts"
import { readWords } from "../../../ChainTruth.ts"
import type { AlgebraEvent } from "./AlgebraLedger.ts"
import type { AlgebraRelease, AlgebraWorld } from "./AlgebraWorld.ts"

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

const functions = ["globalState", "liquidity", "totalFeeGrowth0Token", "totalFeeGrowth1Token"]

/** Where the global state of each release has the fee, and the index of the last timepoint. */
const layouts = {
  "1.0": { fee: 2, timepointIndex: 3 },
  "2.0": { fee: 3, timepointIndex: 4 },
  integral: { fee: 2, timepointIndex: undefined },
  "integral-1.2.2": { fee: 2, timepointIndex: undefined }
} as const satisfies Record<AlgebraRelease, unknown>

export const isTopicOf = (topic: string | undefined, address: string) => BigInt(topic ?? 0) === BigInt(address)

const sum = (transfers: ReadonlyArray<AlgebraEvent>) =>
  transfers.reduce((total, { words }) => total + (words[0] ?? 0n), 0n)

/** The amounts of both tokens that are sent to a pool after the last block with an event of it, up to a block. */
const readGifts = (
  { address, token0, token1 }: DevnetPool,
  block: number,
  { events, transfers }: Pick<AlgebraWorld["Service"], "events" | "transfers">
) => {
  const isTouched = (event: AlgebraEvent) =>
    event.address === address && event.block <= block && event.name !== "CommunityFee"
  const last = events.findLast(isTouched)?.block ?? 0
  const gifts = transfers.filter((one) => one.block > last && one.block <= block && isTopicOf(one.topics[2], address))
  const sumOf = (token: string) => sum(gifts.filter((gift) => gift.address === token))
  return [sumOf(token0.address), sumOf(token1.address)] as const
}

/** What a pool holds of its tokens, and its reserves: those of Algebra 1.0 are its balances after its last event. */
export const readReserves = Effect.fnUntraced(function* (
  world: Pick<AlgebraWorld["Service"], "algebra" | "devnet" | "events" | "transfers">,
  block: number,
  pool: DevnetPool
) {
  const { address, token0, token1 } = pool
  const balanceOf = (to: string) => ({ to, name: "balanceOf", account: address })
  const isFirst = world.algebra.release === "1.0"
  const [[balance0 = -1n] = [], [balance1 = -1n] = [], stated = []] = yield* readWords(world.devnet.rpc, block, [
    balanceOf(token0.address),
    balanceOf(token1.address),
    ...(isFirst ? [] : [{ to: address, name: "getReserves" }])
  ])
  const [gift0, gift1] = readGifts(pool, block, world)
  const [reserve0 = -1n, reserve1 = -1n] = isFirst ? [balance0 - gift0, balance1 - gift1] : stated
  return { reserves: [reserve0, reserve1], excess: [balance0 - reserve0, balance1 - reserve1] } as const
})

/** What the contract of a pool states in a block, and what it holds beyond its reserves. */
export const readPool = Effect.fnUntraced(function* (
  world: Pick<AlgebraWorld["Service"], "algebra" | "devnet" | "events" | "transfers">,
  block: number,
  pool: DevnetPool
) {
  const [state = [], [liquidity] = [], [growth0] = [], [growth1] = []] = yield* readWords(
    world.devnet.rpc,
    block,
    functions.map((name) => ({ to: pool.address, name }))
  )
  const { excess, reserves } = yield* readReserves(world, block, pool)
  const { fee, timepointIndex } = layouts[world.algebra.release]
  return {
    stated: {
      sqrtPrice: String(state[0]),
      tick: String(BigInt.asIntN(24, state[1] ?? 0n)),
      feeTier: String(state[fee]),
      observationIndex: timepointIndex === undefined ? "0" : String(state[timepointIndex]),
      liquidity: String(liquidity),
      feeGrowth: [String(growth0), String(growth1)],
      reserves: [...reserves]
    },
    /** Donations and fees of flashes that no call has distributed yet, or no event has followed. */
    excess
  }
})
