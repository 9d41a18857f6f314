import { assert, describe, it } from "@effect/vitest"
import { parseRoute } from "../../src/route/Route.ts"
import type { Status } from "../../src/service/Status.ts"
import type { Mark } from "../../src/tour/Steps.ts"
import { steps, toMark } from "../../src/tour/Steps.ts"
import { wholeRecording } from "../recording/wholeRecording.ts"

const gap = { from: 10, to: 69, fromTime: 100, toTime: 200, state: "open" } as const
const cut = { ...wholeRecording, market: "ETH/USD", missing: 60, gapCount: 1, gaps: [gap] }

const toStatus = (recordings: Status["recordings"], reorgs = 0): Status => ({
  startedAt: 0,
  now: 1000,
  ready: true,
  sources: [],
  recordings,
  indexes: [
    {
      key: "uniswap-v3/devnet",
      state: "realtime",
      head: 100,
      indexed: 100,
      lag: 0,
      proven: 99,
      unproven: null,
      reorgs,
      lastError: null
    }
  ]
})

/** The titles of the steps that are done. */
const done = (status: Status, hash: string, mark?: Mark, reorgAt?: number) =>
  steps.filter((step) => step.isDone({ status, route: parseRoute(hash), mark, reorgAt })).map(({ title }) => title)

const whole = toStatus([wholeRecording, { ...wholeRecording, market: "ETH/USD" }])
const broken = toStatus([wholeRecording, cut])

describe("a step of the tour", () => {
  it("detects a cut from an open gap of any recording, and its end from the status", () => {
    assert.deepStrictEqual(done(whole, "#/health"), ["See it fill"])
    assert.deepStrictEqual(done(broken, "#/health"), ["Cut the exchange"])
  })

  it("stays at the market that is shown while it has a gap, although another one has one, too", () => {
    const both = { ...broken, recordings: [{ ...cut, market: "BTC/USD" }, cut] }
    const shown = parseRoute("#/market/sandbox/ETH-USD/1m")
    const hrefs = [shown, parseRoute("#/health")].map((route) =>
      steps[2]?.toHref({ status: both, route, mark: undefined, reorgAt: undefined })
    )
    assert.deepStrictEqual(hrefs, ["#/market/sandbox/ETH-USD/1m", "#/market/sandbox/BTC-USD/1m"])
  })

  it("links to the market with the gap, and is completed only there", () => {
    const see = steps[1]
    const href =
      see?.toHref({ status: broken, route: parseRoute("#/health"), mark: undefined, reorgAt: undefined }) ?? ""
    assert.strictEqual(href, "#/market/sandbox/ETH-USD/1m")
    assert.include(done(broken, href), "See the gap")
    assert.notInclude(done(broken, "#/market/sandbox/BTC-USD/1m"), "See the gap")
    assert.notInclude(done(whole, href), "See the gap")
  })

  it("distinguishes its own reorg from earlier ones", () => {
    const before = toStatus([wholeRecording], 3)
    const mark = toMark(before, 500)
    assert.notInclude(done(before, "#/blocks", mark), "Reorganize the chain")
    assert.include(done(toStatus([wholeRecording], 4), "#/blocks", mark), "Reorganize the chain")
    assert.notInclude(done(before, "#/blocks", mark, 499), "Reorganize the chain")
    assert.include(done(before, "#/blocks", mark, 500), "Reorganize the chain")
  })

  it("links to a block that the reorg did not replace", () => {
    const mark = toMark(whole, 500)
    assert.isBelow(mark.block, 100 - 4)
    const href = steps[4]?.toHref({ status: whole, route: parseRoute("#/blocks"), mark, reorgAt: undefined }) ?? ""
    assert.strictEqual(href, `#/dex/uniswap-v3/devnet?block=${mark.block}`)
    assert.include(done(whole, href, mark), "Travel to the block before")
    assert.notInclude(done(whole, "#/dex", mark), "Travel to the block before")
  })
})
