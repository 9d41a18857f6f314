import { PoolAddress, Decimal, TokenAddress } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import { addEvents, toPoolEvents } from "../../../src/dex/pool/Swaps.ts"

const token = { id: TokenAddress.make(`0x${"a".repeat(40)}`), name: "", symbol: "" }

const swapIn = (block: number) =>
  ({
    _tag: "Swap",
    block: BigInt(block),
    swap: {
      id: String(block),
      amount0: Decimal.make(1),
      amount1: Decimal.make(1),
      amountUSD: Decimal.make(1),
      logIndex: Decimal.make(0),
      origin: "",
      timestamp: DateTime.makeUnsafe(block * 1000),
      pool: { token0: token, token1: token },
      transactionId: "",
      sender: "",
      recipient: "",
      sqrtPriceX96: Decimal.make(1)
    },
    pool: PoolAddress.make(`0x${"a".repeat(40)}`)
  }) as const

const reorg = (from: number) =>
  ({
    _tag: "Reorg",
    from: BigInt(from),
    commonAncestor: { number: BigInt(from - 1), hash: "0xa" }
  }) as const

describe("the swaps of a pool", () => {
  it("are the newest ones first, without those of replaced blocks", () => {
    const { reorgs, swaps } = addEvents({ swaps: [], reorgs: 0 }, [
      ...[1, 2, 3].map(swapIn),
      reorg(2),
      ...[2, 4].map(swapIn)
    ])
    assert.deepStrictEqual(
      swaps.map(({ block }) => Number(block)),
      [4, 2, 1]
    )
    assert.strictEqual(reorgs, 1)
  })

  it("are not more than the page shows", () => {
    const { swaps } = addEvents(
      { swaps: [], reorgs: 0 },
      Array.from({ length: 50 }, (_, index) => swapIn(index))
    )
    assert.lengthOf(swaps, 20)
    assert.strictEqual(swaps[0]?.block, 49n)
  })

  it("of later blocks are before a response, also in the same second; others are merged into it", () => {
    const at = (block: number, second: number, logIndex: number) => {
      const { swap, ...rest } = swapIn(block)
      const timestamp = DateTime.makeUnsafe(second * 1000)
      return { ...rest, swap: { ...swap, timestamp, logIndex: Decimal.make(logIndex) } }
    }
    const asOf = Option.some({ number: 7n, hash: "0x7", finalized: false, proven: false })
    const pool = PoolAddress.make(`0x${"a".repeat(40)}`)
    const value = { pool, swaps: [at(7, 4, 5), at(6, 3, 0)].map(({ swap }) => swap) }
    const swaps = [at(8, 4, 0), at(7, 4, 5), at(5, 2, 0)]
    const shown = toPoolEvents({ asOf, value }, { swaps }, "all")
    assert.deepStrictEqual(
      shown.map(({ id }) => id),
      ["8", "7", "6", "5"]
    )
    assert.deepStrictEqual(toPoolEvents({ asOf, value }, { swaps }, "mints"), [])
  })
})
