import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { toAccountingRules } from "../../../../src/dex/index/accounting/AccountingRules.ts"
import { restoreState } from "../../../../src/dex/index/accounting/AccountingState.ts"
import { makeChainReader } from "../../../../src/dex/index/chain/ChainReader.ts"
import { selectors } from "../../../../src/dex/index/decode/ContractCall.ts"
import type { IndexConfig } from "../../../../src/dex/index/IndexConfig.ts"
import { newSession } from "../../../../src/dex/index/run/IndexSession.ts"
import { gatherBlocks } from "../../../../src/dex/index/run/range/BlockGathering.ts"
import { applyBlocks } from "../../../../src/dex/index/run/RangeApplication.ts"
import { EntityStore } from "../../../../src/dex/index/store/EntityStore.ts"
import { withLease } from "../../../ownership/TestLease.ts"
import { makeMemoryEntityStore } from "../store/MemoryEntityStore.ts"
import { broken, factory } from "../synthetic/SyntheticChain.ts"
import { followToHead, grow, startOn, syntheticConfig } from "../synthetic/SyntheticIndex.ts"
import { makeClient, SyntheticNode } from "../synthetic/SyntheticNode.ts"

const node = new SyntheticNode()
node.setBranch(0, grow(node.head, 300, 11))

const indexWith = Effect.fnUntraced(function* (more: Partial<IndexConfig> = {}) {
  const store = makeMemoryEntityStore()
  const config = { ...syntheticConfig(10), ...more }
  yield* followToHead(yield* startOn({ one: node }, store.service, config, 500))
  return store.index(config.key)
})

describe("the configuration of an index", () => {
  it.effect("leaves skipped pools out", () =>
    Effect.gen(function* () {
      const whole = yield* indexWith()
      const [skipped] = whole.state.pools.slice(-1)
      const index = yield* indexWith({ skipPools: [skipped?.id.toUpperCase().replace("0X", "0x") ?? ""] })
      assert.deepStrictEqual(
        index.state.pools.map(({ id }) => id),
        whole.state.pools.slice(0, -1).map(({ id }) => id)
      )
      assert.strictEqual(index.state.deployment?.poolCount, String(whole.state.pools.length - 1))
    })
  )

  it.effect("asks for no token of a skipped pool", () =>
    Effect.gen(function* () {
      const asked: Array<unknown> = []
      const chain = new SyntheticNode()
      chain.setBranch(0, node.canonical.slice(1))
      chain.distort = (call, reply) => {
        const { data, to } = Object(call.params[0])
        if (data === selectors.symbol) asked.push(to)
        return reply
      }
      const store = makeMemoryEntityStore()
      const config = { ...syntheticConfig(10), onlyPool: factory }
      yield* followToHead(yield* startOn({ one: chain }, store.service, config, 500))
      assert.deepStrictEqual(asked, [])
      assert.deepStrictEqual(store.index(config.key).state.pools, [])
    })
  )

  it.effect("is proven without a rewind, whichever pool is skipped", () =>
    Effect.gen(function* () {
      const whole = yield* indexWith()
      for (const { id } of whole.state.pools) {
        const store = makeMemoryEntityStore()
        let rewindCount = 0
        const counting = EntityStore.of({
          ...store.service,
          rewind: (...rows) => Effect.suspend(() => (rewindCount++, store.service.rewind(...rows)))
        })
        const config = { ...syntheticConfig(10), skipPools: [id] }
        const indexer = yield* startOn({ one: node }, counting, config, 25)
        yield* followToHead(indexer)
        while (yield* indexer.prove);
        assert.strictEqual(yield* indexer.step, "atHead", id)
        assert.strictEqual(rewindCount, 0, id)
      }
    }).pipe(withLease)
  )

  it.effect("does not count skipped swaps, always or in one block", () =>
    Effect.gen(function* () {
      const swaps = (index: { trades: (typeof whole)["trades"] }, pool: string) =>
        index.trades.flatMap(({ block, trade }) => (trade.kind === "swap" && trade.row.pool === pool ? [block] : []))
      const whole = yield* indexWith()
      const pool = whole.state.pools.find(({ id }) => swaps(whole, id).length > 2)?.id ?? ""
      const [first, ...others] = swaps(whole, pool)
      const never = yield* indexWith({ skipSwaps: [{ pool }] })
      assert.deepStrictEqual(swaps(never, pool), [])
      assert.strictEqual(never.state.pools.find(({ id }) => id === pool)?.volumeToken0, "0")
      const once = yield* indexWith({ skipSwaps: [{ pool, ...(first === undefined ? {} : { block: first }) }] })
      assert.deepStrictEqual(
        swaps(once, pool),
        others.filter((block) => block !== first)
      )
    })
  )

  it.effect("replaces what a token's contract says", () =>
    Effect.gen(function* () {
      const whole = yield* indexWith()
      assert.isFalse(whole.state.tokens.some(({ id }) => id === broken))
      const index = yield* indexWith({ tokenOverrides: { [broken]: { name: "Mended", symbol: "MND", decimals: 9 } } })
      assert.isAbove(index.state.pools.length, whole.state.pools.length)
      assert.deepInclude(
        index.state.tokens.find(({ id }) => id === broken),
        { name: "Mended", symbol: "MND", decimals: "9" }
      )
    })
  )
})

describe("a state that was stored", () => {
  it.effect("is the state it was, with the pools that price a token in the order of their creation", () =>
    Effect.gen(function* () {
      const config = syntheticConfig(10)
      const rules = toAccountingRules(config)
      const reader = yield* makeChainReader(makeClient({ one: node }), config)
      const session = newSession(1)
      const logSource = "logs-and-receipts" as const
      const range = { from: 1, to: 300, parent: undefined, isFinalized: true, hasNext: false, logSource }
      yield* applyBlocks(rules, session, (yield* gatherBlocks({ reader, rules }, session.state, range)).blocks)
      const restored = restoreState(rules, (yield* indexWith()).state)
      const order = ({ tokens }: typeof restored) =>
        [...tokens.values()]
          .map(({ id, whitelistPools }) => ({ id, whitelistPools }))
          .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      assert.deepStrictEqual(order(restored), order(session.state))
      assert.isTrue(order(restored).some(({ whitelistPools }) => whitelistPools.length > 1))
      assert.deepStrictEqual([...restored.pools.keys()], [...session.state.pools.keys()])
    })
  )
})
