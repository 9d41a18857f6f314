import { createServer } from "node:net"
import { setTimeout } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Devnet, type DevnetOptions } from "../../src/devnet/Devnet.ts"
import { devnetConfig } from "../../src/devnet/Genesis.ts"
import { eventNames, readerOf } from "./ChainReader.ts"

const manual: DevnetOptions = { mode: "manual", seed: "tests", genesisTimestamp: 1_700_000_000, prefill: 10 }

const run = <A, E>(options: DevnetOptions, body: (devnet: Devnet["Service"]) => Effect.Effect<A, E>) =>
  Devnet.use(body).pipe(Effect.provide(Devnet.layer(options)))

const steps = Effect.fnUntraced(function* (devnet: Devnet["Service"], count: number) {
  for (let left = count; left > 1; left--) yield* devnet.chain.step
  return yield* devnet.chain.step
})

const slot0 = "0x3850c7bd"

const start = 1_700_000_000

/** Polls in real time until the head has this number; each poll advances the clock by `tick` milliseconds. */
const headAt = (reader: ReturnType<typeof readerOf>, number: number, tick: number) =>
  Effect.promise(() => setTimeout(20)).pipe(
    Effect.andThen(TestClock.adjust(tick)),
    Effect.andThen(reader.block("latest")),
    Effect.repeat({ while: (block) => block.number < number })
  )

describe("Devnet", { timeout: 120_000 }, () => {
  it.effect("gives the same blocks for the same seed and others for another seed", () =>
    Effect.gen(function* () {
      const head = (options: DevnetOptions) =>
        run(options, (devnet) =>
          Effect.gen(function* () {
            yield* steps(devnet, 15)
            yield* devnet.chain.reorg(4)
            yield* devnet.chain.mine(2)
            return yield* steps(devnet, 5)
          })
        )
      const [first, second, other] = yield* Effect.all([head(manual), head(manual), head({ ...manual, seed: "other" })])
      assert.deepStrictEqual(first, second)
      assert.strictEqual(first.number, other.number)
      assert.notStrictEqual(first.hash, other.hash)
    })
  )

  it.effect("announces the addresses for an indexer, the same for every seed", () =>
    run({ ...manual, prefill: 0 }, (devnet) =>
      Effect.gen(function* () {
        const reader = readerOf(devnet.rpc)
        const { config, pools, tokens } = devnet
        assert.deepStrictEqual(config, devnetConfig)
        assert.strictEqual(config.factory, "0x5fbdb2315678afecb367f032d93f642f64180aa3")
        assert.strictEqual(config.stablePool, pools[0]?.address)
        for (const address of [
          config.factory,
          ...tokens.map((token) => token.address),
          ...pools.map((pool) => pool.address)
        ]) {
          assert.match(address, /^0x[0-9a-f]{40}$/)
          assert.notStrictEqual(yield* reader.call("eth_getCode", address, "latest"), "0x")
        }
        assert.strictEqual(yield* reader.call("eth_getCode", config.factory, "0x0"), "0x")
        assert.notStrictEqual(
          yield* reader.call("eth_getCode", config.factory, `0x${config.startBlock.toString(16)}`),
          "0x"
        )
        for (const pool of pools) {
          const [decimals] = yield* reader.words(pool.token0.address, "0x313ce567", 5)
          assert.strictEqual(Number(decimals), pool.token0.decimals)
          const [fee] = yield* reader.words(pool.address, "0xddca3f43", 5)
          assert.strictEqual(Number(fee), pool.fee)
        }
      })
    )
  )

  it.effect("shows every kind of event, fails no transaction and counts what it does", () =>
    run(manual, (devnet) =>
      Effect.gen(function* () {
        const head = yield* steps(devnet, 250)
        const stats = yield* devnet.chain.stats
        const reader = readerOf(devnet.rpc)
        const counts = yield* reader.eventCounts([devnet.config.factory, ...devnet.pools.map((pool) => pool.address)])
        for (const name of eventNames) assert.isAtLeast(counts.get(name) ?? 0, 1, name)
        assert.strictEqual(stats.failed, 0)
        assert.strictEqual(stats.blocks, head.number)
        const { burns, collects, flashes, mints, swaps } = stats
        assert.deepStrictEqual(
          [swaps, mints, burns, collects, flashes],
          ["Swap", "Mint", "Burn", "Collect", "Flash"].map((name) => counts.get(name) ?? 0)
        )
        for (const pool of devnet.pools) {
          const [sqrtPrice = 0n] = yield* reader.words(pool.address, slot0, head.number)
          const raw = (Number(sqrtPrice) / 2 ** 96) ** 2
          const price = raw * 10 ** (pool.token0.decimals - pool.token1.decimals)
          assert.approximately(Math.log(price / (pool.token0.usd / pool.token1.usd)), 0, 0.3)
        }
      })
    )
  )

  it.effect("replaces the last blocks in a reorg and continues without failures", () =>
    run(manual, (devnet) =>
      Effect.gen(function* () {
        const reader = readerOf(devnet.rpc)
        const before = yield* steps(devnet, 20)
        const hashes = yield* Effect.forEach([8, 7, 6, 1, 0], (back) => reader.block(before.number - back))
        const after = yield* devnet.chain.reorg(7)
        const changed = yield* Effect.forEach([8, 7, 6, 1, 0], (back) => reader.block(before.number - back))
        assert.strictEqual(after.number, before.number)
        assert.deepStrictEqual(
          hashes.map(({ hash }, index) => hash === changed[index]?.hash),
          [true, true, false, false, false]
        )
        assert.strictEqual((yield* reader.block("latest")).hash, after.hash)
        for (const depth of [1, 30, 12, 25]) {
          yield* devnet.chain.reorg(depth)
          yield* steps(devnet, 5)
        }
        assert.strictEqual((yield* devnet.chain.stats).failed, 0)
      })
    )
  )

  it.effect("keeps its contracts in deep reorgs of a long chain", () =>
    run({ ...manual, history: 300 }, (devnet) =>
      Effect.gen(function* () {
        const reader = readerOf(devnet.rpc)
        yield* devnet.chain.mine(1200)
        yield* steps(devnet, 70)
        for (const depth of [20, 64]) {
          yield* devnet.chain.reorg(depth)
          const head = yield* steps(devnet, 3)
          for (const pool of devnet.pools) {
            const [sqrtPrice = 0n] = yield* reader.words(pool.address, slot0, head.number)
            assert.isTrue(sqrtPrice > 0n, `${pool.address} after a reorg of ${depth} blocks`)
          }
        }
        assert.strictEqual((yield* devnet.chain.stats).failed, 0)
      })
    )
  )

  it.effect("continues without failures after its last blocks are removed", () =>
    run(manual, (devnet) =>
      Effect.gen(function* () {
        const before = yield* devnet.chain.mine(3)
        const shorter = yield* devnet.chain.removeBlocks(8)
        assert.strictEqual(shorter.number, before.number - 8)
        const later = yield* steps(devnet, 12)
        assert.strictEqual(later.number, before.number + 4)
        assert.strictEqual((yield* devnet.chain.stats).failed, 0)
      })
    )
  )

  it.effect("refuses to remove the blocks that set up the market", () =>
    run({ ...manual, prefill: 3 }, (devnet) =>
      Effect.gen(function* () {
        for (const depth of [4, 0, -1, 1.5]) {
          const error = yield* Effect.flip(devnet.chain.removeBlocks(depth))
          assert.strictEqual(error.reason, "InvalidDepth")
          assert.include(error.message, "from 1 to 3")
        }
        yield* devnet.chain.removeBlocks(3)
      })
    )
  )

  it.effect("mines automatically at the current time and stops while paused", () =>
    Effect.andThen(
      TestClock.setTime(start * 1000),
      run({ seed: 1, prefill: 5 }, (devnet) =>
        Effect.gen(function* () {
          const reader = readerOf(devnet.rpc)
          const ready = yield* reader.block("latest")
          yield* headAt(reader, ready.number + 2, 100)
          yield* devnet.pause
          const paused = yield* devnet.chain.mine(1)
          yield* TestClock.adjust("60 seconds")
          // A block that the pause did not prevent would come before this one.
          const next = yield* devnet.chain.mine(1)
          assert.strictEqual(next.number, paused.number + 1)
          yield* devnet.resume
          yield* headAt(reader, next.number + 1, 100)
          const { timestamp } = yield* reader.block(next.number + 1)
          assert.isAtLeast(timestamp, start + 60)
          // Each block is at least a second later than the previous one.
          assert.isAtMost(timestamp, Math.max(next.timestamp + 1, (yield* Clock.currentTimeMillis) / 1000))
        })
      )
    )
  )

  // The clock stands still until the chain has reached the present: no block waits for it.
  it.effect("is ready before it has caught up, and mines the missing blocks without gaps", () =>
    Effect.andThen(
      TestClock.setTime(start * 1000),
      run({ seed: 1, prefill: 0, behind: 60 }, (devnet) =>
        Effect.gen(function* () {
          yield* devnet.pause
          const reader = readerOf(devnet.rpc)
          const ready = yield* reader.block("latest")
          assert.isBelow(ready.timestamp, start - 30)
          yield* devnet.resume
          const present = ready.number + start - ready.timestamp
          assert.strictEqual((yield* headAt(reader, present, 0)).timestamp, start)
          const early = yield* reader.block(ready.number + 20)
          assert.strictEqual(early.timestamp, ready.timestamp + 20)
          yield* headAt(reader, present + 1, 100)
          const next = yield* reader.block(present + 1)
          assert.isAtMost(next.timestamp, (yield* Clock.currentTimeMillis) / 1000)
          assert.strictEqual((yield* devnet.chain.stats).failed, 0)
        })
      )
    )
  )

  it.effect("names the port when it is in use", () =>
    Effect.gen(function* () {
      const server = yield* Effect.acquireRelease(
        Effect.callback<ReturnType<typeof createServer>>((resume) => {
          const listening = createServer().listen(0, "127.0.0.1", () => resume(Effect.succeed(listening)))
        }),
        (listening) => Effect.sync(() => listening.close())
      )
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      const error = yield* Effect.flip(Effect.scoped(Layer.build(Devnet.layer({ ...manual, port }))))
      assert.strictEqual(error.reason, "PortInUse")
      assert.include(error.message, `Port ${port} of 127.0.0.1 is in use`)
    })
  )
})
