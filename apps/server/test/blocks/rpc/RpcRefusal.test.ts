import { assert, describe, it } from "@effect/vitest"
import { findDemandedMs, findSuggestedBlocks, isBatchLimit, isRateLimit } from "../../../src/blocks/rpc/RpcRefusal.ts"

interface Reading {
  readonly isRate?: true
  readonly isBatch?: true
  readonly blocks?: number
  readonly pauseMs?: number
}

/** Errors of public nodes, and what they ask for. */
const refusals: ReadonlyArray<readonly [code: number, message: string, reading: Reading]> = [
  [-32_600, "You can make eth_getLogs requests with up to a 10 block range.", { blocks: 10 }],
  [
    -32_602,
    "Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit on the " +
      "response size, or you can request any block range with a cap of 10K logs in the response.",
    { blocks: 2000 }
  ],
  [
    -32_602,
    "You can make eth_getLogs requests with up to a 2K block range. Based on your parameters, this block range should " +
      "work: [0x100, 0x131]",
    { blocks: 50 }
  ],
  [-32_614, "eth_getLogs is limited to a 10,000 range", { blocks: 10_000 }],
  [-32_602, "eth_getLogs and eth_newFilter are limited to a 10k blocks range", { blocks: 10_000 }],
  [-32_000, "the query exceeds 1.5k blocks", { blocks: 1500 }],
  [-32_000, "limited to 1M blocks", { blocks: 1_000_000 }],
  [-32_000, "limited to 1.0005k blocks", { blocks: 1000 }],
  [-32_000, "exceed maximum block range: 50000", { blocks: 50_000 }],
  [-32_000, "block range limited to 500blocks", { blocks: 500 }],
  [-32_000, "block range exceeds 2,000.", { blocks: 2000 }],
  [-32_005, "exceed maximum block range", {}],
  [-32_005, "block range is too wide", {}],
  [-32_005, "query returned more than 10000 results", {}],
  [-32_005, "the response is too large: 33554433 bytes", {}],
  [-32_000, "invalid params", {}],
  [-32_602, "this block range should work: [0x5, 0x4]", {}],
  [-32_600, "Batch size is too large", { isBatch: true }],
  [-32_005, "batch limit 3 exceeded", { isBatch: true }],
  [-32_005, "rate limit exceeded, retry in 10s", { isRate: true, pauseMs: 10_000 }],
  [-32_005, "daily request count exceeded, request rate limited", { isRate: true }],
  [-32_029, "limit exceeded", { isRate: true }],
  [429, "Your app has exceeded its compute units per second capacity", { isRate: true }],
  [-32_000, "Too many requests, try again in 2 minutes", { isRate: true, pauseMs: 120_000 }],
  [-32_000, "please wait 250 ms", { pauseMs: 250 }],
  [-32_000, "requests are blocked: slow down", { isRate: true }]
]

describe("the error of a node", () => {
  it.each(refusals)("%i %s", (code, message, reading) => {
    const error = { code, message }
    assert.deepStrictEqual(
      {
        isRate: isRateLimit(error),
        isBatch: isBatchLimit(error),
        blocks: findSuggestedBlocks(message),
        pauseMs: findDemandedMs(message)
      },
      {
        isRate: reading.isRate ?? false,
        isBatch: reading.isBatch ?? false,
        blocks: reading.blocks,
        pauseMs: reading.pauseMs
      }
    )
  })
})
