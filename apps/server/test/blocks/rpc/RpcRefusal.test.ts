import { assert, describe, it } from "@effect/vitest"
import { findDemandedMs, findSuggestedBlocks, toRefused } from "../../../src/blocks/rpc/RpcRefusal.ts"
import type { RefusalScope } from "../../../src/blocks/rpc/RpcRefusal.ts"

interface Reading {
  readonly blocks?: number
  readonly pauseMs?: number
}

/**
 * Errors of nodes, and what they refuse. Those of a provider are in its documentation, in ponder's `getLogsRetryHelper.ts` or
 * in reports of its callers; a variant is one of these in other words.
 */
const refusals: ReadonlyArray<
  readonly [source: string, refused: RefusalScope, code: number, message: string, reading: Reading]
> = [
  ["Alchemy", "call", -32_600, "You can make eth_getLogs requests with up to a 10 block range.", { blocks: 10 }],
  [
    "Alchemy",
    "call",
    -32_602,
    "Log response size exceeded. You can make eth_getLogs requests with up to a 2K block range and no limit on the " +
      "response size, or you can request any block range with a cap of 10K logs in the response.",
    { blocks: 2000 }
  ],
  [
    "Alchemy",
    "call",
    -32_602,
    "You can make eth_getLogs requests with up to a 2K block range. Based on your parameters, this block range should " +
      "work: [0x100, 0x131]",
    { blocks: 50 }
  ],
  ["QuickNode", "call", -32_614, "eth_getLogs is limited to a 10,000 range", { blocks: 10_000 }],
  ["QuickNode", "call", -32_602, "eth_getLogs and eth_newFilter are limited to a 10k blocks range", { blocks: 10_000 }],
  ["variant", "call", -32_000, "the query exceeds 1.5k blocks", { blocks: 1500 }],
  ["variant", "call", -32_000, "limited to 1M blocks", { blocks: 1_000_000 }],
  ["variant", "call", -32_000, "limited to 1.0005k blocks", { blocks: 1000 }],
  ["PublicNode", "call", -32_701, "exceed maximum block range: 50000", { blocks: 50_000 }],
  ["variant", "call", -32_000, "block range limited to 500blocks", { blocks: 500 }],
  ["Somnia", "call", -32_000, "block range exceeds 2,000.", { blocks: 2000 }],
  ["variant", "call", -32_005, "exceed maximum block range", {}],
  ["Ankr", "call", -32_600, "block range is too wide", {}],
  ["variant", "call", -32_005, "block range is too wide", {}],
  ["Infura", "call", -32_005, "query returned more than 10000 results", {}],
  ["Optimism", "response", -32_000, "backend response too large", {}],
  ["go-ethereum", "response", -32_003, "response too large", {}],
  ["variant", "call", -32_000, "invalid params", {}],
  ["variant", "call", -32_602, "this block range should work: [0x5, 0x4]", {}],
  ["go-ethereum", "batch", -32_600, "batch too large", {}],
  ["variant", "batch", -32_600, "Batch size is too large", {}],
  ["Erigon", "batch", -32_000, "batch limit 3 exceeded (can increase by --rpc.batch.limit)", {}],
  ["variant", "batch", -32_005, "batch limit 3 exceeded", {}],
  ["variant", "rate", -32_005, "rate limit exceeded, retry in 10s", { pauseMs: 10_000 }],
  ["Infura", "rate", -32_005, "daily request count exceeded, request rate limited", {}],
  ["variant", "rate", -32_029, "limit exceeded", {}],
  ["Alchemy", "rate", 429, "Your app has exceeded its compute units per second capacity", {}],
  ["variant", "rate", -32_000, "Too many requests, try again in 2 minutes", { pauseMs: 120_000 }],
  ["variant", "rate", -32_000, "Too many requests for this block range", {}],
  ["variant", "call", -32_000, "please wait 250 ms", { pauseMs: 250 }],
  ["variant", "rate", -32_000, "requests are blocked: slow down", {}]
]

describe("the error of a node", () => {
  it.each(refusals)("%s refuses the %s: %i %s", (_, refused, code, message, { blocks, pauseMs }) => {
    assert.deepStrictEqual(
      {
        refused: toRefused({ code, message }),
        blocks: findSuggestedBlocks(message),
        pauseMs: findDemandedMs(message)
      },
      { refused, blocks, pauseMs }
    )
  })
})
