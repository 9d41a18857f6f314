import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Console, Effect, Random } from "effect"
import { toConfig } from "../../../src/program/OfflineWorld.ts"
import * as Database from "../../../src/store/Database.ts"
import { waitFor } from "../../cex/tape/record/RecordingService.ts"
import { call } from "../../HttpCall.ts"
import { startLoad } from "../proof/Load.ts"
import { judge, openSamples } from "../proof/Samples.ts"
import type { Sample } from "../proof/Samples.ts"
import { differencesOfStore } from "../proof/StoreProof.ts"
import { startSubscribers } from "../proof/Subscribers.ts"
import { median } from "../proof/Trend.ts"
import { menu } from "../world/FaultMenu.ts"
import { freePort } from "../world/FreePort.ts"
import type { Outside } from "../world/Outside.ts"
import { startOutside } from "../world/Outside.ts"
import { Workshop } from "../world/Workshop.ts"
import { instanceKey, startInstance } from "../world/World.ts"
import { startBadReaders } from "./BadReaders.ts"

const minutes = Number(process.env["CHAINTAPE_STORM_MINUTES"] ?? 0.4)
const everySeconds = 5
/** Shorter runs show caches that fill, and say nothing about growth. */
const judgedMinutes = 15
const tolerance = { heapMb: 10, externalMb: 10, rssMb: 25, descriptors: 15, sockets: 15, delayMs: 20 }
const badReaders = 8
/** The newest trade is younger when a recording has caught up, and the index fewer blocks behind. */
const caughtUpMs = 5000
const caughtUpBlocks = 5

const slower = [
  { kind: "latency", endpoint: "trades", milliseconds: 300, tailMilliseconds: 3000, rate: 0.2 },
  { kind: "hang", phase: "before-headers", endpoint: "trades", rate: 0.02 },
  { kind: "hang", phase: "after-headers", endpoint: "trades", rate: 0.02 }
] as const

/** The demo and all who misbehave come through a proxy: each has an address and its limits. */
const toStormConfig = (outside: Outside) => {
  const config = toConfig(outside)
  const generous = { burst: 30_000, perSecond: 3000 }
  return {
    ...config,
    blockchains: (config.blockchains ?? []).map((chain) => ({ ...chain, ephemeral: false })),
    limits: { plans: { default: generous }, address: { burst: 900, perSecond: 300 } },
    proxies: ["127.0.0.1/32"]
  }
}

/** Other faults every few seconds, and a reorg now and then. Ends without faults. */
const suffer = (outside: Outside) =>
  Effect.gen(function* () {
    const faults: typeof menu = [...menu, ...slower]
    const chosen = []
    for (const fault of faults) if ((yield* Random.next) < 0.4) chosen.push(fault)
    yield* outside.suffer(chosen)
    if ((yield* Random.next) < 0.2) yield* outside.reorg(yield* Random.nextIntBetween(1, 20))
    yield* Effect.sleep(yield* Random.nextIntBetween(3000, 12_000))
  }).pipe(Effect.forever, Effect.ensuring(outside.suffer([])))

const figures = [
  "rssMb",
  "heapMb",
  "externalMb",
  "descriptors",
  "sockets",
  "delayMs",
  "lagMs",
  "lagBlocks",
  "gaps"
] as const

/** Medians for each sixth of the time. */
const toTable = (samples: ReadonlyArray<Sample>) => {
  const lines = Array.from({ length: 6 }, (_, part) => {
    const [from, to] = [part * minutes * 10, (part + 1) * minutes * 10]
    const of = samples.filter(({ seconds }) => seconds >= from && seconds < to)
    const values = figures.map((figure) => `${figure} ${median(of.map((sample) => sample[figure])).toFixed(1)}`)
    return `  ${(from / 60).toFixed(1)} to ${(to / 60).toFixed(1)} min (${of.length}): ${values.join(", ")}`
  })
  return lines.join("\n")
}

const isReady = (port: number) =>
  call(`http://127.0.0.1:${port}`, { path: "/health/ready", patienceMs: 3000 }).pipe(
    Effect.map(({ status }) => (status === 200 ? true : undefined)),
    Effect.catch(() => Effect.succeed(undefined))
  )

const storm = Effect.gen(function* () {
  const workshop = yield* Workshop
  const { directory } = workshop
  const outside = yield* startOutside
  writeFileSync(join(directory, "chaintape.config.json"), JSON.stringify(toStormConfig(outside)))
  const port = yield* freePort
  const origin = `http://127.0.0.1:${port}`
  const instance = yield* startInstance("storm", port, { CHAINTAPE_DATA_DIR: join(directory, "data") })
  const ready = waitFor("the instance", isReady(port), 90_000)
  yield* ready
  const product = outside.products[0] ?? ""
  const { all: samples, take } = yield* openSamples("storm")
  const begun = yield* Clock.currentTimeMillis
  const { asked, bad, streamed } = yield* Effect.gen(function* () {
    const load = yield* startLoad(origin, instanceKey, outside.products, { callers: 2, pauseMs: 200 })
    const streamed = yield* startSubscribers(origin, instanceKey, product, 3)
    const bad = yield* startBadReaders({ origin, key: instanceKey, product }, badReaders)
    yield* Effect.forkScoped(suffer(outside))
    while ((yield* Clock.currentTimeMillis) - begun < minutes * 60_000) {
      yield* Effect.sleep(everySeconds * 1000)
      yield* take(instance)
    }
    return { asked: yield* load.take, bad, streamed }
  }).pipe(Effect.scoped)

  yield* ready
  const sampled = samples.length
  const target = yield* Effect.forEach(outside.products, (one) =>
    Effect.map(outside.newest(one), (trade) => [one, trade] as const)
  )
  // The recordings backfill what they missed, and the index catches up.
  yield* Effect.sleep(caughtUpMs)
  const look = Effect.map(Effect.andThen(Effect.sleep("1 second"), take(instance)), () => {
    const { gaps = 1, lagBlocks = 0, lagMs = 0 } = samples.at(-1) ?? {}
    return (gaps === 0 && lagMs < caughtUpMs && lagBlocks <= caughtUpBlocks) || undefined
  })
  yield* waitFor("the recordings and the index", Effect.provideService(look, Workshop, workshop), 90_000)
  yield* instance.again.close
  yield* instance.signal("SIGTERM")
  const ended = yield* instance.child()?.ended ?? Effect.succeed(-1)
  const { block, found } = yield* differencesOfStore(outside, target).pipe(
    Effect.provide(Database.connection({ url: undefined, dataDir: join(directory, "data", "database") })),
    Effect.scoped
  )
  const failed = asked.failures.filter(({ status }) => status === 500)
  yield* Console.log(
    `storm: ${minutes} min, ${samples.length} samples; the demo: ${asked.requests} requests ` +
      `(${JSON.stringify(asked.statuses)}), ${asked.unanswered} unanswered, slowest ${asked.slowestMs} ms, ` +
      `${streamed.trades} trades streamed, ${streamed.gaps} gaps sent; ${badReaders} bad readers: ` +
      `${bad.figures.requests} requests (${JSON.stringify(bad.figures.statuses)}); ` +
      `store compared up to block ${block}: ${found.length} differences\n${toTable(samples)}`
  )
  assert.deepStrictEqual(found, [])
  assert.deepStrictEqual(streamed.wrong, [])
  assert.deepStrictEqual(bad.figures.wrong, [])
  assert.deepStrictEqual(failed, [])
  assert.strictEqual(asked.unanswered, 0)
  assert.strictEqual(instance.starts(), 1)
  assert.include([0, 130], ended)
  const trends = judge(samples.slice(0, sampled), tolerance)
  if (minutes >= judgedMinutes)
    assert.deepStrictEqual(
      trends.filter(({ grows }) => grows),
      []
    )
})

describe("an instance with the embedded store", () => {
  it.live(
    `serves the demo, records everything and stays flat for ${minutes} min of faults and bad readers`,
    () => storm.pipe(Effect.scoped, Effect.provide([Workshop.layer, NodeServices.layer])),
    minutes * 60_000 + 240_000
  )
})
