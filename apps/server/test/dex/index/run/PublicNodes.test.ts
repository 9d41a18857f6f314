import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Schedule, SubscriptionRef } from "effect"
import { TestClock } from "effect/testing"
import type { IndexProgress } from "../../../../src/dex/index/run/IndexProgress.ts"
import { makeMemoryEntityStore } from "../store/MemoryEntityStore.ts"
import { findTruth, grow, startOn, syntheticConfig } from "../synthetic/SyntheticIndex.ts"
import { SyntheticNode } from "../synthetic/SyntheticNode.ts"
import type { Call, Reply } from "../synthetic/SyntheticNode.ts"

const blocks = 384
const finality = 10

/** What a provider refuses. */
type Limit = (node: SyntheticNode) => void

const refusal = (code: number, message: string): Reply => ({ error: { code, message } })

const getRange = ({ params }: Call): number => {
  const { fromBlock, toBlock } = Object(params[0])
  return fromBlock === undefined ? 0 : Number(toBlock) - Number(fromBlock) + 1
}

/** Adds a rule for single calls to those that the node has. */
const byCall =
  (rule: (call: Call, reply: Reply, nth: number) => Reply): Limit =>
  (node) => {
    const { distort } = node
    let nth = 0
    node.distort = (call, reply) => rule(call, distort(call, reply), ++nth)
  }

const byRequest =
  (rule: (calls: ReadonlyArray<Call>, isBatch: boolean, nth: number) => Response | undefined): Limit =>
  (node) => {
    const { refuse } = node
    let nth = 0
    node.refuse = (calls, isBatch) => rule(calls, isBatch, ++nth) ?? refuse(calls, isBatch)
  }

const refusedRange = (max: number, refused: (call: Call) => Reply): Limit =>
  byCall((call, reply) => (call.method === "eth_getLogs" && getRange(call) > max ? refused(call) : reply))

const suggest = ({ params }: Call): Reply => {
  const { fromBlock } = Object(params[0])
  const to = `0x${(Number(fromBlock) + 49).toString(16)}`
  return refusal(-32_602, `Based on your parameters, this block range should work: [${String(fromBlock)}, ${to}]`)
}

const error = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new Response(JSON.stringify(body), { status, headers })
const batchError = { jsonrpc: "2.0", id: null, error: { code: -32_600, message: "Batch size is too large" } }

const limits: Readonly<Record<string, Limit>> = {
  "ranges of 10 blocks": refusedRange(10, () =>
    refusal(-32_600, "You can make eth_getLogs requests with up to a 10 block range.")
  ),
  "ranges of 25 blocks, as a limit": refusedRange(25, () => refusal(-32_005, "exceed maximum block range")),
  "ranges of 50 blocks, with a suggestion": refusedRange(50, suggest),
  "ranges of 50 blocks, without a reason": refusedRange(50, () => refusal(-32_000, "invalid params")),
  "20 logs": byCall((call, reply) =>
    call.method === "eth_getLogs" && Array.isArray(reply.result) && reply.result.length > 20
      ? refusal(-32_005, "query returned more than 20 results")
      : reply
  ),
  "batches of 3 calls": byRequest((calls) => (calls.length > 3 ? error(200, batchError) : undefined)),
  "batches of 3 calls, by status": byRequest((calls) => (calls.length > 3 ? error(413, {}) : undefined)),
  "batches of 1 call": byRequest((calls) => (calls.length > 1 ? error(200, batchError) : undefined)),
  "no batches": byRequest((_, isBatch) => (isBatch ? error(400, batchError) : undefined)),
  "no receipts of blocks": (node) => {
    node.hasReceipts = false
  },
  "no programs": (node) => {
    node.runsPrograms = false
  },
  "each fifth request a 429": byRequest((_, __, nth) =>
    nth % 5 === 0 ? error(429, {}, { "retry-after": "1" }) : undefined
  ),
  "each third call over the limit": byCall((_, reply, nth) =>
    nth % 3 === 0 ? refusal(-32_005, "rate limit exceeded, retry in 1s") : reply
  )
}

const combined: Readonly<Record<string, ReadonlyArray<string>>> = {
  "a free plan": ["ranges of 10 blocks", "batches of 3 calls", "each fifth request a 429"],
  "a small plan": ["20 logs", "no batches", "no receipts of blocks"],
  "a busy plan": ["ranges of 25 blocks, as a limit", "each third call over the limit", "no programs"]
}

const chain = () => {
  const node = new SyntheticNode()
  node.setBranch(0, grow(node.head, blocks, 5))
  return node
}

/** Runs promises and fibers, and advances the clock, until the index is proven to the head. Returns how long it took. */
const untilProven = (status: SubscriptionRef.SubscriptionRef<IndexProgress>) =>
  Effect.gen(function* () {
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    yield* TestClock.adjust("50 millis")
    const current = yield* SubscriptionRef.get(status)
    if (current.indexed !== blocks || current.proven !== blocks) return yield* Effect.fail(current)
  }).pipe(Effect.retry(Schedule.recurs(6000)), Effect.orDie)

/** Indexes the chain of these nodes with a store of its own, and compares the rows. Returns the requests. */
const follow = Effect.fnUntraced(function* (one: SyntheticNode, two?: SyntheticNode) {
  const config = syntheticConfig(finality, two === undefined ? 1 : 2)
  const store = makeMemoryEntityStore()
  const indexer = yield* startOn(two === undefined ? { one } : { one, two }, store.service, config, 50, 8)
  const running = yield* Effect.forkChild(indexer.run)
  yield* untilProven(indexer.status)
  yield* Fiber.interrupt(running)
  const truth = yield* findTruth(chain(), config, blocks)
  assert.deepStrictEqual(store.index(config.key).contents, truth)
  return { requests: one.requests + (two?.requests ?? 0), calls: one.calls + (two?.calls ?? 0) }
})

describe("an index of a node that limits requests", () => {
  const applied: ReadonlyArray<readonly [name: string, limits: ReadonlyArray<Limit>]> = [
    ...Object.entries(limits).map(([name, limit]) => [name, [limit]] as const),
    ...Object.entries(combined).map(
      ([name, names]) => [`${name}: ${names.join(", ")}`, names.flatMap((one) => limits[one] ?? [])] as const
    )
  ]

  it.effect.each(applied)("has the same rows: %s", ([name, some]) =>
    Effect.gen(function* () {
      const unlimited = yield* follow(chain())
      const node = chain()
      for (const limit of some) limit(node)
      const limited = yield* follow(node)
      const figures = JSON.stringify({ limited, unlimited })
      assert.isAtMost(limited.calls, 10 * unlimited.calls, figures)
      // An unlimited node takes 15 calls per request on average: single calls are more than 10 times its requests.
      if (!/batches of 1|no batches/.test(name)) {
        assert.isAtMost(limited.requests, 10 * unlimited.requests, figures)
      }
    })
  )
})

describe("an index of a node that refuses the receipts of a block as too many", () => {
  it.effect("reads them by transaction, and the others by block", () =>
    Effect.gen(function* () {
      const node = chain()
      let refusals = 0
      node.distort = ({ method, params }, reply) => {
        if (method !== "eth_getBlockReceipts" || Number(params[0]) % 7 !== 0) return reply
        refusals++
        return { error: { code: -32_005, message: "the response is too large: more than 33554432 bytes" } }
      }
      yield* follow(node)
      assert.isAbove(refusals, 0)
    })
  )
})

describe("an index of two nodes", () => {
  it.effect("follows the one that is not late", () =>
    Effect.gen(function* () {
      const late = chain()
      const whole = late.canonical
      late.canonical = whole.slice(0, blocks - 19)
      yield* follow(late, chain())
    })
  )

  it.effect("reads old blocks of the one that has not pruned them", () =>
    Effect.gen(function* () {
      const pruned = chain()
      pruned.distort = ({ method, params }, reply) => {
        const number = method === "eth_getLogs" ? Number(Object(params[0]).fromBlock) : Number(params[0])
        if (method === "eth_getLogs" && number < 200) return { result: [] }
        if (method === "eth_getBlockReceipts" && number < 200) return { result: null }
        if (method !== "eth_call") return reply
        const at = whole.find(({ hash }) => hash === Object(params[1]).blockHash)?.number ?? 0
        return at < 200 ? { error: { code: -32_000, message: "missing trie node" } } : reply
      }
      const whole = pruned.canonical
      yield* follow(pruned, chain())
    })
  )
})
