import { request } from "node:http"
import type { ClientRequest, IncomingMessage } from "node:http"
import { connect } from "node:net"
import { Worker } from "node:worker_threads"
import { brotliDecompressSync, gunzipSync } from "node:zlib"
import { assert, describe, it, layer } from "@effect/vitest"
import { Console, Effect, Schema } from "effect"
import { BulkResponses } from "../../../src/cex/api/BulkResponses.ts"
import { tradesJson } from "../../../src/cex/CexJson.ts"
import { record } from "../../HttpCall.ts"
import { measureRealTime } from "../../MeasureRealTime.ts"
import { key, keyed, RunningService } from "../../RunningService.ts"
import { recordedServiceAt, recordedTrades } from "../RecordedService.ts"

const path = "/v2/cex/recorded/BTC-USD/trades"
const bulk = `${path}?limit=50000`

const expected = Buffer.from(tradesJson("recorded", "BTC/USD", recordedTrades.slice(-50_000)))

const Answers = Schema.Array(
  Schema.Struct({ status: Schema.Int, bytes: Schema.Int, rows: Schema.Int, digest: Schema.String, ms: Schema.Number })
)
const decodeAnswers = Schema.decodeUnknownSync(Answers)
const decodeTimes = Schema.decodeUnknownSync(Schema.Array(Schema.Number))

interface Reader {
  readonly start: () => void
  readonly result: Promise<unknown>
}

const reader = (options: { readonly path: string; readonly count: number; readonly pings: boolean }) =>
  Effect.gen(function* () {
    const { origin } = yield* RunningService
    const worker = yield* Effect.acquireRelease(
      Effect.sync(
        () =>
          new Worker(new URL("../../internal/bulkReader.ts", import.meta.url), {
            workerData: { origin, headers: { "api-key": key }, ...options }
          })
      ),
      (started) => Effect.promise(() => started.terminate())
    )
    const next = () =>
      new Promise<unknown>((resolve, reject) => {
        worker.once("message", resolve).once("error", reject)
      })
    yield* Effect.promise(next)
    const made: Reader = { start: () => worker.postMessage("go", []), result: next() }
    return made
  })

const percentile = (times: ReadonlyArray<number>, part: number) =>
  times.toSorted((left, right) => left - right)[Math.floor((times.length - 1) * part)] ?? 0

const threadMs = () => {
  const { system, user } = process.threadCpuUsage()
  return (system + user) / 1000
}

/**
 * How long this thread, which is the service's, works before it handles its timers again: the maximum delay of a
 * request. In the thread's own CPU milliseconds, so that other load on the machine does not count.
 */
const stretches = Effect.acquireRelease(
  Effect.sync(() => {
    const found: Array<number> = []
    let last = threadMs()
    const timer = setInterval(() => {
      const now = threadMs()
      found.push(now - last)
      last = now
    }, 1)
    return { found, timer }
  }),
  ({ timer }) => Effect.sync(() => clearInterval(timer))
)

/** Ten of the largest requests at once, and the time of a small one meanwhile. */
const underLoad = Effect.gen(function* () {
  const load = yield* reader({ path: bulk, count: 10, pings: false })
  const pings = yield* reader({ path: "/ping", count: 1, pings: true })
  const { found } = yield* stretches
  load.start()
  const answers = decodeAnswers(yield* Effect.promise(() => load.result))
  pings.start()
  const times = decodeTimes(yield* Effect.promise(() => pings.result))
  return { answers, times, works: [...found] }
}).pipe(Effect.scoped)

interface Opened {
  readonly outgoing: ClientRequest
  readonly incoming: IncomingMessage
}

/** A request whose response is not read yet. */
const opened = (headers: Record<string, string> = {}, method = "GET", wanted = bulk) =>
  Effect.gen(function* () {
    const { hostname, port } = new URL((yield* RunningService).origin)
    return yield* Effect.callback<Opened>((resume) => {
      const outgoing = request(
        { hostname, port, path: wanted, method, agent: false, headers: { "api-key": key, ...headers } },
        (incoming) => resume(Effect.succeed({ outgoing, incoming: incoming.pause() }))
      )
      outgoing.on("error", () => {})
      outgoing.end()
    })
  })

const toBody = ({ incoming }: Opened) =>
  Effect.callback<Buffer>((resume) => {
    const parts: Array<Buffer> = []
    incoming.on("data", (part: Buffer) => parts.push(part))
    incoming.on("end", () => resume(Effect.succeed(Buffer.concat(parts))))
    incoming.resume()
  })

/** A reader of a large answer that reads its status and nothing else. */
interface HeldReader {
  readonly status: number
  readonly close: () => void
}

/**
 * Reads the first bytes of an answer, and leaves the rest. A client of node:http reads until it is paused, and the more
 * it has read the more the system buffers for it: occasionally the whole answer, which then holds no slot any more.
 */
const held = Effect.gen(function* () {
  const { hostname, port } = new URL((yield* RunningService).origin)
  return yield* Effect.callback<HeldReader>((resume) => {
    const first = Buffer.alloc("HTTP/1.1 200".length)
    const socket = connect({
      host: hostname,
      port: Number(port),
      onread: {
        buffer: first,
        callback: () => {
          resume(Effect.succeed({ status: Number(first.toString("latin1", 9)), close: () => socket.destroy() }))
          return false
        }
      }
    })
    socket.on("error", () => {})
    socket.write(`GET ${bulk} HTTP/1.1\r\nhost: x\r\napi-key: ${key}\r\n\r\n`)
  })
})

/** A reader with a slot, once one is free. */
const placed = Effect.gen(function* () {
  for (;;) {
    const one = yield* held
    if (one.status === 200) return one
    assert.strictEqual(one.status, 503)
    one.close()
    yield* Effect.sleep("20 millis")
  }
})

describe("slots for large responses", () => {
  it.effect("are sixteen for both ways to respond, and small responses take none", () =>
    Effect.gen(function* () {
      const { enter, enterAtOnce, taken } = yield* BulkResponses
      for (let one = 0; one < 100; one++) assert.isDefined(enterAtOnce(5000))
      assert.strictEqual(yield* taken, 0)
      const leaves = Array.from({ length: 15 }, () => enterAtOnce(5001))
      yield* Effect.scoped(
        Effect.gen(function* () {
          yield* enter(5001)
          assert.strictEqual(yield* taken, 16)
          assert.isUndefined(enterAtOnce(5001))
          assert.strictEqual((yield* Effect.flip(Effect.scoped(enter(5001))))._tag, "Overloaded")
          yield* Effect.scoped(enter(5000))
        })
      )
      assert.strictEqual(yield* taken, 15)
      for (const leave of leaves) leave?.()
      assert.strictEqual(yield* taken, 0)
    }).pipe(Effect.provide(BulkResponses.layer))
  )
})

describe.each([
  ["the long way", false],
  ["and sent again", true]
])("answers of 50,000 trades, %s", { timeout: 60_000 }, (_way, isStill) => {
  // A busy machine may take long between two checks of slow readers, which are tested elsewhere.
  layer(recordedServiceAt({ isStill, minimumReadRate: { bytes: 1, withinMs: 300_000 } }), {
    timeout: "120 seconds",
    excludeTestServices: true
  })((it) => {
    it.effect("equal the tape, in order, with headers that prove it", () =>
      Effect.gen(function* () {
        const reply = yield* keyed(bulk)
        assert.isTrue(Buffer.from(reply.body).equals(expected))
        assert.strictEqual(reply.headers["content-length"], String(expected.length))
        assert.strictEqual(reply.headers["chaintape-source"], "record")
        const [first, last] = [recordedTrades.at(-50_000), recordedTrades.at(-1)]
        assert.strictEqual(
          reply.headers["chaintape-coverage"],
          `complete=?1, from=${first?.timestamp}, to=${last?.timestamp}`
        )
      })
    )

    it.effect(
      "ten at once are whole and equal, and no other request waits 50 ms for the thread that serves them",
      () =>
        Effect.gen(function* () {
          const measure = Effect.gen(function* () {
            const { answers, times, works } = yield* underLoad
            for (const answer of answers) {
              assert.deepStrictEqual([answer.status, answer.rows, answer.bytes], [200, 50_000, expected.length])
              assert.strictEqual(answer.digest, answers[0]?.digest)
            }
            const shown = (all: ReadonlyArray<number>) =>
              [0.5, 0.99, 1].map((part) => percentile(all, part).toFixed(1)).join(", ")
            const slowest = Math.max(...answers.map(({ ms }) => ms)).toFixed(0)
            const whole = works.reduce((sum, ms) => sum + ms, 0).toFixed(0)
            yield* Console.log(
              `ten answers of 50,000 (median, p99, most in ms): ${times.length} pings took ${shown(times)}; ` +
                `the thread worked for ${shown(works)} at a time, ${whole} in all; the slowest answer took ${slowest}`
            )
            return percentile(works, 0.99)
          })
          yield* measureRealTime(measure, (max) => max < 50)
        }),
      120_000
    )

    it.effect("decode to the same bytes, compressed or not", () =>
      Effect.gen(function* () {
        const plain = yield* opened()
        const gzip = yield* opened({ "accept-encoding": "gzip" })
        const brotli = yield* opened({ "accept-encoding": "gzip, deflate, br" })
        assert.deepStrictEqual(
          [plain, gzip, brotli].map(({ incoming }) => incoming.headers["content-encoding"]),
          [undefined, "gzip", "br"]
        )
        const [plainBody, gzipBody, brotliBody] = yield* Effect.all([plain, gzip, brotli].map(toBody), {
          concurrency: "unbounded"
        })
        if (plainBody === undefined || gzipBody === undefined || brotliBody === undefined) return assert.fail()
        assert.isTrue(plainBody.equals(expected))
        assert.isTrue(gunzipSync(gzipBody).equals(expected))
        assert.isTrue(brotliDecompressSync(brotliBody).equals(expected))
        assert.isBelow(gzipBody.length, expected.length / 3)
        assert.isBelow(brotliBody.length, expected.length / 3)
        const etag = String(plain.incoming.headers.etag)
        assert.match(etag, /^"/)
        assert.strictEqual(gzip.incoming.headers.etag, `W/${etag}`)
        assert.strictEqual(gzip.incoming.headers["content-length"], undefined)
        for (const { incoming } of [plain, gzip, brotli]) assert.include(incoming.headers.vary, "accept-encoding")
      })
    )

    it.effect("are not sent again to a caller with the ETag, and HEAD returns only their headers", () =>
      Effect.gen(function* () {
        const { headers } = yield* keyed({ method: "HEAD", path: bulk })
        assert.strictEqual(headers["content-length"], String(expected.length))
        const etag = String(headers.etag)
        for (const tag of [etag, `W/${etag}`]) {
          const known = yield* keyed({ path: bulk, headers: { "if-none-match": tag, "accept-encoding": "gzip" } })
          assert.deepStrictEqual([known.status, known.body], [304, ""])
          assert.strictEqual(known.headers["content-encoding"], undefined)
        }
        const other = yield* keyed({ path: `${path}?limit=49999`, headers: { "if-none-match": etag } })
        assert.strictEqual(other.status, 200)
        const head = yield* keyed({ method: "HEAD", path: bulk, headers: { "accept-encoding": "gzip" } })
        assert.deepStrictEqual([head.status, head.body, head.headers["content-encoding"]], [200, "", "gzip"])
      })
    )

    it.effect("are immutable if their window is closed, as their headers state", () =>
      Effect.gen(function* () {
        const since = recordedTrades[1000]?.timestamp
        const closedWindow = yield* keyed(`${path}?since=${since}&limit=20000`)
        assert.strictEqual(closedWindow.headers["cache-control"], "private, max-age=31536000, immutable")
        assert.match(String(closedWindow.headers["chaintape-coverage"]), new RegExp(`^complete=\\?1, from=${since}, `))
        const endsNow = yield* keyed(`${path}?since=${recordedTrades[30_000]?.timestamp}&limit=50000`)
        for (const { headers } of [endsNow, yield* keyed(bulk)]) {
          assert.strictEqual(headers["cache-control"], "private, no-cache")
        }
      })
    )

    it.effect("wait for a slow reader, which delays no other", () =>
      Effect.gen(function* () {
        const slow = yield* opened()
        while (slow.incoming.readableLength === 0) yield* Effect.sleep("5 millis")
        const meanwhile = yield* keyed(bulk)
        assert.isTrue(Buffer.from(meanwhile.body).equals(expected))
        // The buffers of the service and the system for the reader are smaller than the answer: the rest waits.
        assert.isBelow(slow.incoming.readableLength, expected.length / 2)
        assert.isTrue((yield* toBody(slow)).equals(expected))
      })
    )

    it.effect("are at most sixteen at once, and a reader that disconnects frees its slot", () =>
      Effect.gen(function* () {
        const readers = yield* Effect.all(
          Array.from({ length: 16 }, () => held),
          { concurrency: "unbounded" }
        )
        for (const { status } of readers) assert.strictEqual(status, 200)
        const refused = yield* keyed(bulk)
        assert.strictEqual(refused.status, 503)
        assert.deepStrictEqual([record(refused)["code"], refused.headers["retry-after"]], ["overloaded", "1"])
        // Small answers need no slot.
        assert.strictEqual((yield* keyed(`${path}?limit=5000`)).status, 200)
        assert.strictEqual((yield* keyed("/v2/cex/recorded/BTC-USD/lasttrade")).status, 200)
        const [gone, ...others] = readers
        if (gone === undefined) return assert.fail()
        gone.close()
        const next = yield* placed
        assert.strictEqual((yield* keyed(bulk)).status, 503)
        for (const one of [next, ...others]) one.close()
        const last = yield* placed
        last.close()
      })
    )
  })
})
