import { assert, describe, it } from "@effect/vitest"
import * as Option from "effect/Option"
import { getNewestBlock } from "../../../src/dex/moment/useReportBlock.ts"

const deployment = { exchange: "uniswap-v3", blockchain: "devnet" }
const asOf = Option.some({ number: 90n, hash: "0x90", finalized: false, proven: false })

describe("the block of a response", () => {
  it("is that of its header, and none where a block was chosen or the header is absent", () => {
    const live = { deployment, block: undefined, version: "100" }
    assert.strictEqual(getNewestBlock({ moment: live, asOf }), 90)
    assert.isUndefined(getNewestBlock({ moment: live, asOf: Option.none() }))
    assert.isUndefined(getNewestBlock({ moment: { ...live, block: 90 }, asOf }))
    assert.isUndefined(getNewestBlock(undefined))
  })
})
