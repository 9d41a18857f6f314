import { appendFileSync, mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { Clock, Effect, Option, Schema } from "effect"
import { Status } from "../../../src/observability/Status.ts"
import { call } from "../../HttpCall.ts"
import { Workshop } from "../world/Workshop.ts"
import type { Instance } from "../world/World.ts"
import { median, slopePerHour } from "./Trend.ts"

export interface Sample {
  readonly seconds: number
  readonly instance: string
  readonly heapMb: number
  readonly externalMb: number
  readonly rssMb: number
  readonly descriptors: number
  readonly sockets: number
  /** The 99th percentile of the last ten seconds. */
  readonly delayMs: number
  /** The age of the newest recorded trade, of the market that is furthest behind. */
  readonly lagMs: number
  /** Blocks between the index and its chain. */
  readonly lagBlocks: number
  /** Gaps of all recordings. */
  readonly gaps: number
}

const columns = [
  ...(["seconds", "instance", "heapMb", "externalMb", "rssMb", "descriptors", "sockets"] as const),
  ...(["delayMs", "lagMs", "lagBlocks", "gaps"] as const)
] as const

export type Figure = Exclude<keyof Sample, "seconds" | "instance">

const Memory = Schema.fromJsonString(
  Schema.Struct({
    heapUsed: Schema.Finite,
    external: Schema.Finite,
    rss: Schema.Finite,
    delayMs: Schema.Finite
  })
)
const decodeMemory = Schema.decodeUnknownOption(Memory)
const decodeStatus = Schema.decodeUnknownOption(Schema.fromJsonString(Status))

const hundredths = (value: number) => Math.round(value * 100) / 100
const toMegabytes = (bytes: number) => hundredths(bytes / 1e6)

const textOf = (path: string) => {
  try {
    return readFileSync(path, "utf8")
  } catch {
    // Not written yet.
    return ""
  }
}

const isSocket = (path: string) => {
  try {
    return readlinkSync(path).startsWith("socket:")
  } catch {
    // Closed in between.
    return false
  }
}

const toSample = Effect.fnUntraced(function* ({ child, name, port }: Instance, begun: number) {
  const { directory } = yield* Workshop
  const memory = decodeMemory(textOf(join(directory, `${name}.memory`)))
  const reply = yield* Effect.option(call(`http://127.0.0.1:${port}`, { path: "/status", patienceMs: 10_000 }))
  const status = Option.flatMap(reply, ({ body }) => decodeStatus(body))
  if (Option.isNone(memory) || Option.isNone(status)) return []
  const now = yield* Clock.currentTimeMillis
  const { indexes, recordings } = status.value
  const { delayMs, external, heapUsed, rss } = memory.value
  const folder = `/proc/${child()?.pid ?? 0}/fd`
  const descriptors = readdirSync(folder)
  const sample: Sample = {
    seconds: Math.round((now - begun) / 1000),
    instance: name,
    heapMb: toMegabytes(heapUsed),
    externalMb: toMegabytes(external),
    rssMb: toMegabytes(rss),
    descriptors: descriptors.length,
    sockets: descriptors.filter((one) => isSocket(join(folder, one))).length,
    delayMs: hundredths(delayMs),
    lagMs: Math.max(0, ...recordings.map(({ to }) => now - (to ?? 0))),
    lagBlocks: Math.max(0, ...indexes.map(({ lag }) => lag ?? 0)),
    gaps: recordings.reduce((sum, { gapCount }) => sum + gapCount, 0)
  }
  return [sample]
})

/** Samples of instances, which are also written to `artifacts/<name>.csv`. */
export const openSamples = Effect.fnUntraced(function* (name: string) {
  const file = fileURLToPath(new URL(`../../../../../artifacts/${name}.csv`, import.meta.url))
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, `${columns.join(",")}\n`)
  const begun = yield* Clock.currentTimeMillis
  const all: Array<Sample> = []
  return {
    all: all as ReadonlyArray<Sample>,
    take: (instance: Instance) =>
      Effect.map(toSample(instance, begun), (samples) => {
        all.push(...samples)
        for (const sample of samples) appendFileSync(file, `${columns.map((column) => sample[column]).join(",")}\n`)
      })
  }
})

/** Compares the halves of the samples after the first third, in which caches fill. */
export const judge = (
  samples: ReadonlyArray<Sample>,
  /** The maximum difference of the halves, besides a tenth. */
  tolerance: { readonly [figure in Figure]?: number }
) => {
  const settled = samples.slice(Math.floor(samples.length / 3))
  const half = Math.floor(settled.length / 2)
  return columns.flatMap((column) => {
    if (column === "seconds" || column === "instance") return []
    const tolerated = tolerance[column]
    if (tolerated === undefined) return []
    const of = (part: ReadonlyArray<Sample>) => median(part.map((sample) => sample[column]))
    const [early, late] = [of(settled.slice(0, half)), of(settled.slice(half))]
    const slope = slopePerHour(settled.map((sample) => ({ seconds: sample.seconds, value: sample[column] })))
    return [{ column, early, late, slope, grows: late > early * 1.1 + tolerated }]
  })
}
