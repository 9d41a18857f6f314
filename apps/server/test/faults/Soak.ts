import { assert } from "@effect/vitest"
import { Clock, Console, Effect } from "effect"
import { judge, openSamples } from "./proof/Samples.ts"
import { World } from "./world/World.ts"

export const soakMinutes = Number(process.env["CHAINTAPE_SOAK_MINUTES"] ?? 0.5)
const everySeconds = 5
/** Shorter runs show caches that fill, and say nothing about growth. */
const judgedMinutes = 10

const tolerance = { heapMb: 5, externalMb: 5, descriptors: 5, lagMs: 250, lagBlocks: 1 }

/** Load without faults: all must equal journal and chain, and in a long soak nothing may grow. */
export const soak = Effect.gen(function* () {
  const { differences, instances, load } = yield* World
  const { all: samples, take } = yield* openSamples("soak")
  yield* load.take
  const begun = yield* Clock.currentTimeMillis
  while ((yield* Clock.currentTimeMillis) - begun < soakMinutes * 60_000) {
    yield* Effect.sleep(everySeconds * 1000)
    for (const instance of instances) yield* take(instance)
  }
  const { failures, requests, slowestMs, unanswered } = yield* load.take
  const found = yield* differences([0])
  yield* Console.log(
    `soak: ${instances.length} instances, ${soakMinutes} min, ${samples.length} samples, ${requests} requests, ` +
      `${failures.length} failures, ${unanswered} unanswered, slowest ${slowestMs} ms, ${found.length} differences`
  )
  for (const { name } of instances) {
    const trends = judge(
      samples.filter(({ instance }) => instance === name),
      tolerance
    )
    yield* Console.log(
      `  ${name}: ${trends
        .map(({ column, early, late, slope }) => `${column} ${early} -> ${late} (${slope.toFixed(1)} an hour)`)
        .join(", ")}`
    )
    if (soakMinutes >= judgedMinutes) {
      assert.deepStrictEqual(
        trends.filter(({ grows }) => grows),
        [],
        name
      )
    }
  }
  assert.deepStrictEqual(found, [])
  // An instance that is behind reads from the exchange, which limits the requests of all of them together.
  assert.deepStrictEqual(
    failures.filter(({ body }) => !body.includes("/problems/upstream-busy")),
    []
  )
  assert.strictEqual(unanswered, 0)
  assert.isAbove(samples.length, 0)
})
