import { setTimeout as sleep } from "node:timers/promises"
import { Blocks, BlocksStream } from "@chaintape/blocks"
import {
  BlocksStream as PromisedBlocks,
  CexStream as PromisedCex,
  DexStream as PromisedDex,
  type Chaintape,
  createClient
} from "@chaintape/core/promise"
import { Devnet } from "@chaintape/sandbox"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Fiber, FileSystem, Redacted, Stream } from "effect"
import { key, RunningService } from "../RunningService.ts"
import { overDevnet } from "../SandboxService.ts"
import { ready, start } from "../StartedProgram.ts"

const ownKey = "chaintape_key-of-the-live-streams-of-a-test"
const market = "BTC/USD"

/** A `fetch` that breaks each live stream after a while, and counts the requests. */
const breaking = (afterMs: number) => {
  const asked: Array<string> = []
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { pathname } = new URL(String(input))
    asked.push(pathname)
    if (!pathname.startsWith("/live/")) return globalThis.fetch(input, init)
    const cut = new AbortController()
    const signal = AbortSignal.any([cut.signal, ...(init?.signal ? [init.signal] : [])])
    const response = await globalThis.fetch(input, { ...init, signal })
    setTimeout(() => cut.abort(), afterMs).unref()
    return response
  }
  return { asked, fetch }
}

/** The elements of an iterable within a time. */
const within = async <A>(
  milliseconds: number,
  iterable: (signal: AbortSignal) => AsyncIterable<A>,
  enough = Number.POSITIVE_INFINITY
) => {
  const signal = AbortSignal.timeout(milliseconds)
  const all: Array<A> = []
  try {
    for await (const one of iterable(signal)) if (all.push(one) >= enough) break
  } catch (error) {
    if (error !== signal.reason) throw error
  }
  return all
}

const liveOf = (asked: ReadonlyArray<string>) => asked.filter((path) => path.startsWith("/live/")).length

/** At most this long: the number within a time depends on the machine. */
const patience = 300_000

const followTrades = async (chaintape: Chaintape) => {
  const since = new Date()
  const request = { exchange: "sandbox", market, since, live: true }
  const trades = await within(patience, (signal) => PromisedCex.trades(chaintape, request, { signal }), 80)
  assert.lengthOf(trades, 80)
  // While the recorder lags, the stream begins with trades of the exchange, which the tape has up to two seconds later.
  let stored = await chaintape.cex.withResponse.trades({ exchange: "sandbox", market, since, limit: 5000 })
  while (stored.coverage?.state === "incomplete" || stored.value.trades.length < trades.length) {
    await sleep(100)
    stored = await chaintape.cex.withResponse.trades({ exchange: "sandbox", market, since, limit: 5000 })
  }
  assert.deepStrictEqual(
    trades.map(({ id }) => id),
    stored.value.trades.slice(0, trades.length).map(({ id }) => id)
  )
}

const followBlocks = async (chaintape: Chaintape) => {
  const request = { blockchain: "devnet" }
  const events = await within(patience, (signal) => PromisedBlocks.liveBlocks(chaintape, request, { signal }), 6)
  const numbers = events.flatMap((event) => (event._tag === "Block" ? [event.block.number] : []))
  assert.lengthOf(numbers, 6)
  assert.deepStrictEqual(
    numbers,
    numbers.map((_, at) => (numbers[0] ?? 0n) + BigInt(at))
  )
}

const followSwaps = async (chaintape: Chaintape) => {
  const place = { exchange: "uniswap-v3", blockchain: "devnet" }
  const [busiest] = await chaintape.dex.pools({ ...place, orderBy: "txCount", orderDirection: "desc", limit: 1 })
  const request = { ...place, pool: busiest?.id ?? "" }
  const events = await within(patience, (signal) => PromisedDex.liveSwaps(chaintape, request, { signal }), 5)
  let swaps: ReadonlyArray<{ readonly block: bigint; readonly id: string }> = []
  for (const event of events) {
    if (event._tag === "Swap") swaps = [...swaps, { block: event.block, id: event.swap.id }]
    else swaps = swaps.filter(({ block }) => block < event.from)
  }
  const ids = swaps.map(({ id }) => id)
  assert.isAbove(ids.length, 0)
  const { swaps: stored = [] } = await chaintape.dex.poolTrades({ ...request, mint: false, burn: false, limit: 1000 })
  const storedIds = stored.map(({ id }) => id).toReversed()
  const first = storedIds.indexOf(ids[0] ?? "")
  assert.deepStrictEqual(ids, storedIds.slice(first, first + ids.length))
}

describe("live streams of the service as it starts", () => {
  it.live(
    "bring each trade, block and swap once, also where they break every three quarters of a second",
    () =>
      Effect.gen(function* () {
        const files = yield* FileSystem.FileSystem
        const folder = yield* files.makeTempDirectoryScoped()
        const started = yield* start({
          CHAINTAPE_DATA_DIR: folder,
          CHAINTAPE_BOOTSTRAP_KEY: ownKey,
          HOST: "127.0.0.1"
        })
        const { origin } = yield* ready(started, 180_000)
        const { asked, fetch } = breaking(750)
        const chaintape = createClient({ baseUrl: origin, apiKey: ownKey, fetch })
        // The index may still be at its beginning.
        const isIndexed = async () => {
          try {
            return (await chaintape.dex.pools({ exchange: "uniswap-v3", blockchain: "devnet" })).length > 0
          } catch {
            // It responds that it is not ready, or times out.
            return false
          }
        }
        while (!(yield* Effect.promise(isIndexed))) yield* Effect.sleep("100 millis")
        yield* Effect.promise(() =>
          Promise.all([followTrades(chaintape), followBlocks(chaintape), followSwaps(chaintape)])
        )
        assert.isAbove(liveOf(asked), 5)
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
    900_000
  )
})

describe("blocks over a devnet", () => {
  layer(overDevnet, { excludeTestServices: true, timeout: 240_000 })((it) => {
    it.effect(
      "live report the blocks that a reorg removes, and emit those that replace them",
      () =>
        Effect.gen(function* () {
          const { origin } = yield* RunningService
          const devnet = yield* Devnet
          const seen: Array<BlocksStream.NewBlock | BlocksStream.Reorg> = []
          const follow = BlocksStream.liveBlocks({ blockchain: "devnet" }).pipe(
            Stream.runForEach((event) => Effect.sync(() => seen.push(event))),
            Effect.provide(Blocks.layer({ baseUrl: origin, apiKey: Redacted.make(key) }))
          )
          const fiber = yield* Effect.forkChild(follow)
          const until = (isThere: () => boolean) =>
            Effect.gen(function* () {
              while (!isThere()) yield* Effect.sleep("20 millis")
            }).pipe(Effect.timeout("120 seconds"))
          // It emits new blocks once it has reached the head.
          while (seen.length === 0) {
            yield* devnet.chain.mine(1)
            yield* Effect.sleep("50 millis")
          }
          const { number: last } = yield* devnet.chain.mine(5)
          const has = (number: number) =>
            seen.some((event) => event._tag === "Block" && event.block.number === BigInt(number))
          // A reorg discards only blocks that were emitted.
          yield* until(() => has(last))
          yield* devnet.chain.reorg(3)
          yield* until(() => seen.some(({ _tag }) => _tag === "Reorg"))
          const { number: head } = yield* devnet.chain.mine(2)
          yield* until(() => has(head))
          yield* Fiber.interrupt(fiber)
          const reorg = seen.findLast((event) => event._tag === "Reorg")
          const after = seen.slice(seen.findLastIndex(({ _tag }) => _tag === "Reorg") + 1)
          assert.deepStrictEqual(
            after.map((event) => (event._tag === "Block" ? event.block.number : -1n)),
            after.map((_, at) => BigInt(at) + (reorg?._tag === "Reorg" ? reorg.from : 0n))
          )
        }),
      900_000
    )

    it.effect("in pages end if a reorg removes their block, and can be restarted", () =>
      Effect.gen(function* () {
        const { origin } = yield* RunningService
        const devnet = yield* Devnet
        yield* Effect.gen(function* () {
          const request = { blockchain: "devnet", pageSize: 5 }
          const pages = BlocksStream.blockPages(request)
          const [first] = yield* Stream.runCollect(Stream.take(pages, 1))
          if (first === undefined) return assert.fail("there is no page")
          yield* devnet.chain.reorg(3)
          const rest = BlocksStream.blocks({ ...request, cursor: first.cursor })
          const error = yield* Effect.flip(Stream.runDrain(rest))
          assert.strictEqual(error._tag, "BlockReplaced")
          if (error._tag !== "BlockReplaced") return
          assert.deepStrictEqual([error.block, error.hash], [first.asOf.number, first.asOf.hash])
          const again = yield* Stream.runCollect(pages)
          assert.isAtLeast(Number(again[0]?.asOf.number), Number(first.asOf.number))
          const numbers = again.flatMap(({ items }) => items.map(({ number }) => Number(number)))
          assert.deepStrictEqual(numbers, [...numbers.keys()].toReversed())
        }).pipe(Effect.provide(Blocks.layer({ baseUrl: origin, apiKey: Redacted.make(key) })))
      })
    )
  })
})
