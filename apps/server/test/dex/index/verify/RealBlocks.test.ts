import { readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Result, Schema } from "effect"
import { readHeader } from "../../../../src/dex/index/verify/BlockHeader.ts"
import { makeKeccak } from "../../../../src/dex/index/verify/Keccak.ts"
import { readReceipt, proveReceipts } from "../../../../src/dex/index/verify/Receipts.ts"
import type { Receipt } from "../../../../src/dex/index/verify/Receipts.ts"

const Block = Schema.fromJsonString(Schema.Struct({ header: Schema.Unknown, receipts: Schema.Array(Schema.Unknown) }))

const readBlock = Effect.fnUntraced(function* (name: string) {
  const file = new URL(`../../../fixtures/blocks/${name}.json.gz`, import.meta.url)
  const text = gunzipSync(readFileSync(file)).toString("utf8")
  const { header, receipts } = yield* Schema.decodeUnknownEffect(Block)(text)
  const decoded = receipts.map(readReceipt).filter((receipt): receipt is Receipt => receipt !== undefined)
  assert.lengthOf(decoded, receipts.length)
  const keccak = yield* makeKeccak
  return { keccak, header: yield* readHeader(keccak, header), receipts: decoded }
})

/** By name: the number of transactions, and of logs. */
const proven: ReadonlyArray<readonly [name: string, transactions: number]> = [
  // Before Byzantium a receipt holds a state root.
  ["ethereum-1000000", 2],
  ["ethereum-18000000", 94],
  ["arbitrum-150000000", 5],
  ["polygon-50000000", 564],
  ["hyperliquid-50000", 1],
  // An OP chain: its only transaction is a deposit.
  ["zora-49513698", 1]
]

const flip = (hex: string): string => `${hex.slice(0, -1)}${hex.endsWith("0") ? "1" : "0"}`

/** Each way to change one receipt. */
const changes: Readonly<Record<string, (receipt: Receipt) => Receipt>> = {
  "the gas": (receipt) => ({ ...receipt, cumulativeGasUsed: flip(receipt.cumulativeGasUsed) }),
  "the outcome": ({ outcome, ...receipt }) => ({
    ...receipt,
    outcome: "status" in outcome ? { status: flip(outcome.status) } : { root: flip(outcome.root) }
  }),
  "the bloom": (receipt) => ({ ...receipt, logsBloom: flip(receipt.logsBloom) }),
  "the type": (receipt) => ({ ...receipt, type: receipt.type === 1 ? 2 : 1 }),
  "one log less": (receipt) => ({ ...receipt, logs: receipt.logs.slice(1) }),
  "the logs in another order": (receipt) => ({ ...receipt, logs: receipt.logs.toReversed() }),
  "one log twice": (receipt) => ({ ...receipt, logs: [...receipt.logs, ...receipt.logs.slice(0, 1)] }),
  "the address of a log": (receipt) => ({
    ...receipt,
    logs: receipt.logs.map((log, index) => (index === 0 ? { ...log, address: flip(log.address) } : log))
  }),
  "one topic less": (receipt) => ({
    ...receipt,
    logs: receipt.logs.map((log, index) => (index === 0 ? { ...log, topics: log.topics.slice(1) } : log))
  }),
  "the data of a log": (receipt) => ({
    ...receipt,
    logs: receipt.logs.map((log, index) => (index === 0 ? { ...log, data: flip(`${log.data}00`) } : log))
  })
}

describe("a block of a real chain", () => {
  it.effect.each(proven)("is proven by its receipts: %s", ([name, transactions]) =>
    Effect.gen(function* () {
      const { header, keccak, receipts } = yield* readBlock(name)
      assert.lengthOf(receipts, transactions)
      const { isVerified, logs, origins } = yield* Effect.fromResult(proveReceipts(keccak, header, receipts))
      assert.isTrue(isVerified)
      assert.lengthOf(logs, receipts.flatMap((receipt) => receipt.logs).length)
      assert.deepStrictEqual(
        logs.map(({ logIndex }) => logIndex),
        logs.map((_, index) => index)
      )
      assert.strictEqual(origins.size, transactions)
    })
  )

  it.effect.each(proven)("is not proven by receipts that differ: %s", ([name]) =>
    Effect.gen(function* () {
      const { header, keccak, receipts } = yield* readBlock(name)
      for (const [what, change] of Object.entries(changes)) {
        for (const index of new Set([0, Math.floor(receipts.length / 2), receipts.length - 1])) {
          const receipt = receipts[index]
          if (receipt === undefined) continue
          const changed = change(receipt)
          if (JSON.stringify(changed) === JSON.stringify(receipt)) continue
          const result = proveReceipts(keccak, header, receipts.with(index, changed))
          assert.isTrue(Result.isFailure(result), `${what} of receipt ${index}`)
          if (Result.isFailure(result)) assert.match(result.failure, /do not hash to the receipts root of its header/)
        }
      }
      assert.isTrue(Result.isFailure(proveReceipts(keccak, header, receipts.slice(1))))
      assert.isTrue(Result.isFailure(proveReceipts(keccak, header, [...receipts, ...receipts.slice(0, 1)])))
      if (receipts.length > 1) assert.isTrue(Result.isFailure(proveReceipts(keccak, header, receipts.toReversed())))
    })
  )

  it.effect("is neither proven nor wrong if its header has another encoding", () =>
    Effect.gen(function* () {
      const { header, keccak, receipts } = yield* readBlock("cronos-131465")
      assert.strictEqual(header.hashCheck, "failed")
      const { isVerified } = yield* Effect.fromResult(proveReceipts(keccak, header, receipts))
      assert.isFalse(isVerified)
    })
  )

  it.effect("is neither proven nor wrong if a receipt has an unknown type", () =>
    Effect.gen(function* () {
      const { header, keccak, receipts } = yield* readBlock("arbitrum-150000000")
      const { isVerified } = yield* Effect.fromResult(
        proveReceipts(
          keccak,
          header,
          receipts.map((receipt) => ({ ...receipt, type: 0x7b }))
        )
      )
      assert.isFalse(isVerified)
    })
  )
})
