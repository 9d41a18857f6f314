import { assert, describe, it } from "@effect/vitest"
import { tradesJson } from "../../../../src/cex/CexJson.ts"
import { SegmentCache, takeLastRows, writeSegment } from "../../../../src/cex/tape/read/SegmentCache.ts"
import type { TapeTrade } from "../../../../src/cex/tape/Tape.ts"

const trade = (sequence: number, id = String(sequence)): TapeTrade => ({
  id,
  sequence,
  timestamp: sequence * 10,
  price: "67000.1",
  size: "0.25",
  cost: "16750.025",
  side: sequence % 2 === 0 ? "buy" : "sell",
  receivedAt: 0
})

const trades = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => trade(from + at))

const segment = (from: number, to: number) => {
  const written = writeSegment(from, to, trades(from, to))
  assert.isDefined(written)
  return written
}

const toRows = (all: ReadonlyArray<TapeTrade>) => {
  const text = tradesJson("e", "A/B", all)
  return "," + text.slice(text.indexOf("[") + 1, -2)
}

const textOf = ({ bytes }: { readonly bytes: Uint8Array }) => new TextDecoder().decode(bytes)

describe("a segment", () => {
  it("is cut between rows, whatever characters the ids have", () => {
    for (const ids of [
      ["1", "2", "3"],
      ["ä", "€uro", '"x"'],
      ["", "\u{1f4c8}", "\\"]
    ]) {
      const all = ids.map((id, at) => trade(at + 1, id))
      const written = writeSegment(1, 3, all)
      assert.isDefined(written)
      for (const rows of [1, 2, 3]) assert.strictEqual(textOf(takeLastRows(written, rows)), toRows(all.slice(-rows)))
    }
  })

  it("is undefined if a sequence is missing, or if a trade belongs to another segment", () => {
    assert.isUndefined(writeSegment(1, 3, [trade(1), trade(3)]))
    assert.isUndefined(writeSegment(1, 3, [trade(1), trade(2), trade(4)]))
    assert.isUndefined(writeSegment(1, 0, []))
  })
})

describe("the cache of segments", () => {
  it("evicts the least recently used segment", () => {
    const [first, second, third] = [segment(0, 9), segment(10, 19), segment(20, 29)]
    const room = new SegmentCache(2 * (third.bytes.length + third.ends.byteLength + third.times.byteLength))
    room.put(1, 0, first)
    room.put(1, 1, second)
    assert.strictEqual(room.get(1, 0, first), first)
    room.put(1, 2, third)
    assert.isUndefined(room.get(1, 1, second))
    assert.strictEqual(room.get(1, 0, first), first)
    assert.strictEqual(room.get(1, 2, third), third)
  })

  it("gives a segment only for its own series and sequences", () => {
    const cache = new SegmentCache(1_000_000)
    const grown = segment(0, 9)
    cache.put(1, 0, segment(0, 4))
    assert.isUndefined(cache.get(1, 0, { from: 0, to: 9 }))
    assert.isUndefined(cache.get(2, 0, { from: 0, to: 4 }))
    cache.put(1, 0, grown)
    assert.strictEqual(cache.get(1, 0, { from: 0, to: 9 }), grown)
  })
})
