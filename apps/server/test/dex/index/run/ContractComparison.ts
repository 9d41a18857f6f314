import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { HttpClient } from "effect/http"
import { makeNodes } from "../../../../src/blocks/rpc/Nodes.ts"
import type { RpcCall } from "../../../../src/blocks/rpc/RpcCall.ts"
import { readAddress, readPoolFacts, readUint, selectors } from "../../../../src/dex/index/decode/ContractCall.ts"
import type { IndexedPool } from "../../../../src/dex/index/IndexedBlock.ts"
import type { MemoryIndex } from "../store/MemoryEntityStore.ts"

const liquidity = "0x1a686502"

/** The newest version that is valid at a block. */
const asOf = <Row>(versions: ReadonlyArray<{ readonly from: number; readonly row: Row }>, block: number) =>
  versions.findLast(({ from }) => from <= block)?.row

const stated = ({
  feeGrowthGlobal0X128,
  feeGrowthGlobal1X128,
  liquidity,
  observationIndex,
  sqrtPrice,
  tick
}: IndexedPool) => ({
  sqrtPrice,
  tick: tick === "" ? "0" : tick,
  liquidity,
  observationIndex,
  feeGrowthGlobal0X128,
  feeGrowthGlobal1X128
})

/** Compares every pool as of a block with its contract. */
export const compareAt = Effect.fnUntraced(function* (rpc: string, index: MemoryIndex, factory: string, block: number) {
  const { read: readNodes } = makeNodes(yield* HttpClient.HttpClient, "devnet", [rpc])
  const send = (calls: ReadonlyArray<RpcCall>) => readNodes((sendCalls) => sendCalls(calls))
  const ask = (to: string, data: string) => ({ method: "eth_call", params: [{ to, data }, `0x${block.toString(16)}`] })
  const pools = [...index.rows.pool.values()].flatMap((versions) => asOf(versions, block) ?? [])
  for (const pool of pools) {
    const [slot0, growth0, growth1, inRange] = yield* send(
      [selectors.slot0, selectors.feeGrowthGlobal0X128, selectors.feeGrowthGlobal1X128, liquidity].map((data) =>
        ask(pool.id, data)
      )
    )
    const facts = readPoolFacts(slot0, growth0, growth1)
    assert.deepStrictEqual(
      stated(pool),
      {
        sqrtPrice: String(facts?.sqrtPrice),
        tick: String(facts?.tick),
        liquidity: String(readUint(inRange)),
        observationIndex: String(facts?.observationIndex),
        feeGrowthGlobal0X128: String(facts?.feeGrowthGlobal0X128),
        feeGrowthGlobal1X128: String(facts?.feeGrowthGlobal1X128)
      },
      `pool ${pool.id} in block ${block}`
    )
  }
  const totals = [...index.rows.deployment.values()].flatMap((versions) => asOf(versions, block) ?? [])[0]
  if (totals !== undefined) {
    const [owner] = yield* send([ask(factory, selectors.owner)])
    assert.strictEqual(totals.owner, readAddress(owner))
  }
  return pools.length
})

/** Fails if a pool is read from its contract instead of simulated. */
export const allFollowed = ({ rows }: MemoryIndex): void => {
  assert.isAbove(rows.pool.size, 0)
  for (const versions of rows.pool.values()) {
    for (const { from, row } of versions) assert.isDefined(row.simulation, `pool ${row.id} in block ${from}`)
  }
}
