import { assert, describe, it } from "@effect/vitest"
import { keccak_256 } from "@noble/hashes/sha3.js"
import { Effect } from "effect"
import { toRlp } from "viem"
import { makeKeccak } from "../../../../src/dex/index/verify/Keccak.ts"
import {
  orderedTrieRoot,
  encodeBytes,
  encodeList,
  toHex,
  toQuantityBytes
} from "../../../../src/dex/index/verify/Rlp.ts"

const lengths = [0, 1, 2, 54, 55, 56, 57, 254, 255, 256, 257, 65_535, 65_536, 70_000, 16_777_216]

describe("RLP", () => {
  it.each(lengths)("encodes %d bytes as another implementation does", (length) => {
    for (const byte of [0, 0x7f, 0x80, 0xff]) {
      const bytes = new Uint8Array(length).fill(byte)
      assert.strictEqual(toHex(encodeBytes(bytes)), toRlp(bytes, "hex"))
    }
  })

  it.each(lengths)("encodes lists of %d bytes as another implementation does", (length) => {
    const bytes = new Uint8Array(length).fill(0x80)
    assert.strictEqual(
      toHex(encodeList([encodeBytes(bytes), encodeList([]), encodeBytes(new Uint8Array(1))])),
      toRlp([bytes, [], new Uint8Array(1)], "hex")
    )
  })

  it("encodes quantities without leading zeros", () => {
    for (const [quantity, expected] of [
      ["0x0", "0x80"],
      ["0x00", "0x80"],
      ["0x1", "0x01"],
      ["0x7f", "0x7f"],
      ["0x80", "0x8180"],
      ["0x0400", "0x820400"]
    ] as const) {
      assert.strictEqual(toHex(encodeBytes(toQuantityBytes(quantity))), expected)
    }
  })
})

describe("keccak-256", () => {
  it.effect("hashes as another implementation does", () =>
    Effect.gen(function* () {
      const keccak = yield* makeKeccak
      for (let length = 0; length < 600; length++) {
        const bytes = new Uint8Array(length).map((_, index) => (index * 31 + length) & 0xff)
        assert.strictEqual(toHex(keccak(bytes)), toHex(keccak_256(bytes)))
      }
    })
  )
})

describe("the root of an ordered trie", () => {
  it.effect("is that of the yellow paper without values, and differs for any change of a value", () =>
    Effect.gen(function* () {
      const keccak = yield* makeKeccak
      const root = (values: ReadonlyArray<Uint8Array>) => toHex(orderedTrieRoot(keccak, values))
      assert.strictEqual(root([]), "0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421")
      for (const count of [1, 2, 16, 17, 127, 128, 129, 255, 256, 257, 300]) {
        const values = Array.from({ length: count }, (_, index) => new Uint8Array(1 + (index % 40)).fill(index & 0xff))
        const roots = new Set([root(values), root([...values, new Uint8Array(1)]), root(values.slice(1))])
        for (const index of values.keys()) roots.add(root(values.with(index, new Uint8Array(50).fill(index & 0xff))))
        assert.strictEqual(roots.size, count + 3, String(count))
      }
    })
  )
})
