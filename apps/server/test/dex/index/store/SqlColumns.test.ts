import { assert, describe, it } from "@effect/vitest"
import { columnsByKind, poolColumns, tokenColumns, totalsColumns } from "../../../../src/dex/index/store/SqlColumns.ts"

describe("the columns of the index", () => {
  it("are named as the fields, in snake case", () => {
    assert.deepStrictEqual(
      [
        totalsColumns.totalVolumeETH,
        tokenColumns.totalValueLockedUSDUntracked,
        poolColumns.feeGrowthGlobal0X128,
        poolColumns.token0,
        columnsByKind.swap.sqrtPriceX96
      ],
      [
        { name: "total_volume_eth", type: "numeric" },
        { name: "total_value_locked_usd_untracked", type: "numeric" },
        { name: "fee_growth_global0_x128", type: "numeric", nullable: true },
        { name: "token0", type: "text" },
        { name: "sqrt_price_x96", type: "numeric", nullable: true }
      ]
    )
  })
})
