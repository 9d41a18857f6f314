import { assert, describe, it } from "@effect/vitest"
import { toRlp } from "viem"
import type { Hex } from "viem"
import { encodeReceipt } from "../../../../src/dex/index/verify/Receipts.ts"
import type { Receipt } from "../../../../src/dex/index/verify/Receipts.ts"
import { toHex } from "../../../../src/dex/index/verify/Rlp.ts"

const toHexBytes = (length: number, first: string): Hex => `0x${`${first}${"ab".repeat(length)}`.slice(0, 2 * length)}`
const datas = [0, 1, 2, 55, 56, 255, 256, 70_000].flatMap((length) =>
  ["00", "7f", "80", "ff"].map((first) => toHexBytes(length, first))
)
const quantities: ReadonlyArray<Hex> = [
  "0x0",
  "0x00",
  "0x1",
  "0x7f",
  "0x80",
  "0x0400",
  "0x5208",
  "0x01c9c380",
  "0xabcdef0123"
]
const topic = toHexBytes(32, "dd")
const address = toHexBytes(20, "00")

/** The bytes of a quantity, as numbers of another implementation. */
const toBytes = (quantity: Hex): Hex => {
  const digits = BigInt(quantity).toString(16)
  if (digits === "0") return "0x"
  return `0x${digits.length % 2 === 0 ? digits : `0${digits}`}`
}

const receipt = (changes: Partial<Receipt>): Receipt => ({
  type: 0,
  outcome: { status: "0x1" },
  cumulativeGasUsed: "0x5208",
  logsBloom: toHexBytes(256, "00"),
  logs: [],
  transactionHash: topic,
  blockHash: topic,
  from: address,
  deposit: undefined,
  ...changes
})

const bloom = toHexBytes(256, "00")

describe("a receipt", () => {
  it("is encoded as another implementation does, for every length of data and number of topics", () => {
    for (const data of datas) {
      for (let count = 0; count <= 4; count++) {
        const topics = Array.from({ length: count }, () => topic)
        const logs = [
          { address, topics, data },
          { address, topics: [], data }
        ]
        const expected = toRlp([
          "0x01",
          "0x5208",
          bloom,
          [
            [address, topics, data],
            [address, [], data]
          ]
        ])
        assert.strictEqual(toHex(encodeReceipt(receipt({ logs }))), expected)
        assert.strictEqual(toHex(encodeReceipt(receipt({ type: 2, logs }))), `0x02${expected.slice(2)}`)
      }
    }
  })

  it("is encoded as another implementation does, for every outcome, gas and deposit", () => {
    for (const one of quantities) {
      for (const other of quantities) {
        const gas = encodeReceipt(receipt({ outcome: { status: one }, cumulativeGasUsed: other }))
        assert.strictEqual(toHex(gas), toRlp([toBytes(one), toBytes(other), bloom, []]))
        const root = encodeReceipt(receipt({ outcome: { root: topic }, cumulativeGasUsed: other }))
        assert.strictEqual(toHex(root), toRlp([topic, toBytes(other), bloom, []]))
        const deposit = encodeReceipt(receipt({ type: 0x7e, deposit: { nonce: one, version: other } }))
        const items = toRlp(["0x01", "0x5208", bloom, [], toBytes(one), toBytes(other)])
        assert.strictEqual(toHex(deposit), `0x7e${items.slice(2)}`)
      }
    }
  })
})
