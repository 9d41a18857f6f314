import { assert, describe, it } from "@effect/vitest"
import { toVerdict } from "../../../src/cli/verify/Verdict.ts"

const index = {
  deployment: { exchange: "uniswap-v3", blockchain: "ethereum" },
  pool: undefined,
  url: new URL("http://127.0.0.1:3000/v2")
}

const toBlocks = (unproven: number | null) => ({
  first: 11,
  last: 20,
  reached: { number: 20, hash: "0xab", receipts: 3, logs: 1, unproven }
})

const compared = { difference: undefined, state: { pools: [{}], tokens: 2 }, trades: 4 }

const evidence =
  "uniswap-v3 on ethereum as of block 20: 2 tokens, 1 pool, 4 trades at http://127.0.0.1:3000 follow from 10 blocks, " +
  "3 receipts, 1 log; last header 0xab of block 20."

describe("the verdict of a verification", () => {
  it("names the evidence if nothing differs", () => {
    assert.deepStrictEqual(toVerdict(index, toBlocks(null), compared), {
      state: "verified",
      sentence: `Verified: ${evidence}`
    })
  })

  it("says why a block is not proven, and what to do", () => {
    assert.deepStrictEqual(toVerdict(index, toBlocks(15), compared), {
      state: "unproven",
      sentence:
        "Nothing differs, and not everything is proven: the header or the receipts of block 15 do not match their hashes " +
        "in a known encoding. The chain has another encoding, or a node returns false data: repeat with a node of another " +
        `operator. ${evidence}`
    })
  })

  it("names the first difference, also of an index that is not proven", () => {
    const difference = "token 0x1 has another name"
    assert.deepStrictEqual(toVerdict({ ...index, pool: "0x2" }, toBlocks(15), { ...compared, difference }), {
      state: "different",
      sentence: `Different: pool 0x2 of uniswap-v3 on ethereum, ${difference}.`
    })
  })
})
