import { PassThrough, Writable } from "node:stream"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Logger, Redacted } from "effect"
import * as JsonLog from "../../src/observability/JsonLog.ts"

const toLines = (stream: PassThrough): ReadonlyArray<string> =>
  String(stream.read() ?? "")
    .split("\n")
    .slice(0, -1)

describe("the log", () => {
  it.effect("is written as Effect's own lines of JSON, whatever is logged", () =>
    Effect.gen(function* () {
      const pairs: Array<readonly [own: string, expected: string]> = []
      const both = Logger.make((entry) => {
        pairs.push([JsonLog.getLine(entry), Logger.formatJson.log(entry)])
      })
      const circle: { self?: unknown } = {}
      circle.self = circle
      yield* Effect.gen(function* () {
        yield* Effect.logInfo("plain").pipe(Effect.annotateLogs({ path: 'a "b"\n', status: 200, ok: true }))
        yield* Effect.logInfo("a secret").pipe(Effect.annotateLogs({ key: Redacted.make("hidden") }))
        yield* Effect.logWarning("two", { nested: [1, 2n], circle })
        yield* Effect.logError("failed", Cause.fail(new Error("why")))
        yield* Effect.logInfo("no number").pipe(Effect.annotateLogs({ ms: Number.NaN }), Effect.withLogSpan("span"))
      }).pipe(Effect.provide(Logger.layer([both])))
      assert.strictEqual(pairs.length, 5)
      for (const [own, expected] of pairs) assert.strictEqual(own, expected)
      assert.notInclude(pairs.join(), "hidden")
    })
  )

  it.effect("escapes the control characters of terminals without a change of the decoded text", () =>
    Effect.gen(function* () {
      const said = "a\u001b[2J\u009b2J\u007f\u202eb\u2028c\u0000"
      const lines: Array<string> = []
      yield* Effect.logInfo(said).pipe(
        Effect.provide(Logger.layer([Logger.make((entry) => void lines.push(JsonLog.getLine(entry)))]))
      )
      const [line = ""] = lines
      assert.notMatch(line, /[\p{Cc}\p{Bidi_Control}\p{Zl}]/u)
      assert.strictEqual(JSON.parse(line).message, said)
    })
  )

  it.effect("is whole and in order when the program ends", () =>
    Effect.gen(function* () {
      const stream = new PassThrough()
      yield* Effect.forEach([1, 2, 3], (n) => Effect.logInfo(`entry ${n}`)).pipe(
        Effect.provide(JsonLog.layerTo(stream))
      )
      const messages = toLines(stream).map((line) => JSON.parse(line).message)
      assert.deepStrictEqual(messages, ["entry 1", "entry 2", "entry 3"])
    })
  )

  it.effect("survives the end of its reader, and what others write to the same stream", () =>
    Effect.gen(function* () {
      const broken = new Error("write EPIPE")
      const stream = new Writable({ write: (_, __, done) => done(broken) })
      yield* Effect.logInfo("entry").pipe(Effect.provide([JsonLog.layerTo(stream), JsonLog.layerTo(stream)]))
      // Without a listener this throws, which ends the service.
      assert.isTrue(stream.emit("error", broken))
      assert.strictEqual(stream.listenerCount("error"), 1)
    })
  )
})
