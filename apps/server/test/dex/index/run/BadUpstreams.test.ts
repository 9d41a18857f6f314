import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Schedule, SubscriptionRef } from "effect"
import { TestClock } from "effect/testing"
import { toFunctionSelector } from "viem"
import type { IndexProgress } from "../../../../src/dex/index/run/IndexProgress.ts"
import { EntityStore } from "../../../../src/dex/index/store/EntityStore.ts"
import { makeMemoryEntityStore } from "../store/MemoryEntityStore.ts"
import { toChild } from "../synthetic/SyntheticChain.ts"
import { followToHead, grow, indexTruly, startOn, syntheticConfig, findTruth } from "../synthetic/SyntheticIndex.ts"
import { SyntheticNode } from "../synthetic/SyntheticNode.ts"
import type { Call, Reply } from "../synthetic/SyntheticNode.ts"

type Item = Readonly<Record<string, unknown>>
const items = (reply: Reply): ReadonlyArray<Item> => (Array.isArray(reply.result) ? reply.result : [])
/** Alters the logs of a response. */
const logs =
  (change: (log: Item, index: number) => Item) =>
  (call: Call, reply: Reply): Reply =>
    call.method === "eth_getLogs" ? { result: items(reply).map(change) } : reply
const blocks =
  (change: (block: Item) => unknown) =>
  (call: Call, reply: Reply): Reply =>
    call.method === "eth_getBlockByNumber" && call.params[0] !== "latest"
      ? { result: change(Object(reply.result)) }
      : reply
const receipts =
  (change: (all: ReadonlyArray<Item>) => unknown) =>
  (call: Call, reply: Reply): Reply =>
    call.method === "eth_getBlockReceipts" ? { result: change(items(reply)) } : reply
const calls =
  (selector: string, answer: Reply) =>
  (call: Call, reply: Reply): Reply =>
    call.method === "eth_call" && JSON.stringify(call.params).includes(selector) ? answer : reply
const hash = `0x${"77".repeat(32)}`
const words = (count: number) => `0x${"00".repeat(31 + 32 * (count - 1))}01`

interface Fault {
  readonly distort?: SyntheticNode["distort"]
  readonly distortBody?: SyntheticNode["distortBody"]
  readonly refuse?: SyntheticNode["refuse"]
  readonly runsPrograms?: boolean
  readonly hasReceipts?: boolean
  /** Whether it does no harm where the logs are proven by receipts. */
  readonly isHarmless?: true
  readonly says: RegExp
}

const otherPrices: SyntheticNode["distort"] = (call, reply) =>
  call.method === "eth_call" && Object(call.params[0]).to === undefined && typeof reply.result === "string"
    ? { result: `${reply.result.slice(0, 40)}7${reply.result.slice(41)}` }
    : reply

const faults: Readonly<Record<string, Fault>> = {
  "logs that a reorg removed": {
    isHarmless: true,
    distort: logs((log) => ({ ...log, removed: true })),
    says: /answered with logs that a reorg removed/
  },
  "logs outside of the range": {
    isHarmless: true,
    distort: logs((log) => ({ ...log, blockNumber: "0xffff" })),
    says: /answered with a log of block 65535, where \d+ to \d+ were asked for/
  },
  "logs of another branch": {
    isHarmless: true,
    distort: logs((log) => ({ ...log, blockHash: hash })),
    says: /logs of (two|another) branch/
  },
  "logs of transactions that are not in the block": {
    isHarmless: true,
    distort: logs((log) => ({ ...log, transactionHash: hash })),
    says: /logs of transactions that are not in block/
  },
  "logs twice": {
    isHarmless: true,
    distort: (call, reply) => (call.method === "eth_getLogs" ? { result: [...items(reply), ...items(reply)] } : reply),
    says: /answered twice with a log of block/
  },
  "logs with less data": {
    isHarmless: true,
    distort: logs((log) => ({ ...log, data: String(log["data"]).slice(0, -2) })),
    says: /does not match the ABI of its event/
  },
  "logs that are none": {
    isHarmless: true,
    distort: logs((log) => ({ ...log, topics: ["Swap"] })),
    says: /a log without a valid "topics"/
  },
  "blocks of other numbers": {
    distort: blocks((block) => ({ ...block, number: "0x1" })),
    says: /answered with block 1 wh/
  },
  "blocks with a root of receipts that is no hash": {
    distort: blocks((block) => ({ ...block, receiptsRoot: "0x7" })),
    says: /answered block \d+ without a valid "receiptsRoot"/
  },
  "blocks without a parent": {
    distort: blocks(({ parentHash: _, ...block }) => block),
    says: /answered block \d+ without a valid "parentHash"/
  },
  "no blocks": { distort: blocks(() => null), says: /does not have block/ },
  "no receipts": { distort: receipts(() => null), says: /described no receipts of block/ },
  "receipts of another branch": {
    distort: receipts((all) => all.map((receipt) => ({ ...receipt, blockHash: hash }))),
    says: /described no receipts of block/
  },
  "receipts without a sender": {
    distort: receipts((all) => all.map(({ from: _, ...receipt }) => receipt)),
    says: /described no receipts of block/
  },
  "receipts of other transactions": {
    distort: receipts((all) => all.map((receipt) => ({ ...receipt, transactionHash: hash }))),
    says: /receipts of other transactions than those of block/
  },
  "receipts without logs": {
    distort: receipts((all) => all.map((receipt) => ({ ...receipt, logs: [] }))),
    says: /receipts of block \d+ that do not hash to the receipts root of its header/
  },
  "a receipt less": {
    distort: receipts((all) => all.slice(1)),
    says: /do not hash to the receipts root/
  },
  "blocks of another branch": {
    distort: blocks((block) => ({ ...block, hash })),
    says: /a header of block \d+ that does not hash to the block's hash/
  },
  "blocks with another bloom": {
    distort: blocks((block) => ({ ...block, logsBloom: `0x${"00".repeat(256)}` })),
    says: /a header of block \d+ that does not hash to the block's hash/
  },
  "blocks without transactions": {
    distort: blocks((block) => ({ ...block, transactions: [] })),
    says: /receipts of other transactions than those of block/
  },
  "another chain": {
    distort: (call, reply) => (call.method === "eth_chainId" ? { result: "0x2" } : reply),
    says: /belongs to chain 2, and not to chain 1/
  },
  "prices that the events do not lead to": {
    runsPrograms: false,
    distort: calls("0x3850c7bd", { result: words(7) }),
    says: /lead to another price than its contract states/
  },
  "prices of all touched pools that the events do not lead to": {
    distort: otherPrices,
    says: /lead to another price than its contract states/
  },
  "nothing of a pool": {
    runsPrograms: false,
    distort: calls("0xf3058399", { result: "0x" }),
    says: /states nothing of pool/
  },
  "an error for a pool": {
    runsPrograms: false,
    distort: calls("0xf3058399", { error: { code: -32_000, message: "header not found" } }),
    says: /answered the error -32000/
  },
  "an error in place of a token's decimals": {
    distort: calls("0x313ce567", { error: { code: -32_000, message: "missing trie node" } }),
    says: /answered the error -32000: "missing trie node"/
  },
  "an error of the server": { refuse: () => new Response("", { status: 500 }), says: /answered with status 500/ },
  "a limit": {
    refuse: () => new Response("", { status: 429, headers: { "retry-after": "2" } }),
    says: /limits the service/
  },
  "a body cut off": { distortBody: (body) => body.slice(0, body.length / 2), says: /no JSON-RPC response/ },
  "a web page": { distortBody: () => "<html></html>", says: /no JSON-RPC response/ },
  "an empty batch": { distortBody: () => "[]", says: /left out a part of its answer/ }
}

/** Runs promises and fibers, and advances the clock, until the status is as expected. */
const until = (status: SubscriptionRef.SubscriptionRef<IndexProgress>, wanted: (status: IndexProgress) => boolean) =>
  Effect.gen(function* () {
    yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
    yield* TestClock.adjust("50 millis")
    const current = yield* SubscriptionRef.get(status)
    if (!wanted(current)) return yield* Effect.fail(current)
    return current
  }).pipe(Effect.retry(Schedule.recurs(4000)), Effect.orDie)

const chain = () => {
  const node = new SyntheticNode()
  node.setBranch(0, grow(node.head, 60, 5))
  return node
}

/** Answers calls as of the newest block with the state of the next one, which the node executes. */
const answerAhead = (node: SyntheticNode, whole: SyntheticNode["canonical"], onCall: () => void) => {
  node.distort = (call, reply) => {
    const next = whole[node.canonical.length]
    const isAtHead = JSON.stringify(call.params).includes(`{"blockHash":"${node.head.hash}"}`)
    if (call.method !== "eth_call" || !isAtHead || next === undefined) return reply
    onCall()
    return node.answer({ ...call, params: [call.params[0], { blockHash: next.hash }] })
  }
}

/** Runs an effect while time passes as it waits, millisecond by millisecond, so that no load of the machine reorders it. */
const passTime = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const running = yield* Effect.forkChild(effect)
  while (running.pollUnsafe() === undefined) yield* TestClock.adjust("1 millis")
  return yield* Fiber.join(running)
})

describe("an index", () => {
  it.effect("waits for a node that does not answer, and reports it", () =>
    Effect.gen(function* () {
      const node = chain()
      const config = syntheticConfig(10)
      const store = makeMemoryEntityStore()
      const indexer = yield* startOn({ one: node }, store.service, config, 20)
      node.isSilent = true
      const running = yield* Effect.forkChild(indexer.run)
      const failing = yield* until(indexer.status, ({ failures }) => failures >= 1)
      assert.match(failing.lastError?.message ?? "", /did not answer within/)
      assert.deepInclude(failing, { state: "starting", indexed: undefined, lag: undefined })
      node.isSilent = false
      yield* until(indexer.status, ({ indexed, lastError }) => indexed === 60 && lastError === undefined)
      yield* Fiber.interrupt(running)
    })
  )

  it.effect("asks for fewer blocks where a node refuses the range", () =>
    Effect.gen(function* () {
      const node = chain()
      const config = syntheticConfig(2)
      const store = makeMemoryEntityStore()
      const sizes: Array<number> = []
      node.distort = (call, reply) => {
        if (call.method !== "eth_getLogs") return reply
        const { fromBlock, toBlock } = Object(call.params[0])
        if (fromBlock === undefined) return reply
        sizes.push(Number(toBlock) - Number(fromBlock) + 1)
        return (sizes.at(-1) ?? 0) > 10 ? { error: { code: -32_602, message: "block range is too large" } } : reply
      }
      yield* followToHead(yield* startOn({ one: node }, store.service, config, 500))
      assert.deepStrictEqual(store.index(config.key).contents, yield* findTruth(node, config, 60))
      assert.isAbove(Math.max(...sizes), 10)
    })
  )

  it.effect("asks for fewer blocks where a node calls a large range a limit", () =>
    Effect.gen(function* () {
      const node = chain()
      const config = syntheticConfig(2)
      const store = makeMemoryEntityStore()
      node.distort = (call, reply) => {
        const { fromBlock, toBlock } = Object(call.params[0])
        return call.method === "eth_getLogs" && Number(toBlock) - Number(fromBlock) > 10
          ? { error: { code: -32_005, message: "query returned more than 10000 results" } }
          : reply
      }
      const indexer = yield* startOn({ one: node }, store.service, config, 500)
      const running = yield* Effect.forkChild(indexer.run)
      yield* until(indexer.status, ({ indexed, lastError }) => indexed === 60 && lastError === undefined)
      assert.deepStrictEqual(store.index(config.key).contents, yield* findTruth(node, config, 60))
      yield* Fiber.interrupt(running)
    })
  )

  it.effect("retains its blocks while a node is behind them", () =>
    Effect.gen(function* () {
      const node = chain()
      const config = syntheticConfig(10)
      const store = makeMemoryEntityStore()
      const indexer = yield* startOn({ one: node }, store.service, config, 500)
      yield* followToHead(indexer)
      const whole = node.canonical
      node.canonical = whole.slice(0, 56)
      assert.strictEqual(yield* indexer.step, "atHead")
      assert.deepInclude(yield* SubscriptionRef.get(indexer.status), { head: 55, indexed: 60, lag: 0, reorgs: 0 })
      node.canonical = whole
      node.setBranch(60, [toChild(node.head, 6)])
      yield* followToHead(indexer)
      assert.deepStrictEqual(store.index(config.key).contents, yield* findTruth(node, config, 61))
      assert.deepInclude(yield* SubscriptionRef.get(indexer.status), { head: 61, indexed: 61, reorgs: 0 })
    })
  )

  it.effect("retains the blocks that it wrote while the node contradicts itself about later ones", () =>
    Effect.gen(function* () {
      const node = chain()
      const later = node.canonical.slice(21)
      node.distort = (call, reply) =>
        later.some(({ hash }) => JSON.stringify(call.params).includes(hash)) ? otherPrices(call, reply) : reply
      const config = syntheticConfig(10)
      const { index, service } = makeMemoryEntityStore()
      const slow = EntityStore.of({
        ...service,
        append: (...written) => Effect.delay(service.append(...written), "1 second")
      })
      const indexer = yield* startOn({ one: node }, slow, config, 20, 2)
      const stepping = yield* Effect.forkChild(Effect.flip(indexer.step))
      yield* TestClock.adjust("1 second").pipe(Effect.repeat({ until: () => stepping.pollUnsafe() !== undefined }))
      assert.match((yield* Fiber.join(stepping)).message, /lead to another price/)
      assert.strictEqual(index(config.key).checkpoint?.number, 20)
    })
  )

  it.live("stores no state of the block that a development node executes", () =>
    Effect.gen(function* () {
      const node = chain()
      const config = { ...syntheticConfig(10), ephemeral: true }
      const truth = yield* findTruth(node, config, 60)
      const whole = node.canonical
      let isExecuting = false
      node.canonical = whole.slice(0, 21)
      answerAhead(node, whole, () => (isExecuting = true))
      node.beforeRequest = (request) => {
        const isMined = isExecuting || request % 5 === 0
        if (isMined) node.canonical = whole.slice(0, node.canonical.length + 1)
        isExecuting = false
      }
      const store = makeMemoryEntityStore()
      const indexer = yield* startOn({ one: node }, store.service, config, 500)
      while ((yield* SubscriptionRef.get(indexer.status)).indexed !== 60) yield* indexer.step
      assert.deepStrictEqual(store.index(config.key).contents, truth)
    })
  )

  it.effect("stores no state of a block whose number a development node states a moment later", () =>
    passTime(
      Effect.gen(function* () {
        const node = chain()
        const config = { ...syntheticConfig(10), ephemeral: true }
        const truth = yield* findTruth(node, config, 60)
        const whole = node.canonical
        const mine = Effect.sync(() => {
          node.canonical = whole.slice(0, node.canonical.length + 1)
          isExecuted = false
        })
        let isExecuted = false
        node.canonical = whole.slice(0, 21)
        answerAhead(node, whole, () => (isExecuted = true))
        const store = makeMemoryEntityStore()
        const indexer = yield* startOn({ one: node }, store.service, config, 500)
        const follow = Effect.gen(function* () {
          while ((yield* SubscriptionRef.get(indexer.status)).indexed !== 60) {
            if ((yield* indexer.step) === "atHead") yield* mine
          }
        })
        const stateNumbers = Effect.suspend(() => (isExecuted ? mine : Effect.void)).pipe(Effect.delay("5 millis"))
        yield* Effect.raceFirst(follow, Effect.forever(stateNumbers))
        assert.deepStrictEqual(store.index(config.key).contents, truth)
      })
    )
  )

  it.effect("stops at a reorg that goes deeper than the finality", () =>
    Effect.gen(function* () {
      const node = chain()
      const config = syntheticConfig(10)
      const store = makeMemoryEntityStore()
      const indexer = yield* startOn({ one: node }, store.service, config, 500)
      yield* followToHead(indexer)
      const before = store.index(config.key).contents
      node.setBranch(40, grow(node.canonical[40] ?? node.head, 30, 8))
      yield* indexer.run
      const status = yield* SubscriptionRef.get(indexer.status)
      assert.strictEqual(status.state, "stopped")
      assert.match(status.lastError?.message ?? "", /neither block 60 as it is indexed nor one of the 10 blocks before/)
      assert.deepStrictEqual(store.index(config.key).contents, before)
    })
  )

  const functions = {
    "feeAmountTickSpacing(uint24)": 1,
    "feeAmountTickSpacingExtraInfo(uint24)": 2,
    "poolByPair(address,address)": 1,
    "baseFeeConfiguration()": 1,
    "defaultCommunityFee()": 1,
    "tickSpacingToFee(int24)": 1,
    "allPairsLength()": 1,
    "feeToSetter()": 1
  } as const
  type Signature = keyof typeof functions
  const factories: ReadonlyArray<readonly [protocol: string, has: ReadonlyArray<Signature>]> = [
    ["PancakeSwap V3", ["feeAmountTickSpacing(uint24)", "feeAmountTickSpacingExtraInfo(uint24)"]],
    ["Algebra", ["poolByPair(address,address)"]],
    ["Algebra 1.0", ["poolByPair(address,address)", "baseFeeConfiguration()"]],
    ["Algebra 1.9", ["poolByPair(address,address)", "baseFeeConfiguration()", "defaultCommunityFee()"]],
    ["Slipstream", ["tickSpacingToFee(int24)"]],
    ["Uniswap V2", ["allPairsLength()", "feeToSetter()"]]
  ]

  /** A chain whose factory has exactly these functions. */
  const chainWithFactory = (has: ReadonlyArray<Signature>) => {
    const node = chain()
    for (const signature of has) {
      const { distort } = node
      const answers = calls(toFunctionSelector(signature), { result: words(functions[signature]) })
      node.distort = (call, reply) => answers(call, distort(call, reply))
    }
    return node
  }

  it.effect.each(factories)("refuses the factory of %s by name", ([protocol, has]) =>
    Effect.gen(function* () {
      const store = makeMemoryEntityStore()
      const config = syntheticConfig(10)
      const indexer = yield* startOn({ one: chainWithFactory(has) }, store.service, config, 500)
      yield* indexer.run
      const { lastError, state } = yield* SubscriptionRef.get(indexer.status)
      assert.strictEqual(state, "stopped")
      assert.match(
        lastError?.message ?? "",
        new RegExp(`^The factory 0x\\w{40} on "\\w+" is one of ${protocol}, whose`)
      )
    })
  )

  it.effect("accepts a factory that has further functions besides those of Uniswap V3", () =>
    Effect.gen(function* () {
      const node = chainWithFactory(["feeAmountTickSpacing(uint24)", "allPairsLength()"])
      const store = makeMemoryEntityStore()
      const config = syntheticConfig(10)
      yield* followToHead(yield* startOn({ one: node }, store.service, config, 500))
      assert.deepStrictEqual(store.index(config.key).contents, yield* findTruth(node, config, 60))
    })
  )

  it.effect("never mixes two nodes that disagree", () =>
    Effect.gen(function* () {
      const one = chain()
      const two = chain()
      two.setBranch(55, grow(two.canonical[55] ?? two.head, 6, 9))
      const config = syntheticConfig(10, 2)
      const store = makeMemoryEntityStore()
      const indexer = yield* startOn({ one, two }, store.service, config, 10)
      let turn = 0
      one.refuse = () => (turn++ % 3 === 0 ? new Response("", { status: 403 }) : undefined)
      two.refuse = () => (turn++ % 4 === 0 ? new Response("", { status: 403 }) : undefined)
      for (let steps = 0; steps < 40; steps++) {
        yield* Effect.exit(indexer.step)
        const { checkpoint, contents } = store.index(config.key)
        if (checkpoint === undefined) continue
        const owner = [one, two].find(({ canonical }) => canonical[checkpoint.number]?.hash === checkpoint.hash)
        if (owner === undefined) return assert.fail("the checkpoint is of neither node")
        assert.deepStrictEqual(contents, yield* findTruth(owner, config, checkpoint.number))
      }
      one.refuse = () => undefined
      two.refuse = () => new Response("", { status: 403 })
      one.setBranch(60, grow(one.head, 2, 3))
      yield* followToHead(indexer)
      assert.deepStrictEqual(store.index(config.key).contents, yield* findTruth(one, config, 62))
    })
  )
})

describe("an index of a chain whose headers have another encoding", () => {
  const inOtherEncoding: SyntheticNode["distort"] = (call, reply) =>
    call.method === "eth_getBlockByNumber" && reply.result !== null
      ? { result: { ...Object(reply.result), difficulty: "0x7", sequencer: "0x1" } }
      : reply
  const faulty: ReadonlyArray<readonly [string, (all: ReadonlyArray<Item>) => unknown]> = [
    ["no receipts", () => []],
    ["receipts without logs", (all) => all.map((receipt) => ({ ...receipt, logs: [] }))],
    ["a receipt twice", (all) => [...all, ...all.slice(0, 1)]]
  ]

  it.effect.each(faulty)("stores no block of which the node answers %s", ([, change]) =>
    Effect.gen(function* () {
      const node = chain()
      node.distort = inOtherEncoding
      const config = { ...syntheticConfig(10), chainId: 1 }
      const store = makeMemoryEntityStore()
      const indexer = yield* startOn({ one: node }, store.service, config, 2)
      yield* indexer.step
      const distorted = receipts(change)
      node.distort = (call, reply) => distorted(call, inOtherEncoding(call, reply))
      const running = yield* Effect.forkChild(indexer.run)
      const failing = yield* until(indexer.status, ({ failures, indexed }) => failures >= 2 || indexed === 60)
      assert.match(failing.lastError?.message ?? "", /receipts that are not those of block/)
      node.distort = inOtherEncoding
      yield* until(indexer.status, ({ failures, indexed }) => failures === 0 && indexed === 60)
      assert.deepStrictEqual(store.index(config.key).trades, (yield* indexTruly(node, config, 60)).trades)
      yield* Fiber.interrupt(running)
    })
  )

  const transaction = `0x${"99".repeat(32)}`
  const plain = {
    type: "0x2",
    status: "0x1",
    cumulativeGasUsed: "0x5208",
    logsBloom: `0x${"00".repeat(256)}`,
    logs: [],
    transactionHash: transaction,
    from: `0x${"88".repeat(20)}`
  }

  const silent: ReadonlyArray<readonly [string, ReadonlyArray<Item>]> = [
    ["no transactions", []],
    ["a transaction without logs", [plain]]
  ]

  it.effect.each(silent)("reads blocks with %s whose bloom has logs of the chain itself", ([, added]) =>
    Effect.gen(function* () {
      const node = chain()
      node.distort = (call, reply) => {
        if (call.method === "eth_getBlockReceipts" && items(reply).length === 0) {
          const blockHash = node.canonical[Number(call.params[0])]?.hash
          return { result: added.map((receipt) => ({ ...receipt, blockHash })) }
        }
        const shown = inOtherEncoding(call, reply)
        const block = Object(shown.result)
        if (call.method !== "eth_getBlockByNumber" || block.transactions?.length !== 0) return shown
        const logsBloom = `0x01${"00".repeat(255)}`
        return { result: { ...block, logsBloom, transactions: added.map(() => transaction) } }
      }
      const config = { ...syntheticConfig(10), chainId: 1 }
      const store = makeMemoryEntityStore()
      const indexer = yield* startOn({ one: node }, store.service, config, 2)
      yield* followToHead(indexer)
      assert.deepStrictEqual(store.index(config.key).trades, (yield* indexTruly(node, config, 60)).trades)
    })
  )
})

describe("an index whose node answers", () => {
  for (const [name, { isHarmless, ...fault }] of Object.entries(faults)) {
    if (isHarmless !== true) continue
    it.effect(`${name}: reads the logs from receipts`, () =>
      Effect.gen(function* () {
        const node = chain()
        Object.assign(node, fault)
        const config = { ...syntheticConfig(10), chainId: 1 }
        const store = makeMemoryEntityStore()
        const indexer = yield* startOn({ one: node }, store.service, config, 20)
        const running = yield* Effect.forkChild(indexer.run)
        yield* until(
          indexer.status,
          ({ indexed, lastError, proven }) => indexed === 60 && proven === 60 && lastError === undefined
        )
        Object.assign(node, { distort: new SyntheticNode().distort })
        assert.deepStrictEqual(store.index(config.key).contents, yield* findTruth(node, config, 60))
        yield* Fiber.interrupt(running)
      })
    )
  }

  for (const [name, { isHarmless, says, ...fault }] of Object.entries(faults)) {
    it.effect(`${name}: stores no wrong row, reports it, and continues when the node is well`, () =>
      Effect.gen(function* () {
        const node = chain()
        const verify = isHarmless === true ? ("none" as const) : ("all" as const)
        const config = { ...syntheticConfig(10), chainId: 1, verify }
        const store = makeMemoryEntityStore()
        const indexer = yield* startOn({ one: node }, store.service, config, 2)
        yield* indexer.step
        const { distort, distortBody, hasReceipts, refuse, runsPrograms } = node
        Object.assign(node, fault)
        const running = yield* Effect.forkChild(indexer.run)
        const failing = yield* until(indexer.status, ({ failures }) => failures >= 2)
        assert.match(failing.lastError?.message ?? "", says)
        const { checkpoint } = store.index(config.key)
        assert.deepStrictEqual(
          store.index(config.key).contents,
          yield* findTruth(node, config, checkpoint?.number ?? 0)
        )
        Object.assign(node, { distort, distortBody, hasReceipts, refuse, runsPrograms })
        const well = yield* until(indexer.status, ({ failures, indexed }) => failures === 0 && indexed === 60)
        assert.deepInclude(well, { state: "realtime", head: 60, lag: 0, lastError: undefined })
        assert.deepStrictEqual(store.index(config.key).contents, yield* findTruth(node, config, 60))
        yield* Fiber.interrupt(running)
      })
    )
  }
})
