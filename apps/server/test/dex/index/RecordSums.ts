import { assert } from "@effect/vitest"
import { Decimal34 } from "../../../src/dex/index/accounting/Decimal34.ts"
import type { MemoryIndex } from "./store/MemoryEntityStore.ts"

export const sumOf = (decimals: ReadonlyArray<string>) =>
  decimals.reduce((sum, one) => sum.plus(Decimal34.parse(one)), Decimal34.zero).toText()

const counted = new Set(["Mint", "Burn", "Swap", "Collect"])

/** Compares totals, pools and tokens of an index with its records, and with the events of the chain that count. */
export const assertSums = (
  { state: { deployment, pools, tokens }, trades }: Pick<MemoryIndex, "state" | "trades">,
  events: ReadonlyArray<{ readonly name: string; readonly address: string }>
): void => {
  const swaps = trades.flatMap(({ trade }) => (trade.kind === "swap" ? [trade.row] : []))
  const transactions = events.filter(({ name }) => counted.has(name))
  assert.strictEqual(deployment?.txCount, String(transactions.length))
  assert.strictEqual(deployment?.totalVolumeUSD, sumOf(swaps.map(({ amountUSD }) => amountUSD)))
  assert.strictEqual(deployment?.poolCount, String(pools.length))
  for (const pool of pools) {
    const own = swaps.filter((row) => row.pool === pool.id)
    assert.strictEqual(pool.volumeUSD, sumOf(own.map(({ amountUSD }) => amountUSD)))
    assert.strictEqual(pool.volumeToken0, sumOf(own.map(({ amount0 }) => amount0.replace("-", ""))))
    assert.strictEqual(pool.volumeToken1, sumOf(own.map(({ amount1 }) => amount1.replace("-", ""))))
    assert.strictEqual(pool.txCount, String(transactions.filter(({ address }) => address === pool.id).length))
  }
  for (const token of tokens) {
    const locked = pools.flatMap((pool) => [
      ...(pool.token0 === token.id ? [pool.totalValueLockedToken0] : []),
      ...(pool.token1 === token.id ? [pool.totalValueLockedToken1] : [])
    ])
    assert.strictEqual(token.totalValueLocked, sumOf(locked))
  }
}
