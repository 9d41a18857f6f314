import { assert, describe, it } from "@effect/vitest"
import type { ChainLog } from "../../../../src/dex/index/decode/ChainEvents.ts"
import { groupPairCalls } from "../../../../src/dex/index/decode/PairCalls.ts"
import { decodePairLog } from "../../../../src/dex/index/protocol/UniswapV2.ts"
import { accountOf, burnLog, mintLog, noAccount, swapLog, syncLog, transferLog } from "./PairLogs.ts"

const [pair, other] = [accountOf("a"), accountOf("b")]
const [holder, feeTo] = [accountOf("1"), accountOf("f")]

const group = (logs: ReadonlyArray<ChainLog>) => groupPairCalls(logs.flatMap((log) => decodePairLog(log) ?? []))

const summary = (logs: ReadonlyArray<ChainLog>) =>
  group(logs).events.map((event) =>
    event.event === "PairCall"
      ? [event.cause?.event, event.reserves.reserve0, event.supplyChanges.map(({ change }) => change)]
      : [event.event]
  )

const at = (logIndex: number, of = pair) => ({ pair: of, logIndex })

describe("the calls of pairs", () => {
  it("have the changes of the supply before the reserves, and what happened behind them", () => {
    const logs = [
      transferLog(at(0), noAccount, noAccount, 1000n),
      transferLog(at(1), noAccount, holder, 50n),
      syncLog(at(2), 10n, 20n),
      mintLog(at(3), holder, 10n, 20n),
      syncLog(at(4), 11n, 19n),
      swapLog(at(5), holder, holder, [1n, 0n, 0n, 1n]),
      syncLog(at(6), 12n, 19n),
      transferLog(at(7), noAccount, feeTo, 3n),
      transferLog(at(8), pair, noAccount, 5n),
      syncLog(at(9), 8n, 15n),
      burnLog(at(10), holder, holder, 4n, 4n)
    ]
    assert.isUndefined(group(logs).contradiction)
    assert.deepStrictEqual(summary(logs), [
      ["PairMint", 10n, [1000n, 50n]],
      ["PairSwap", 11n, []],
      [undefined, 12n, []],
      ["PairBurn", 8n, [3n, -5n]]
    ])
  })

  it("of several pairs do not mix", () => {
    const logs = [
      transferLog(at(0), noAccount, holder, 50n),
      syncLog(at(1, other), 1n, 1n),
      syncLog(at(2), 10n, 20n),
      mintLog(at(3), holder, 10n, 20n),
      syncLog(at(4, other), 2n, 1n),
      syncLog(at(5), 11n, 20n)
    ]
    assert.deepStrictEqual(summary(logs), [
      [undefined, 1n, []],
      ["PairMint", 10n, [50n]],
      [undefined, 2n, []],
      [undefined, 11n, []]
    ])
  })

  it("are whole whatever transfers of no LP tokens are between their logs", () => {
    const logs = [
      transferLog(at(0), noAccount, holder, 0n),
      syncLog(at(1), 11n, 19n),
      swapLog(at(2), holder, holder, [1n, 0n, 0n, 1n]),
      transferLog(at(3), pair, noAccount, 5n),
      // The transfer of a token can call another contract, and that contract the pair's own transferFrom.
      transferLog(at(4), noAccount, holder, 0n),
      syncLog(at(5), 8n, 15n),
      burnLog(at(6), holder, holder, 3n, 4n),
      transferLog(at(7), pair, noAccount, 0n)
    ]
    assert.isUndefined(group(logs).contradiction)
    assert.deepStrictEqual(summary(logs), [
      ["PairSwap", 11n, []],
      ["PairBurn", 8n, [-5n]]
    ])
  })

  it.each([
    ["a mint without reserves", [transferLog(at(0), noAccount, holder, 5n), mintLog(at(1), holder, 1n, 1n)]],
    ["a mint without LP tokens", [syncLog(at(0), 1n, 1n), mintLog(at(1), holder, 1n, 1n)]],
    ["a burn without LP tokens", [syncLog(at(0), 1n, 1n), burnLog(at(1), holder, holder, 1n, 1n)]],
    [
      "a burn that creates LP tokens",
      [transferLog(at(0), noAccount, holder, 5n), syncLog(at(1), 1n, 1n), burnLog(at(2), holder, holder, 1n, 1n)]
    ],
    [
      "a swap that creates LP tokens",
      [
        transferLog(at(0), noAccount, holder, 5n),
        syncLog(at(1), 1n, 1n),
        swapLog(at(2), holder, holder, [1n, 0n, 0n, 1n])
      ]
    ],
    [
      "a swap behind the reserves of another pair",
      [syncLog(at(0, other), 1n, 1n), swapLog(at(1), holder, holder, [1n, 0n, 0n, 1n])]
    ],
    ["LP tokens that no call creates", [syncLog(at(0), 1n, 1n), transferLog(at(1), noAccount, holder, 5n)]]
  ])("are not whole: %s", (_, logs) => {
    assert.strictEqual(
      group(logs).contradiction,
      `answered with logs of pool "${pair}" in block 7 that are not those of whole calls`
    )
  })
})
