import { Decimal, TokenAddress } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import { toEvents } from "../../../src/dex/events/Event.ts"
import { toTokenEvents } from "../../../src/dex/events/TokenEvent.ts"

const token = { id: TokenAddress.make(`0x${"a".repeat(40)}`), name: "", symbol: "" }

const fields = (id: string, second: number, logIndex: number) => ({
  id,
  amount0: Decimal.make(1),
  amount1: Decimal.make(1),
  amountUSD: Decimal.make(1),
  logIndex: Decimal.make(logIndex),
  origin: "",
  timestamp: DateTime.makeUnsafe(second * 1000),
  pool: { token0: token, token1: token },
  transactionId: ""
})

const swap = (id: string, second: number, logIndex: number) => ({
  ...fields(id, second, logIndex),
  sender: "",
  recipient: "",
  sqrtPriceX96: Decimal.make(1)
})

const position = (id: string, second: number, logIndex: number) => ({
  ...fields(id, second, logIndex),
  amount: Decimal.make(1),
  owner: "",
  sender: ""
})

const ids = (events: ReadonlyArray<{ readonly id: string }>) => events.map(({ id }) => id)

describe("events", () => {
  it("of two blocks in the same second stay in the order of their blocks", () => {
    const swaps = [swap("block 2, log 0", 10, 0), swap("block 1, log 5", 10, 5), swap("block 0", 9, 1)]
    assert.deepStrictEqual(ids(toEvents([swaps], [], [], "all")), ids(swaps))
    assert.deepStrictEqual(ids(toTokenEvents({ token: token.id, swapsAs0: swaps }, "swaps")), ids(swaps))
  })

  it("of several lists are merged by time, then by log index", () => {
    const { burns, mints, swaps } = {
      swaps: [swap("s4", 4, 0), swap("s2", 2, 1)],
      mints: [position("m3", 3, 0), position("m2", 2, 3), position("m1", 1, 0)],
      burns: [position("b2", 2, 2)]
    }
    assert.deepStrictEqual(ids(toEvents([swaps], [mints], [burns], "all")), ["s4", "m3", "m2", "b2", "s2", "m1"])
    assert.deepStrictEqual(ids(toEvents([swaps], [mints], [burns], "mints")), ["m3", "m2", "m1"])
    assert.deepStrictEqual(
      ids(
        toTokenEvents(
          { token: token.id, swapsAs0: [swap("s1", 1, 0)], swapsAs1: swaps, mintsAs0: mints, burnsAs1: burns },
          "all"
        )
      ),
      ["s4", "m3", "m2", "b2", "s2", "s1", "m1"]
    )
  })
})
