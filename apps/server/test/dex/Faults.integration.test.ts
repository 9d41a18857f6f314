import { Devnet } from "@chaintape/sandbox"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, layer } from "@effect/vitest"
import { Context, Effect, FileSystem, Layer, Schedule, Stream, SubscriptionRef } from "effect"
import { FetchHttpClient } from "effect/http"
import { topics } from "../../src/dex/index/protocol/UniswapV3.ts"
import { makeIndexer } from "../../src/dex/index/run/Indexer.ts"
import { runsMany } from "../Cases.ts"
import { withLease } from "../ownership/TestLease.ts"
import { keyed } from "../RunningService.ts"
import { askOther, startFaultyNode } from "./FaultyNode.ts"
import type { Fault, FaultyNode, RpcCall } from "./FaultyNode.ts"
import { makeMemoryEntityStore } from "./index/store/MemoryEntityStore.ts"
import { base, configOf, everything, indexedService, indexStatus, untilIndexed, untilStatus } from "./IndexedService.ts"

const finality = 16
const prefill = runsMany ? 60 : 30
const manual = { mode: "manual", seed: "faults", activity: 2, prefill, genesisTimestamp: 1_700_000_000 } as const
const head = prefill + 5
const blocks = runsMany ? [head, head - 1, head - finality, 20] : [head, head - finality]

/** A separate devnet. */
const devnet = (options: Parameters<typeof Devnet.layer>[0]) =>
  Effect.map(Layer.build(Devnet.layer({ ...manual, ...options })), (context) => Context.get(context, Devnet))

const folder = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  return `${yield* files.makeTempDirectoryScoped()}/database`
})

/** A separate service over these nodes. */
const over = Effect.fnUntraced(function* (nodes: readonly [FaultyNode, ...Array<FaultyNode>]) {
  const { one } = yield* World
  const [first, ...others] = nodes
  return indexedService(configOf(one, [first.url, ...others.map(({ url }) => url)], finality), yield* folder)
})

/** A service without faults. Returns its responses about blocks when it has the newest of them. */
const faultless = Effect.fnUntraced(function* (world: Devnet["Service"]) {
  const service = yield* Layer.build(indexedService(configOf(world, [world.rpc], finality), yield* folder))
  return (at: ReadonlyArray<number>) =>
    Effect.andThen(untilIndexed(Math.max(...at)), everything(at)).pipe(Effect.provideContext(service))
})

const findTruth = (world: Devnet["Service"], at: ReadonlyArray<number>) =>
  Effect.scoped(Effect.flatMap(faultless(world), (truth) => truth(at)))

/** Two devnets with different histories, and the content of an index of the first without faults. */
class World extends Context.Service<
  World,
  {
    readonly one: Devnet["Service"]
    readonly other: Devnet["Service"]
    readonly truth: ReadonlyMap<string, unknown>
  }
>()("@chaintape/server/test/dex/FaultyWorld") {
  static readonly layer = Layer.effect(
    World,
    Effect.gen(function* () {
      const one = yield* devnet({})
      const other = yield* devnet({ seed: "another chain" })
      return World.of({ one, other, truth: yield* findTruth(one, blocks) })
    })
  ).pipe(Layer.provideMerge(NodeServices.layer))
}

const assertSame = (found: ReadonlyMap<string, unknown>, truth: ReadonlyMap<string, unknown>) => {
  assert.deepStrictEqual([...found.keys()], [...truth.keys()])
  for (const [path, body] of truth) assert.deepStrictEqual(found.get(path), body, path)
}

/** Three requests of thirty fail: an index restarts its current range, which takes some requests. */
const often =
  (fault: Fault): FaultyNode["fault"] =>
  (request) =>
    request % 30 < 3 ? fault : undefined

const asks = (calls: ReadonlyArray<RpcCall>, method: string) => calls.some((call) => call.method === method)

/** How many blocks the filter of a call spans. */
const getRange = ({ params }: RpcCall): number => {
  const { fromBlock, toBlock } = Object(params?.[0])
  return fromBlock === undefined ? 0 : Number(toBlock) - Number(fromBlock) + 1
}

const refusedRange: Fault = {
  answer: (call, reply) =>
    call.method === "eth_getLogs" && getRange(call) > 4
      ? { jsonrpc: "2.0", id: call.id, error: { code: -32_602, message: "block range is too large" } }
      : reply
}

/** Like a node of a cluster that is a few blocks behind the others. */
const behind = (blocks: number): Fault => ({
  ask: (calls) =>
    calls.map((call) =>
      call.method === "eth_getBlockByNumber" && call.params?.[0] === "latest"
        ? { ...call, params: [`0x${(head - blocks).toString(16)}`, false] }
        : call
    )
})

type Log = Readonly<Record<string, unknown>>

/** Changes the logs of `eth_getLogs`. */
const lies =
  (change: (logs: ReadonlyArray<Log>) => ReadonlyArray<Log>): FaultyNode["fault"] =>
  (_, calls) =>
    asks(calls, "eth_getLogs")
      ? {
          answer: (call, reply) =>
            call.method === "eth_getLogs" && Array.isArray(reply.result)
              ? { ...reply, result: change(reply.result) }
              : reply
        }
      : undefined

const without = (topic: string) => lies((logs) => logs.filter((log) => !String(log["topics"]).startsWith(topic)))

const isSwap = ({ topics: of }: Log): boolean => String(of).startsWith(topics.Swap)

/** Leaves swaps out of logs, and of receipts. */
const withoutSwaps: Fault["answer"] = (call, reply) => {
  const { result } = reply
  if (!Array.isArray(result)) return reply
  if (call.method === "eth_getLogs") return { ...reply, result: result.filter((log) => !isSwap(log)) }
  if (call.method !== "eth_getBlockReceipts") return reply
  return {
    ...reply,
    result: result.map((receipt) => ({ ...receipt, logs: receipt.logs.filter((log: Log) => !isSwap(log)) }))
  }
}

const alter = (log: Log): Log => ({
  ...log,
  data: String(log["data"]).replace(/.$/, (digit) => (digit === "1" ? "2" : "1"))
})

/** The faults while the index is built, repeated until it is complete. */
const faults: Readonly<Record<string, FaultyNode["fault"]>> = {
  "answers slowly": () => ({ delayMs: 150 }),
  "answers after the timeout": (request) => (request === 3 ? { delayMs: 6000 } : undefined),
  "limits the service with 429": often({ status: 429, headers: { "retry-after": "0" } }),
  "limits every third request of the service": (request) =>
    request % 3 === 0 ? { status: 429, headers: { "retry-after": "0" } } : undefined,
  "fails with 503": often({ status: 503 }),
  "cuts its answers off": often({ cut: "text" }),
  "cuts the connection off in the middle of an answer": often({ cut: "connection" }),
  "refuses ranges of more than four blocks": (_, calls) => (asks(calls, "eth_getLogs") ? refusedRange : undefined),
  "has a head that goes backwards": (request, calls) =>
    asks(calls, "eth_getBlockByNumber") && request % 2 === 1 ? behind(request % 9) : undefined,
  "states no logs at all": lies(() => []),
  "leaves every third log out": lies((logs) => logs.filter((_, index) => index % 3 !== 2)),
  "leaves all swaps out": without(topics.Swap),
  "leaves all burns out": without(topics.Burn),
  "leaves all creations of pools out": without(topics.PoolCreated),
  "alters every fifth log": lies((logs) => logs.map((log, index) => (index % 5 === 4 ? alter(log) : log))),
  "does all of it at once": (request, calls) => {
    const place = request % 40
    if (place === 1) return { status: 429, headers: { "retry-after": "0" } }
    if (place === 3) return { cut: "text" }
    if (place === 6) return { delayMs: 100, cut: "connection" }
    if (place === 30) return behind(3)
    return asks(calls, "eth_getLogs") ? refusedRange : undefined
  }
}

/** The index alone, over a store in memory: its content at the head. */
const heldInMemory = Effect.fnUntraced(function* (rpc: string) {
  const { one } = yield* World
  const store = makeMemoryEntityStore()
  const key = "uniswap-v3/devnet"
  const indexer = yield* makeIndexer({ ...one.config, key, blockchain: "devnet", rpc: [rpc], finality }).pipe(
    Effect.provide([store.layer, FetchHttpClient.layer])
  )
  yield* Effect.forkScoped(withLease(indexer.run))
  yield* SubscriptionRef.changes(indexer.status).pipe(
    Stream.filter(({ indexed, lastError, proven }) => indexed === head && proven === head && lastError === undefined),
    Stream.runHead
  )
  return store.index(key).contents
}, Effect.scoped)

/** Through a database and sockets: in `pnpm test`, only for the worst of the faults. */
const throughService = Object.entries(faults).filter(
  ([name]) => runsMany || ["does all of it at once", "leaves all swaps out"].includes(name)
)

describe("an index whose node", () => {
  layer(World.layer, { excludeTestServices: true, timeout: "5 minutes" })((it) => {
    for (const [name, fault] of Object.entries(faults)) {
      it.effect(
        `${name} ends in memory with what an index without faults holds`,
        () =>
          Effect.gen(function* () {
            const { one } = yield* World
            const node = yield* startFaultyNode(one.rpc)
            node.fault = fault
            assert.deepStrictEqual(yield* heldInMemory(node.url), yield* heldInMemory(one.rpc))
            assert.isAbove(node.faults, 0)
          }),
        // Most of their time is waiting.
        { timeout: 90_000, concurrent: true }
      )
    }

    for (const [name, fault] of throughService) {
      it.effect(
        `${name} ends with what an index without faults holds`,
        () =>
          Effect.gen(function* () {
            const { one, truth } = yield* World
            const node = yield* startFaultyNode(one.rpc)
            node.fault = fault
            const found = yield* Effect.gen(function* () {
              yield* untilIndexed(head)
              return yield* everything(blocks)
            }).pipe(Effect.provide(yield* over([node])))
            assertSame(found, truth)
            assert.isAbove(node.faults, 0)
          }),
        300_000
      )
    }

    it.effect(
      "leaves logs out of its receipts too stops before that block and names it, and continues with another node",
      () =>
        Effect.gen(function* () {
          const { one, truth } = yield* World
          const [liar, honest] = [yield* startFaultyNode(one.rpc), yield* startFaultyNode(one.rpc)]
          liar.fault = (_, calls) =>
            asks(calls, "eth_getLogs") || asks(calls, "eth_getBlockReceipts") ? { answer: withoutSwaps } : undefined
          honest.fault = () => ({ status: 503 })
          const found = yield* Effect.gen(function* () {
            const { indexed, lastError } = yield* untilStatus((status) =>
              /hash to the receipts root/.test(status.lastError ?? "")
            )
            assert.match(lastError ?? "", /receipts of block \d+ that do not hash to the receipts root of its header/)
            const { body, status } = yield* keyed(`${base}/pools?block=${head}`)
            assert.strictEqual(status, indexed === null ? 503 : 404, body)
            assert.match(body, /receipts of block \d+ that do not hash to the receipts root/)
            honest.fault = () => undefined
            yield* untilIndexed(head)
            return yield* everything(blocks)
          }).pipe(Effect.provide(yield* over([liar, honest])))
          assertSame(found, truth)
        }),
      300_000
    )

    it.effect(
      "sends logs of another chain stores none of them, and reads receipts; moved to that chain it stops with an error",
      () =>
        Effect.gen(function* () {
          const { one, other, truth } = yield* World
          const node = yield* startFaultyNode(one.rpc)
          node.fault = (_, calls) =>
            asks(calls, "eth_getLogs")
              ? {
                  answer: (call, reply) => (call.method === "eth_getLogs" ? askOther(other.rpc, call) : reply)
                }
              : undefined
          const found = yield* Effect.gen(function* () {
            yield* untilIndexed(head)
            assert.isAbove(node.faults, 0)
            node.fault = () => undefined
            node.behind = other.rpc
            const stopped = yield* untilStatus(({ state }) => state === "stopped")
            assert.strictEqual(stopped.indexed, head)
            assert.match(
              stopped.lastError ?? "",
              new RegExp(`neither block ${head} as it is indexed nor one of the ${finality}`)
            )
            return yield* everything(blocks)
          }).pipe(Effect.provide(yield* over([node])))
          assertSame(found, truth)
        }),
      300_000
    )

    it.effect(
      "goes back by some blocks for good, and on with others, follows it",
      () =>
        Effect.gen(function* () {
          const shortened = yield* devnet({})
          const { chain, rpc } = shortened
          const node = yield* startFaultyNode(rpc)
          const found = yield* Effect.gen(function* () {
            yield* untilIndexed(head)
            const { number: shorter } = yield* chain.removeBlocks(7)
            yield* untilStatus(({ head }) => head === shorter)
            const { indexed, lag } = yield* indexStatus
            assert.deepInclude({ indexed, lag }, { indexed: head, lag: 0 })
            yield* chain.mine(1)
            while ((yield* chain.step).number < head + 3);
            yield* untilIndexed(head + 3)
            return yield* everything([...blocks, head + 3])
          }).pipe(Effect.provide(yield* over([node])))
          assertSame(found, yield* findTruth(shortened, [...blocks, head + 3]))
        }),
      300_000
    )

    it.effect(
      "disagrees with another one never mixes them, and ends with the one that stays",
      () =>
        Effect.gen(function* () {
          const one = yield* devnet({})
          const two = yield* devnet({})
          yield* one.chain.step
          yield* two.chain.reorg(5)
          yield* two.chain.step
          const path = `${base}/pools?limit=1000&block=${head + 1}`
          const answersOfOne = yield* faultless(one)
          const [truthOfOne, truthOfTwo] = [yield* answersOfOne([head + 1]), yield* findTruth(two, [head + 1])]
          assert.notDeepEqual(truthOfOne.get(path), truthOfTwo.get(path))
          const [first, second] = [yield* startFaultyNode(one.rpc), yield* startFaultyNode(two.rpc)]
          let isFirstThere = true
          first.fault = () => (isFirstThere ? undefined : { status: 403 })
          second.fault = () => (isFirstThere ? { status: 403 } : undefined)
          const found = yield* Effect.gen(function* () {
            yield* untilStatus(({ indexed }) => indexed === head + 1)
            for (const isFirstWanted of [false, true]) {
              isFirstThere = isFirstWanted
              const isFirst = Effect.gen(function* () {
                const { body, status } = yield* keyed(path)
                if (status !== 200) return undefined
                const rows = JSON.parse(body)
                const isFirst = JSON.stringify(rows) === JSON.stringify(truthOfOne.get(path))
                assert.deepStrictEqual(rows, (isFirst ? truthOfOne : truthOfTwo).get(path))
                return isFirst
              })
              yield* Effect.repeat(isFirst, {
                until: (isFirst) => isFirst === isFirstWanted,
                schedule: Schedule.spaced("25 millis")
              })
            }
            second.fault = () => ({ status: 403 })
            first.fault = () => undefined
            const { number } = yield* one.chain.step
            yield* untilIndexed(number)
            assert.isAbove((yield* indexStatus).reorgs, 0)
            return yield* everything([...blocks, number])
          }).pipe(Effect.provide(yield* over([first, second])))
          assertSame(found, yield* answersOfOne([...blocks, head + 2]))
        }),
      300_000
    )
  })
})
