import { Decimal, TokenAddress } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import { pickEvents } from "../../../src/dex/transaction/readTransaction.ts"

const token = { id: TokenAddress.make(`0x${"a".repeat(40)}`), name: "", symbol: "" }

const burn = (id: string, transactionId: string, logIndex: number) =>
  ({
    kind: "burn",
    id,
    amount: Decimal.make(1),
    amount0: Decimal.make(1),
    amount1: Decimal.make(1),
    amountUSD: Decimal.make(1),
    logIndex: Decimal.make(logIndex),
    origin: "",
    owner: "",
    timestamp: DateTime.makeUnsafe(0),
    pool: { token0: token, token1: token },
    transactionId
  }) as const

describe("the events of a transaction", () => {
  it("are listed once each, in the order of their logs, without those of other transactions", () => {
    const events = [burn("b", "0x1", 10), burn("c", "0x2", 3), burn("a", "0x1", 9), burn("b", "0x1", 10)]
    assert.deepStrictEqual(
      pickEvents(events, "0x1").map(({ id }) => id),
      ["a", "b"]
    )
    assert.deepStrictEqual(pickEvents(events, "0x3"), [])
  })
})
