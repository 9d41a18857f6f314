import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import { readLogs } from "../../../../src/dex/index/decode/RpcLog.ts"

const Hash = Schema.String.check(Schema.isPattern(/^0x[0-9a-f]{64}$/i))
const Quantity = Schema.String.check(Schema.isPattern(/^0x(0|[1-9a-f][0-9a-f]{0,12})$/i))

/** The schema of the protocol, with which the hand-written decoder is compared. */
const isLog = Schema.is(
  Schema.Struct({
    address: Schema.String.check(Schema.isPattern(/^0x[0-9a-f]{40}$/i)),
    topics: Schema.Array(Hash),
    data: Schema.String.check(Schema.isPattern(/^0x([0-9a-f]{2})*$/i)),
    blockNumber: Quantity,
    blockHash: Hash,
    transactionHash: Hash,
    logIndex: Quantity,
    removed: Schema.optional(Schema.NullOr(Schema.Boolean))
  })
)

const hash = `0x${"aB".repeat(32)}`
const log = {
  address: `0x${"0C".repeat(20)}`,
  topics: [hash, hash],
  data: "0xAb00",
  blockNumber: "0x5",
  blockHash: hash,
  transactionHash: hash,
  logIndex: "0x0",
  removed: false
}

const strange: ReadonlyArray<unknown> = [
  undefined,
  null,
  true,
  0,
  5,
  "",
  "0x",
  "0x0",
  "0x00",
  "0x5",
  "0xg0",
  "5",
  "0xabc",
  [],
  {},
  [hash],
  [null],
  [hash, "0x"],
  [`${hash}0`],
  hash,
  `${hash}\n`,
  hash.slice(0, -1),
  "0xffffffffffffff"
]

/** Every object that differs from this one in one field, which has another value or is missing. */
const variants = (good: object): ReadonlyArray<unknown> => [
  good,
  ...Object.keys(good).flatMap((field) => [
    ...strange.map((value) => ({ ...good, [field]: value })),
    Object.fromEntries(Object.entries(good).filter(([name]) => name !== field))
  ])
]

const refusals = /something that is no log|a log without a valid "/

describe("logs of a node", () => {
  it("are taken exactly if they are of the protocol", () => {
    for (const item of [...variants(log), ...strange]) {
      const read = readLogs([item], 0, 2 ** 53)
      const isRefused = Result.isFailure(read) && refusals.test(read.failure)
      assert.strictEqual(isRefused, !isLog(item), JSON.stringify(item))
    }
    for (const reply of strange.filter((value) => !Array.isArray(value))) {
      assert.isTrue(Result.isFailure(readLogs(reply, 0, 9)), JSON.stringify(reply))
    }
  })

  it("are refused by the name of the first field that is not of the protocol", () => {
    for (const field of Object.keys(log)) {
      const read = readLogs([{ ...log, [field]: "0xg" }], 0, 9)
      assert.deepStrictEqual(read, Result.fail(`answered with a log without a valid "${field}"`))
    }
  })

  it("are read in lower case and in the order of the chain", () => {
    const lower = `0x${"ab".repeat(32)}`
    const read = readLogs([{ ...log, logIndex: "0x1" }, log], 5, 5)
    const expected = {
      address: `0x${"0c".repeat(20)}`,
      topics: [lower, lower],
      data: "0xab00",
      blockNumber: 5,
      blockHash: lower,
      transactionHash: lower
    }
    assert.deepStrictEqual(
      read,
      Result.succeed([
        { ...expected, logIndex: 0 },
        { ...expected, logIndex: 1 }
      ])
    )
  })
})
