import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, SubscriptionRef } from "effect"
import { toQuantity } from "../../../../src/blocks/rpc/RpcCall.ts"
import type { IndexConfig } from "../../../../src/dex/index/IndexConfig.ts"
import { casesOf } from "../../../Cases.ts"
import { makeMemoryEntityStore } from "../store/MemoryEntityStore.ts"
import type { MemoryIndex } from "../store/MemoryEntityStore.ts"
import { makeLie } from "../synthetic/Lies.ts"
import { factory, genesis, makeDraws } from "../synthetic/SyntheticChain.ts"
import { findTruth, grow, indexTruly, startOn, syntheticConfig } from "../synthetic/SyntheticIndex.ts"
import { SyntheticNode } from "../synthetic/SyntheticNode.ts"

const seeds = casesOf("CHAINTAPE_LIES", { few: 40, many: 1000 })
const blocks = 200
const finality = 10

const toFailures = <A, E>(exit: Exit.Exit<A, E>): ReadonlyArray<string> =>
  Exit.isFailure(exit) ? [String(Cause.squash(exit.cause))] : []

/** Follows the chain and proves it, until both are done, or fail again and again. Returns the last failures. */
const settle = Effect.fnUntraced(function* (indexer: Effect.Success<ReturnType<typeof startOn>>, head: number) {
  let failures: ReadonlyArray<string> = []
  for (let turn = 0; turn < 60 || (failures.length === 0 && turn < 600); turn++) {
    failures = [...toFailures(yield* Effect.exit(indexer.step)), ...toFailures(yield* Effect.exit(indexer.prove))]
    const { indexed, proven, unproven } = yield* SubscriptionRef.get(indexer.status)
    if (failures.length > 0 || indexed !== head) continue
    if (proven === head || unproven !== undefined) return failures
  }
  return failures
})

/** What can be queried as of a block, except how fee growth is found. */
const readAsOf = (index: MemoryIndex, block: number) => {
  const { deployment, pools, tokens } = index.stateAt(block)
  const trades = index.trades.filter((trade) => trade.block <= block)
  const byId = (a: { readonly id: string }, b: { readonly id: string }) => (a.id < b.id ? -1 : 1)
  return {
    deployment,
    pools: pools.map(({ simulation: _, ...pool }) => pool),
    tokens: tokens.toSorted(byId),
    trades
  }
}

const copyOf = (node: SyntheticNode, head: number) => {
  const copy = new SyntheticNode()
  copy.setBranch(0, node.canonical.slice(1, head + 1))
  return copy
}

const oneLie = Effect.fnUntraced(function* (seed: number) {
  const draw = makeDraws(seed)
  const liar = new SyntheticNode()
  liar.setBranch(0, grow(liar.head, blocks, seed))
  const honest = copyOf(liar, blocks)
  const fork = draw(blocks - 4)
  const sibling = copyOf(liar, fork)
  sibling.setBranch(fork, grow(sibling.head, 4, seed + 1))
  let isRestarted = false
  const lie = makeLie({ node: liar, sibling, fork, seed, draw }, () => isRestarted)
  liar.runsPrograms = draw(2) === 0
  liar.hasReceipts = draw(4) !== 0
  const hasHonest = draw(2) === 0
  const config = syntheticConfig(finality, hasHonest ? 2 : 1)
  const store = makeMemoryEntityStore()
  const truth = yield* indexTruly(honest, config, blocks)
  const whole = liar.canonical
  liar.distort = lie.distort
  const size = [3, 20, 500][draw(3)] ?? 20
  const start = startOn({ one: liar, two: honest }, store.service, config, size, 1 + draw(3))
  const name = `seed ${seed}: a node that ${lie.name}${hasHonest ? ", beside an honest one" : ""}`
  if (lie.name.includes("restart")) {
    liar.canonical = honest.canonical = whole.slice(0, 121)
    yield* settle(yield* start, 120)
    liar.canonical = honest.canonical = whole
    isRestarted = true
  }
  const indexer = yield* start
  const failures = yield* settle(indexer, blocks)
  const index = store.index(config.key)
  const { proven, unproven } = yield* SubscriptionRef.get(indexer.status)
  const provenTo = index.proven?.number ?? 0
  assert.deepStrictEqual(readAsOf(index, provenTo), readAsOf(truth, provenTo), `${name}: as of ${provenTo}, proven`)
  if (failures.length > 0) {
    assert.isTrue(lie.mayEnd !== "never" && !hasHonest, `${name}: ${failures.join(" ")}`)
    assert.match(failures.join(" "), /block \d+/, name)
    return "stopped"
  }
  if (unproven !== undefined) {
    assert.isTrue(lie.mayEnd === "unproven" && !hasHonest, `${name}: ${unproven}`)
    assert.match(unproven, /^Block \d+ cannot be proven: its .+ in a known encoding\. .+ add a node/, name)
    return "unproven"
  }
  assert.strictEqual(proven, blocks, name)
  assert.deepStrictEqual(index.contents, truth.contents, name)
  return "true"
})

/** Blocks that are proven in one step. */
const provenAtOnce = 100

/** The block of another branch after the first ones of the chain that has an event of the factory. */
const findForgery = (chain: SyntheticNode): { readonly before: number; readonly forged: SyntheticNode } => {
  for (let before = provenAtOnce - 1; before > 0; before--) {
    const forged = copyOf(chain, before)
    forged.setBranch(before, grow(forged.head, 1, 99))
    if (forged.head.logs.some(({ address }) => address === factory)) return { before, forged }
  }
  return assert.fail("no block has an event of the factory")
}

/** An index whose only block of history is forged, at the head of a chain whose node lies no longer. */
const indexForgery = Effect.fnUntraced(function* (config: IndexConfig) {
  const node = new SyntheticNode()
  node.setBranch(0, grow(node.head, blocks, 1))
  const chain = node.canonical
  const { before, forged } = findForgery(node)
  node.setBranch(before, [forged.head])
  node.setBranch(before, chain.slice(before + 1))
  node.distort = (call, reply) => {
    const { fromBlock, toBlock } = Object(call.params[0])
    if (call.method !== "eth_getLogs") return Number(call.params[0]) === before + 1 ? forged.answer(call) : reply
    const isIn = Number(fromBlock) <= before + 1 && Number(toBlock) > before
    const at = toQuantity(before + 1)
    return isIn
      ? forged.answer({ ...call, params: [{ ...Object(call.params[0]), fromBlock: at, toBlock: at }] })
      : { result: [] }
  }
  const store = makeMemoryEntityStore()
  const indexer = yield* startOn({ one: node }, store.service, config, blocks)
  while ((yield* indexer.step) === "advanced");
  const index = store.index(config.key)
  assert.include(
    index.proofs.map(({ hash }) => hash),
    forged.head.hash
  )
  node.distort = (_, reply) => reply
  return { node, index, indexer }
})

/** A chain whose node states the events of a block for the empty one behind it, too, with receipts of an unknown type. */
const inventEvents = () => {
  const node = new SyntheticNode()
  node.setBranch(0, grow(node.head, blocks, 1))
  const honest = copyOf(node, blocks)
  const before = node.canonical.findIndex(
    ({ logs, number }) =>
      logs.length > 0 &&
      logs.every(({ address }) => address !== factory) &&
      node.canonical[number + 1]?.logs.length === 0
  )
  const [source, empty] = node.canonical.slice(before)
  if (source === undefined || empty === undefined) return assert.fail("no empty block is behind one with events")
  const forged = copyOf(node, before)
  forged.setBranch(before, [{ ...empty, logs: source.logs }])
  const at = toQuantity(empty.number)
  node.distort = (call, reply) => {
    const { fromBlock, toBlock } = Object(call.params[0])
    if (call.method === "eth_getLogs") {
      const isIn = Number(fromBlock) <= empty.number && Number(toBlock) >= empty.number
      if (!isIn || !Array.isArray(reply.result)) return reply
      const own = forged.answer({ ...call, params: [{ ...Object(call.params[0]), fromBlock: at, toBlock: at }] })
      const all = [...reply.result, ...(Array.isArray(own.result) ? own.result : [])]
      return { result: all.toSorted((a, b) => Number(a.blockNumber) - Number(b.blockNumber)) }
    }
    if (Number(call.params[0]) !== empty.number) return reply
    const own = forged.answer(call)
    if (call.method !== "eth_getBlockReceipts" || !Array.isArray(own.result)) return own
    return { result: own.result.map((receipt) => ({ ...receipt, type: "0x55" })) }
  }
  return { node, honest, at: empty.number }
}

/** A chain whose node leaves out the events of one block, whose receipts have an unknown type. */
const hideEvents = () => {
  const node = new SyntheticNode()
  node.setBranch(0, grow(node.head, blocks, 1))
  const { number: at } =
    node.canonical.find(({ logs, number }) => number > provenAtOnce / 2 && logs.length > 0) ??
    assert.fail("no block has events")
  node.distort = (call, reply) => {
    if (!Array.isArray(reply.result)) return reply
    if (call.method === "eth_getLogs") {
      return { result: reply.result.filter(({ blockNumber }) => Number(blockNumber) !== at) }
    }
    const isOfBlock = call.method === "eth_getBlockReceipts" && Number(call.params[0]) === at
    return isOfBlock ? { result: reply.result.map((receipt) => ({ ...receipt, type: "0x55" })) } : reply
  }
  return { node, at }
}

describe("an index of a node that lies", () => {
  it.effect("proves the blocks before one that cannot be proven", () =>
    Effect.gen(function* () {
      const { at, node } = hideEvents()
      const indexer = yield* startOn({ one: node }, makeMemoryEntityStore().service, syntheticConfig(finality), blocks)
      while ((yield* indexer.step) === "advanced");
      while (yield* indexer.prove);
      const { proven, unproven } = yield* SubscriptionRef.get(indexer.status)
      assert.strictEqual(
        unproven,
        `Block ${at} cannot be proven: its receipts do not hash to the receipts root of its header in a known encoding. ` +
          "Its logs are used unverified, and the proof ends before it. The chain has another encoding, or a node returns " +
          'false data: add a node of another operator to "rpc" of the chain.'
      )
      assert.strictEqual(proven, at - 1)
    })
  )

  it.effect("replaces a block whose bloom excludes the events that it was stored with", () =>
    Effect.gen(function* () {
      const config = syntheticConfig(finality)
      const { at, honest, node } = inventEvents()
      const store = makeMemoryEntityStore()
      const indexer = yield* startOn({ one: node }, store.service, config, blocks)
      while ((yield* indexer.step) === "advanced");
      const index = store.index(config.key)
      assert.isNotEmpty(index.trades.filter(({ block }) => block === at))
      assert.deepStrictEqual(yield* settle(indexer, blocks), [])
      assert.strictEqual(index.proven?.number, blocks)
      assert.deepStrictEqual(index.contents, yield* findTruth(honest, config, blocks))
    })
  )

  it.effect("proves the blocks before one that it replaces", () =>
    Effect.gen(function* () {
      const config = syntheticConfig(finality)
      const { index, indexer, node } = yield* indexForgery(config)
      assert.deepStrictEqual(yield* settle(indexer, blocks), [])
      assert.strictEqual(index.proven?.number, blocks)
      assert.deepStrictEqual(index.contents, yield* findTruth(node, config, blocks))
    })
  )

  it.live("replaces no block of a chain that another one replaced", () =>
    Effect.gen(function* () {
      // The block that is to be replaced is not the first one.
      const { number: startBlock = 1 } = grow(genesis, blocks, 1).find(({ logs }) => logs.length === 0) ?? {}
      const config = { ...syntheticConfig(finality), ephemeral: true, startBlock }
      const { index, indexer, node } = yield* indexForgery(config)
      assert.isFalse(yield* indexer.prove)
      node.setBranch(0, grow(genesis, blocks, 2))
      assert.deepStrictEqual(yield* settle(indexer, blocks), [])
      assert.strictEqual(index.proven?.number, blocks)
      assert.deepStrictEqual(index.contents, yield* findTruth(node, config, blocks))
    })
  )

  it.live(
    `has the truth, or stops and names the block, with ${seeds} seeds`,
    () =>
      Effect.gen(function* () {
        const outcomes = yield* Effect.forEach(
          Array.from({ length: seeds }, (_, index) => index + 1),
          oneLie
        )
        assert.include(outcomes, "true")
        assert.include(outcomes, "stopped")
      }),
    120_000 + seeds * 3000
  )
})
