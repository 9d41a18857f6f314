import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import type { ChainLog, FactoryEvent, PoolEvent } from "../../../../src/dex/index/decode/ChainEvents.ts"
import { decodeFactoryLog, decodePoolLog, topics } from "../../../../src/dex/index/protocol/UniswapV3.ts"
import { decodeLog, encodeLog, eventNames } from "./internal/ViemLog.ts"

const Word = Schema.String.check(Schema.isPattern(/^(0{64}|f{64}|[078f]{64}|[0-9a-f]{64})$/))
const Words = Schema.Tuple([Word, Word, Word, Word, Word, Word, Word])
const runs = { arbitrary: { runs: Number(process.env["CHAINTAPE_PROPERTY_RUNS"] ?? 300) } }

const decode = (log: ChainLog): FactoryEvent | PoolEvent | undefined => decodeFactoryLog(log) ?? decodePoolLog(log)

describe("the logs of Uniswap V3", () => {
  it.prop(
    "decodes what viem decodes",
    [Words],
    ([words]) => {
      for (const eventName of eventNames) {
        const log = encodeLog(eventName, words)
        const expected = decodeLog(log)
        const decoded = decode(log)
        if (decoded === undefined) return assert.fail(`${eventName} is not decoded`)
        const { blockNumber, event, logIndex, transactionHash, ...values } = decoded
        assert.strictEqual(event, expected.eventName)
        assert.deepStrictEqual(
          { blockNumber, logIndex, transactionHash },
          {
            blockNumber: log.blockNumber,
            logIndex: log.logIndex,
            transactionHash: log.transactionHash
          }
        )
        const isOfPool = eventName !== "PoolCreated" && eventName !== "OwnerChanged"
        assert.deepStrictEqual<unknown>(values, {
          ...Object.fromEntries(Object.entries(expected.values).filter(([name]) => name in values)),
          ...(isOfPool ? { pool: log.address } : {})
        })
      }
    },
    runs
  )

  it.prop(
    "rejects a log that does not match the ABI of its event",
    [Words],
    ([words]) => {
      for (const eventName of eventNames) {
        const log = encodeLog(eventName, words)
        assert.isUndefined(decode({ ...log, data: log.data.slice(0, -2) }))
        assert.isUndefined(decode({ ...log, data: `${log.data}${"00".repeat(32)}` }))
        assert.isUndefined(decode({ ...log, topics: [...log.topics, `0x${words[0]}`] }))
        assert.isUndefined(decode({ ...log, topics: log.topics.slice(0, -1) }))
      }
    },
    { arbitrary: { runs: 20 } }
  )

  it("knows the topics of all events that the accounting follows", () => {
    const words = ["0", "1", "2", "3", "4", "5", "6"].map((digit) => digit.padStart(64, "0"))
    assert.deepStrictEqual(
      Object.entries(topics),
      eventNames.map((eventName) => [eventName, encodeLog(eventName, words).topics[0]])
    )
  })
})
