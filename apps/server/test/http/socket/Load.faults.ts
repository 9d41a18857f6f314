import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import { Agent, request } from "node:http"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"
import { assert, describe, layer } from "@effect/vitest"
import { Console, Effect, Schedule, Schema } from "effect"
import { recordedService, recordedServiceAt } from "../../cex/RecordedService.ts"
import { measureRealTime } from "../../MeasureRealTime.ts"
import { key, keyed, RunningService } from "../../RunningService.ts"
import { cutReaders, places, slowReaders } from "./SlowReading.ts"

const program = fileURLToPath(new URL("../../internal/loadCaller.ts", import.meta.url))
const run = promisify(execFile)

const Report = Schema.fromJsonString(
  Schema.Struct({
    elapsedMs: Schema.Finite,
    answers: Schema.Array(Schema.Struct({ status: Schema.String, times: Schema.Array(Schema.Finite) }))
  })
)
const decodeReport = Schema.decodeUnknownSync(Report)

/** How long the thread of the service was runnable while another program ran. */
const waitedMs = Effect.tryPromise(() => readFile(`/proc/self/task/${process.pid}/schedstat`, "utf8")).pipe(
  Effect.map((text) => Number(text.split(" ")[1]) / 1_000_000),
  // Reported only by Linux.
  Effect.orElseSucceed(() => 0)
)

const percentile = (times: ReadonlyArray<number>, part: number) => times[Math.floor((times.length - 1) * part)] ?? 0

/** `rate` 0: each caller sends its next request after its last response. Times are in milliseconds, sorted. */
const load = (path: string, options: { readonly rate: number; readonly callers: number; readonly ms: number }) =>
  Effect.gen(function* () {
    const { origin } = yield* RunningService
    const words = [program, origin, path, key, options.rate, options.callers, options.ms].map(String)
    const waitedBefore = yield* waitedMs
    const { stdout } = yield* Effect.promise(() => run(process.execPath, words, { maxBuffer: 64 * 1024 * 1024 }))
    const { answers, elapsedMs } = decodeReport(stdout)
    const ownMs = elapsedMs - (yield* waitedMs) + waitedBefore
    const times = (status: string) => answers.find((one) => one.status === status)?.times ?? []
    const refused = [...times("503"), ...times("429")].toSorted((a, b) => a - b)
    return {
      /** Time taken by other programs is not the service's. */
      perSecond: (times("200").length * 1000) / ownMs,
      served: times("200"),
      refused,
      others: answers.filter(({ status }) => !["200", "429", "503"].includes(status)).map(({ status }) => status)
    }
  })

type Load = Effect.Success<ReturnType<typeof load>>

const shown = (what: string, { perSecond, refused, served }: Load) => {
  const figures = (times: ReadonlyArray<number>) =>
    [0.5, 0.99, 1].map((part) => percentile(times, part).toFixed(0)).join(", ")
  return (
    `${what}: ${perSecond.toFixed(0)} served a second (median, p99, most: ${figures(served)} ms), ` +
    `${refused.length} refused (${figures(refused)} ms)`
  )
}

const megabytes = () => process.memoryUsage.rss() / 1_000_000

describe("a service under more load than it can carry", () => {
  layer(recordedService, { timeout: "120 seconds", excludeTestServices: true })((it) => {
    it.effect.each(["/v2/cex/recorded/BTC-USD/trades?limit=1000"])(
      "serves %s at nine tenths of its peak, refuses the rest within 100 ms, and recovers",
      (path) =>
        Effect.gen(function* () {
          const attempt = Effect.gen(function* () {
            yield* load(path, { rate: 0, callers: 32, ms: 1000 })
            const peak = yield* load(path, { rate: 0, callers: 32, ms: 2000 })
            const before = megabytes()
            const over = yield* load(path, { rate: 4 * peak.perSecond, callers: 1000, ms: 6000 })
            const grown = megabytes() - before
            const after = yield* load(path, { rate: 0, callers: 32, ms: 2000 })
            yield* Console.log(
              [
                path,
                shown("at its peak", peak),
                shown("at four times as much", over),
                shown("afterwards", after),
                `memory: ${grown.toFixed(0)} MB more`
              ].join("\n")
            )
            for (const { others } of [peak, over, after]) assert.deepStrictEqual(others, [])
            assert.isBelow(grown, 600)
            const found = {
              // A fraction of the machine's capacity just before and just after: its speed varies within seconds.
              share: (2 * over.perSecond) / (peak.perSecond + after.perSecond),
              refusedMs: percentile(over.refused, 0.99),
              recovered: after.perSecond / peak.perSecond,
              refusedAfterwards: after.refused.length
            }
            // If the peak was measured in a bad moment, this was no overload.
            const isOver = over.refused.length > over.served.length
            return { ...found, isOver }
          })
          yield* measureRealTime(
            attempt,
            ({ isOver, recovered, refusedAfterwards, refusedMs, share }) =>
              isOver && share >= 0.9 && refusedMs <= 100 && recovered >= 0.6 && refusedAfterwards === 0
          )
          assert.strictEqual((yield* keyed("/v2/cex/recorded/BTC-USD/lasttrade")).status, 200)
        }),
      300_000
    )
  })
})

const bulk = "/v2/cex/recorded/BTC-USD/trades?limit=50000"

describe.each([
  ["the long way", false],
  ["and sent again", true]
])("two hundred readers of 50,000 trades who take a kilobyte a second, %s", (_way, isStill) => {
  layer(recordedServiceAt({ isStill, minimumReadRate: { bytes: 96 * 1024, withinMs: 2000 } }), {
    timeout: "120 seconds",
    excludeTestServices: true
  })((it) => {
    it.effect(
      "do not starve others, and are disconnected",
      () =>
        Effect.gen(function* () {
          const attempt = Effect.gen(function* () {
            const before = megabytes()
            const cutBefore = yield* cutReaders
            const { refused, served } = yield* slowReaders(bulk, 200)
            const others = yield* load("/v2/cex/recorded/BTC-USD/lasttrade", { rate: 100, callers: 32, ms: 2000 })
            assert.deepStrictEqual(others.others, [])
            // The next requests of the same kind are admitted as soon as the first ones are cut off.
            const large = yield* keyed(bulk).pipe(
              Effect.repeat({ until: ({ status }) => status === 200, schedule: Schedule.spaced("500 millis") })
            )
            assert.isAbove(large.body.length, 5_000_000)
            const cut = yield* cutReaders.pipe(
              Effect.map((now) => now - cutBefore),
              Effect.repeat({
                until: (count) => count >= served,
                schedule: Schedule.spaced("100 millis"),
                times: 600
              })
            )
            yield* Console.log(
              `of 200 slow readers ${served} were served, ${refused} refused, ${cut} cut off; ` +
                `meanwhile ${shown("others", others)}; memory: ${(megabytes() - before).toFixed(0)} MB more`
            )
            assert.isAtLeast(served, places)
            assert.strictEqual(served + refused, 200)
            assert.strictEqual(cut, served)
            assert.isBelow(megabytes() - before, 600)
            return {
              othersServed: others.served.length,
              othersRefused: others.refused.length,
              othersMs: percentile(others.served, 0.99)
            }
          })
          yield* measureRealTime(
            Effect.scoped(attempt),
            ({ othersMs, othersRefused, othersServed }) => othersServed > 150 && othersRefused === 0 && othersMs < 500
          )
        }),
      300_000
    )

    it.effect(
      "are not disconnected at a hundred kilobytes a second",
      () =>
        Effect.gen(function* () {
          // A cached response was sent before.
          yield* keyed(bulk)
          const { hostname, port } = new URL((yield* RunningService).origin)
          const bytes = yield* Effect.callback<number>((resume) => {
            let read = 0
            const agent = new Agent({ keepAlive: false })
            const asked = request({ hostname, port, path: bulk, agent, headers: { "api-key": key } }, (incoming) => {
              incoming.on("data", (part: Buffer) => {
                read += part.length
                incoming.pause()
                setTimeout(() => incoming.resume(), part.length / 1000)
              })
              incoming.on("close", () => resume(Effect.succeed(read)))
            })
            asked.end()
          })
          assert.isAbove(bytes, 5_000_000)
        }),
      120_000
    )
  })
})
