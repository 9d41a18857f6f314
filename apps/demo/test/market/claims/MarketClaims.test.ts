import { Cex } from "@chaintape/cex"
import { Market } from "@chaintape/core"
import type { Trade } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { toCandleClaim, toTapeClaim } from "../../../src/market/claims/MarketClaims.ts"
import type { ClaimEvidence } from "../../../src/proof/Claim.ts"
import { isConfirmed } from "../../../src/proof/Claim.ts"

const market = Market.make("BTC/USD")
const begins = 1_800_000_000_000

/** Three trades of one millisecond, and one in each of the following. */
const all = Array.from(
  { length: 12 },
  (_, at) =>
    ({
      id: String(at + 1),
      timestamp: DateTime.makeUnsafe(begins + Math.max(0, at - 2)),
      price: "1",
      size: "1",
      cost: "1",
      side: "buy"
    }) as unknown as Trade
)

/** A service with these trades. */
const service = {
  withResponse: {
    trades: ({ limit, since }: { readonly limit: number; readonly since: DateTime.Utc }) =>
      Effect.succeed({
        remaining: Option.none(),
        value: {
          trades: all.filter(({ timestamp }) => timestamp.epochMilliseconds >= since.epochMilliseconds).slice(0, limit)
        }
      })
  }
} as unknown as Cex["Service"]

describe("the proof of the trades of the tape", () => {
  it.each([
    ["begin among trades of one millisecond", all.slice(2)],
    ["have a late one", [...all.slice(4), ...all.slice(3, 4)]]
  ] as const)("finds them where they %s", async (_, shown) => {
    const claim = toTapeClaim({ exchange: "sandbox", market }, shown.toReversed())
    const read = Effect.provideService(claim.read, Cex, service) as Effect.Effect<ClaimEvidence>
    assert.isTrue(isConfirmed(claim, await Effect.runPromise(read)))
  })
})

describe("the proof of a candle", () => {
  const valueOf = (price: number, volume: number) =>
    toCandleClaim({ exchange: "sandbox", market }, "1m", {
      start: begins / 1000,
      open: price,
      high: price,
      low: price,
      close: price,
      volume,
      isProven: true
    }).values.map(([, value]) => value)

  it("has the digits of a tiny price", () => {
    assert.deepStrictEqual(valueOf(1.234e-18, 0.1 + 0.2).slice(1), [...Array(4).fill("1.234e-18"), "0.3"])
  })

  it("has eight decimals of a large one", () => {
    assert.deepStrictEqual(valueOf(67_907.09, 12.287615850000005).slice(4), ["67907.09", "12.28761585"])
  })
})
