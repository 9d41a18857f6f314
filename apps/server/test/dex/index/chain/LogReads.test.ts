import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { BlockSourceError } from "../../../../src/blocks/BlockSource.ts"
import { OversizedReply, RpcFault } from "../../../../src/blocks/rpc/RpcCall.ts"
import type { CallFailure, NodeMemory, RpcCall, Send } from "../../../../src/blocks/rpc/RpcCall.ts"
import { readLogsOfRange } from "../../../../src/dex/index/chain/LogReads.ts"

const bad = (message: string) => new BlockSourceError({ blockchain: "test", reason: "BadResponse", message })

const toBlocks = ({ params }: RpcCall) => {
  const { fromBlock, toBlock } = Object(params[0])
  return { from: Number(fromBlock), to: Number(toBlock) }
}

const makeNode = (): NodeMemory => ({
  lacks: new Set(),
  finalized: undefined,
  logBlocks: Number.MAX_SAFE_INTEGER,
  logQueries: 0
})

const refusal = new RpcFault({ code: -32_000, message: "invalid params" })
const excess = new OversizedReply({ what: "sent more than 33554432 bytes in one answer" })

/** A node without logs on which queries of more blocks fail, and the queries that it got. */
const nodeOf = (max: number, failure: CallFailure = refusal) => {
  const queries: Array<{ readonly from: number; readonly to: number }> = []
  const send: Send = (calls) =>
    Effect.succeed(
      calls.map((call) => {
        const query = toBlocks(call)
        queries.push(query)
        return query.to - query.from >= max ? failure : []
      })
    )
  return { queries, send }
}

const read = (send: Send, node: NodeMemory, to: number) =>
  readLogsOfRange({ bad, node, send }, { range: { from: 1, to }, topics: [] }, { calls: [], check: () => Effect.void })

describe("the logs of a range", () => {
  it.effect("are read by one query of a node that never refused one, however many it has answered", () =>
    Effect.gen(function* () {
      const node = makeNode()
      for (let times = 0; times < 1200; times++) {
        node.logQueries = 1_000_000
        const { queries, send } = nodeOf(1000)
        yield* read(send, node, 1000)
        assert.deepStrictEqual(queries, [{ from: 1, to: 1000 }])
      }
    })
  )

  it.effect.each<readonly [failure: string, CallFailure]>([
    ["are refused", refusal],
    ["have too large a response", excess]
  ])("are read by queries that cover each block once, of a size of which none %s", ([, failure]) =>
    Effect.gen(function* () {
      const node = makeNode()
      const first = nodeOf(10, failure)
      yield* read(first.send, node, 95)
      assert.isAtMost(node.logBlocks, 10)
      const { queries, send } = nodeOf(10, failure)
      yield* read(send, node, 95)
      const blocks = queries.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, at) => from + at))
      assert.deepStrictEqual(
        blocks,
        Array.from({ length: 95 }, (_, at) => at + 1)
      )
      assert.isAtMost(queries.length, 20)
    })
  )

  it.effect("are of fewer blocks where a range takes too many queries", () =>
    Effect.gen(function* () {
      const { queries, send } = nodeOf(10)
      const refused = yield* Effect.flip(read(send, { ...makeNode(), logBlocks: 10 }, 1000))
      assert.deepInclude(refused, { _tag: "LogRangeError", suggested: 200 })
      assert.deepStrictEqual(queries, [])
    })
  )

  it.effect.each<readonly [message: string, CallFailure]>([
    ['answered the error -32000: "invalid params"', refusal],
    ["sent more than 33554432 bytes in one answer", excess]
  ])("are not read if the node, for a single block, %s", ([message, failure]) =>
    Effect.gen(function* () {
      const { send } = nodeOf(0, failure)
      const error = yield* Effect.flip(read(send, makeNode(), 10))
      assert.deepInclude(error, { _tag: "BlockSourceError", reason: "BadResponse", message })
    })
  )
})
