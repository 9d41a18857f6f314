import { appendFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { assert } from "@effect/vitest"
import { Clock, Console, Effect, Option, Schema } from "effect"
import { Status } from "../../src/observability/Status.ts"
import { call } from "../HttpCall.ts"
import { median, slopePerHour } from "./proof/Trend.ts"
import { Workshop } from "./world/Workshop.ts"
import type { Instance } from "./world/World.ts"
import { World } from "./world/World.ts"

export const soakMinutes = Number(process.env["CHAINTAPE_SOAK_MINUTES"] ?? 0.5)
const everySeconds = 5
/** Shorter runs show caches that fill, and say nothing about growth. */
const judgedMinutes = 10

const file = fileURLToPath(new URL("../../../../artifacts/soak.csv", import.meta.url))

interface Sample {
  readonly seconds: number
  readonly instance: string
  readonly heapMb: number
  readonly externalMb: number
  readonly rssMb: number
  readonly descriptors: number
  /** The age of the newest recorded trade, of the market that is furthest behind. */
  readonly lagMs: number
  /** Blocks between the index and its chain. */
  readonly lagBlocks: number
}

const columns = ["seconds", "instance", "heapMb", "externalMb", "rssMb", "descriptors", "lagMs", "lagBlocks"] as const

const Memory = Schema.fromJsonString(
  Schema.Struct({ heapUsed: Schema.Finite, external: Schema.Finite, rss: Schema.Finite })
)
const decodeMemory = Schema.decodeUnknownOption(Memory)
const decodeStatus = Schema.decodeUnknownOption(Schema.fromJsonString(Status))

const megabytes = (bytes: number) => Math.round(bytes / 1e4) / 100

const textOf = (path: string) => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    // Not written yet.
    return ""
  }
}

const toSample = Effect.fnUntraced(function* ({ child, name, port }: Instance, begun: number) {
  const { directory } = yield* Workshop
  const pid = child()?.pid ?? 0
  const memory = decodeMemory(textOf(join(directory, `${name}.memory`)))
  const reply = yield* Effect.option(call(`http://127.0.0.1:${port}`, { path: "/status", patienceMs: 10_000 }))
  const status = Option.flatMap(reply, ({ body }) => decodeStatus(body))
  if (Option.isNone(memory) || Option.isNone(status)) return []
  const now = yield* Clock.currentTimeMillis
  const { indexes, recordings } = status.value
  const { external, heapUsed, rss } = memory.value
  const sample: Sample = {
    seconds: Math.round((now - begun) / 1000),
    instance: name,
    heapMb: megabytes(heapUsed),
    externalMb: megabytes(external),
    rssMb: megabytes(rss),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    lagMs: Math.max(0, ...recordings.map(({ to }) => now - (to ?? 0))),
    lagBlocks: Math.max(0, ...indexes.map(({ lag }) => lag ?? 0))
  }
  appendFileSync(file, `${columns.map((column) => sample[column]).join(",")}\n`)
  return [sample]
})

const judged = ["heapMb", "externalMb", "descriptors", "lagMs", "lagBlocks"] as const
/** The maximum difference of two halves of a run, besides a tenth. */
const tolerance = { heapMb: 5, externalMb: 5, descriptors: 5, lagMs: 250, lagBlocks: 1 }

/** Compares the halves of the samples after the first third, in which caches fill. */
const judge = (samples: ReadonlyArray<Sample>, name: string) => {
  const all = samples.filter(({ instance }) => instance === name)
  const settled = all.slice(Math.floor(all.length / 3))
  const half = Math.floor(settled.length / 2)
  return judged.map((column) => {
    const of = (part: ReadonlyArray<Sample>) => median(part.map((sample) => sample[column]))
    const [early, late] = [of(settled.slice(0, half)), of(settled.slice(half))]
    const slope = slopePerHour(settled.map((sample) => ({ seconds: sample.seconds, value: sample[column] })))
    return { column, early, late, slope, grows: late > early * 1.1 + tolerance[column] }
  })
}

/** Load without faults: all must equal journal and chain, and in a long soak nothing may grow. */
export const soak = Effect.gen(function* () {
  const { differences, instances, load } = yield* World
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${columns.join(",")}\n`)
  const samples: Array<Sample> = []
  yield* load.take
  const begun = yield* Clock.currentTimeMillis
  while ((yield* Clock.currentTimeMillis) - begun < soakMinutes * 60_000) {
    yield* Effect.sleep(everySeconds * 1000)
    for (const instance of instances) samples.push(...(yield* toSample(instance, begun)))
  }
  const { failures, requests, slowestMs, unanswered } = yield* load.take
  const found = yield* differences([0])
  yield* Console.log(
    `soak: ${instances.length} instances, ${soakMinutes} min, ${samples.length} samples, ${requests} requests, ` +
      `${failures.length} failures, ${unanswered} unanswered, slowest ${slowestMs} ms, ${found.length} differences`
  )
  for (const { name } of instances) {
    const trends = judge(samples, name)
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
