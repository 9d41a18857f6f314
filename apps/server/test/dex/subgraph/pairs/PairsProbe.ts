import { compareFields, expectedAt } from "../ExpectedState.ts"
import { makeSubgraph } from "../GraphqlServer.ts"
import type { SubgraphOptions } from "../GraphqlServer.ts"
import { headHash, lines } from "../SubgraphProbe.ts"
import { uniswapV2 } from "../SubgraphTypes.ts"
import { getNativeUSD, product, toPairEntities } from "./PairData.ts"

export type Row = { readonly [field: string]: unknown }
type Name = "basic" | "market"

export const heads = { basic: 62, market: 384 }

export const toPairs = (name: Name, options: Partial<SubgraphOptions> = {}) =>
  makeSubgraph({
    entities: toPairEntities(lines[name]),
    types: uniswapV2,
    head: { number: heads[name], hash: headHash },
    ...options
  })

export const textOf = (value: unknown): string => (typeof value === "string" ? value : "")

/** The newest price up to the block. */
const getPrice = (name: Name, block: number): string => {
  const blocks = lines[name].filter((line) => line.type === "factory" && line.block <= block).map((line) => line.block)
  return getNativeUSD(Math.max(...blocks))
}

/** What the service says of the fixtures as pairs with a fee in millionths. */
export const expectedPairs = (name: Name, block: number, fee = "3000") => {
  const expected = expectedAt(lines[name], block)
  const toFees = (volume: unknown) => product(textOf(volume), fee, "0.000001")
  const toToken = (row: Row): Row => ({
    ...row,
    feesUSD: toFees(row["volumeUSD"]),
    totalValueLockedUSD: product(textOf(row["totalValueLocked"]), textOf(row["derivedETH"]), getPrice(name, block)),
    poolCount: String(
      expected.pools.filter((pool) => [pool["token0"], pool["token1"]].some((token) => idOf(token) === row["id"]))
        .length
    )
  })
  const tokens = expected.tokens.map(toToken)
  const find = (token: unknown): Row => tokens.find((row) => row["id"] === idOf(token)) ?? {}
  const { factory } = expected
  return {
    factory: factory && {
      ...factory,
      totalFeesUSD: toFees(factory["totalVolumeUSD"]),
      totalFeesETH: toFees(factory["totalVolumeETH"]),
      owner: ""
    },
    tokens,
    pools: expected.pools.map((pool): Row => ({
      ...pool,
      feeTier: fee,
      feesUSD: toFees(pool["volumeUSD"]),
      feeGrowthGlobal0X128: "",
      feeGrowthGlobal1X128: "",
      observationIndex: "",
      sqrtPrice: "",
      tick: "",
      token0: find(pool["token0"]),
      token1: find(pool["token1"])
    })),
    swaps: expected.records("swap").map(({ block, fields, pool }) => ({ block, pool, fields: withoutPrice(fields) }))
  }
}

export const idOf = (value: unknown): string =>
  typeof value === "object" && value !== null && "id" in value ? textOf(value.id) : ""

export const byId = (rows: ReadonlyArray<Row>) =>
  [...rows].sort((a, b) => compareFields(textOf(a["id"]), textOf(b["id"])))

const withoutPrice = (fields: Row): Row => ({ ...fields, sqrtPriceX96: "" })
