import { inspect } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import * as Redacted from "effect/Redacted"
import { TestClock } from "effect/testing"
import * as Tracer from "effect/Tracer"
import * as Operations from "../../src/api/CexOperations.ts"
import { type Behaviour, json, problem, type SeenRequest, stubService, text, Unreachable } from "./StubService.ts"

const canaries = ["canary-7f3a", "canary&7f/3a ä+%"]
const places = ["header", "query", "both"] as const

/** A transport that quotes the whole URL, as some do. */
const quoting = (_: number, { url }: SeenRequest) => {
  const connecting = new Error(`connect ${url.href}`)
  return Effect.fail(new Unreachable({ cause: new Error(`fetch ${url.href} failed`, { cause: connecting }) }))
}

const behaviours: ReadonlyArray<readonly [string, Behaviour]> = [
  ["a transport that quotes the URL", quoting],
  ["no answer", () => Effect.never],
  ["a problem", () => problem(401, "invalid-api-key")],
  ["an unknown problem", () => problem(418, "teapot")],
  ["a page that quotes the URL", (_, request) => text(`<p>${request.url.href}</p>`, 404)],
  ["a problem that quotes the key", (_, request) => problem(418, request.url.searchParams.get("apiKey") ?? "none")],
  ["a body that quotes the URL", (_, request) => json([{ name: "", id: { of: request.url.href } }])],
  ["a cut off body", () => text("[{")]
]

const cases = behaviours.flatMap(([name, behaviour]) =>
  places.flatMap((apiKeyLocation) => canaries.map((key) => ({ name, behaviour, apiKeyLocation, key })))
)

/** Every encoding of the key. */
const forms = (key: string) => [
  key,
  encodeURIComponent(key),
  new URLSearchParams({ key }).toString().slice(4),
  JSON.stringify(key).slice(1, -1)
]

const toSpanTexts = (span: Tracer.NativeSpan) => [
  span.name,
  ...[...span.attributes].map(([name, value]) => `${name}=${String(value)}`),
  ...span.events.map(([name, , attributes]) => `${name} ${JSON.stringify(attributes)}`)
]

/** What an exporter records as the exception of a span. */
const exception = ({ status }: Tracer.NativeSpan) =>
  status._tag === "Ended" && Exit.isFailure(status.exit) ? Cause.pretty(status.exit.cause) : ""

describe("the key", () => {
  it.effect.each(cases)(
    "sent in $apiKeyLocation is not revealed by $name ($key)",
    ({ behaviour, key, apiKeyLocation }) =>
      Effect.gen(function* () {
        const spans: Array<Tracer.NativeSpan> = []
        const recording = Tracer.make({
          span: (options) => {
            const span = new Tracer.NativeSpan(options)
            spans.push(span)
            return span
          }
        })
        const { client, requests } = yield* stubService(behaviour, { apiKey: Redacted.make(key), apiKeyLocation })
        const call = client.call(Operations.exchanges, {}).pipe(Effect.withTracer(recording))
        const fiber = yield* Effect.forkChild(Effect.exit(call))
        yield* TestClock.adjust("10 minutes")
        const exit = yield* Fiber.join(fiber)
        assert.isTrue(Exit.isFailure(exit))
        assert.isAtLeast(requests.length, 1)
        const cause = Exit.isFailure(exit) ? exit.cause : Cause.empty
        const errors = cause.reasons.filter(Cause.isFailReason).map(({ error }) => error)
        assert.lengthOf(errors, 1)
        const texts = [
          Cause.pretty(cause),
          ...errors.flatMap((error) => [
            error.message,
            String(error),
            JSON.stringify(error),
            inspect(error, { depth: 20, showHidden: true }),
            error.stack ?? ""
          ]),
          ...spans.flatMap(toSpanTexts),
          // The span of the transport keeps the transport's own error, whose text is not ours.
          ...(behaviour === quoting ? [] : spans.map(exception))
        ]
        assert.isAtLeast(spans.length, 2)
        for (const one of texts) for (const form of forms(key)) assert.notInclude(one, form)
      })
  )

  it.effect("with white space around it is not revealed by a transport that quotes the header", () =>
    Effect.gen(function* () {
      const behaviour: Behaviour = (_, { headers }) =>
        Effect.fail(new Unreachable({ cause: new Error(`"${headers["api-key"]}" is an invalid header value.`) }))
      const { client } = yield* stubService(behaviour, {
        apiKey: Redacted.make(" canary-7f3a\n"),
        retry: { attempts: 1 }
      })
      const { message } = yield* Effect.flip(client.call(Operations.exchanges, {}))
      assert.include(message, '"<redacted>" is an invalid header value.')
    })
  )

  it.effect("is not revealed by the client or its options", () =>
    Effect.gen(function* () {
      const options = { apiKey: Redacted.make("canary-7f3a") }
      const { client } = yield* stubService(() => json([]), options)
      assert.notInclude(inspect([client, options], { depth: 20, showHidden: true }), "canary-7f3a")
    })
  )
})
