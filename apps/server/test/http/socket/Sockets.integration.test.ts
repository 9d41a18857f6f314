import { connect } from "node:net"
import type { Socket } from "node:net"
import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { raw, replies } from "../../HttpCall.ts"
import { key, plain, RunningService } from "../../RunningService.ts"
import { stubbedService } from "../../StubbedService.ts"
import { assertProblem, toProblem } from "../response/Problem.ts"

const host = "Host: chaintape.example\r\n"
const ping = `GET /ping HTTP/1.1\r\n${host}\r\n`
const upgrade = "Upgrade: h2c\r\nConnection: Upgrade\r\n"

/**
 * The service's responses to these bytes, which are this many requests, and whether it closes the connection. If
 * infinite, it reads until the connection closes.
 */
const sayAll = (requests: number, ...pieces: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const { origin } = yield* RunningService
    const { closed, text } = yield* raw(
      origin,
      pieces.map((piece) => Buffer.from(piece, "latin1")),
      { answers: requests, quietMs: 400 }
    )
    return { closed, text, answers: replies(text) }
  })
const say = (...pieces: ReadonlyArray<string>) => sayAll(1, ...pieces)

const garbage: ReadonlyArray<readonly [string, string]> = [
  ["words", "hello there\r\n\r\n"],
  ["TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n"],
  ["zero bytes", `${"\0".repeat(100)}\r\n\r\n`],
  ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ["an unknown version", `GET /ping HTTP/9.9\r\n${host}\r\n`],
  ["an unknown method", `BREW /ping HTTP/1.1\r\n${host}\r\n`],
  ["a header without a colon", `GET /ping HTTP/1.1\r\n${host}nonsense\r\n\r\n`],
  ["a header name with a space", `GET /ping HTTP/1.1\r\n${host}a b: c\r\n\r\n`],
  ["a zero byte in a header", `GET /ping HTTP/1.1\r\n${host}a: b\0c\r\n\r\n`],
  ["a path that is not ASCII", `GET /ping\xff\xfe HTTP/1.1\r\n${host}\r\n`],
  ["two lengths", `GET /ping HTTP/1.1\r\n${host}Content-Length: 1\r\nContent-Length: 2\r\n\r\nab`],
  [
    "a length and chunks",
    `GET /ping HTTP/1.1\r\n${host}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`
  ],
  ["a length that is no number", `GET /ping HTTP/1.1\r\n${host}Content-Length: x\r\n\r\n`],
  ["no Host", "GET /ping HTTP/1.1\r\n\r\n"],
  ["a Host that is none", "GET /ping HTTP/1.1\r\nHost: a b/c\r\n\r\n"],
  ["a Host with a path", "GET /ping HTTP/1.1\r\nHost: chaintape.example/x\r\n\r\n"],
  ["a Host with a user", "GET /ping HTTP/1.1\r\nHost: me@chaintape.example\r\n\r\n"],
  ["two hosts", `GET /ping HTTP/1.1\r\n${host}host: other.example\r\n\r\n${ping}`],
  ["two hosts and an upgrade", `GET /ping HTTP/1.1\r\n${host}host: other.example\r\n${upgrade}\r\n${ping}`],
  ["an unknown coding", `GET /ping HTTP/1.1\r\n${host}Transfer-Encoding: xchunked\r\n\r\n${ping}`],
  ["two codings", `GET /ping HTTP/1.1\r\n${host}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n${ping}`],
  ["a version that is not spoken", `GET /ping HTTP/2.0\r\n${host}\r\n`],
  ["no version", "GET /ping\r\n\r\n"]
]

describe("the socket", () => {
  layer(stubbedService(), { excludeTestServices: true })((it) => {
    it.effect.each(garbage)("%s is answered with one problem", ([, bytes]) =>
      Effect.gen(function* () {
        const { answers, text } = yield* say(bytes)
        assert.strictEqual(answers.length, 1, text)
        for (const answer of answers) assertProblem(answer, 400, "invalid-parameter")
        assert.strictEqual((yield* plain("/ping")).status, 200)
      })
    )

    it.effect.each([
      ["URL", 8100, 200, ""],
      ["URL", 8300, 414, "uri-too-long"],
      ["URL", 20_000, 414, "uri-too-long"],
      ["URL", 64_000, 414, "uri-too-long"],
      ["URL", 66_000, 414, "uri-too-long"],
      ["URL", 200_000, 414, "uri-too-long"],
      ["header", 8000, 200, ""],
      ["header", 17_000, 431, "headers-too-large"],
      ["header", 64_000, 431, "headers-too-large"],
      ["header", 66_000, 431, "headers-too-large"],
      ["header", 200_000, 431, "headers-too-large"]
    ] as const)("a %s of %s bytes is answered with %s", ([what, size, status, code]) =>
      Effect.gen(function* () {
        const long = "a".repeat(size)
        const { answers, text } = yield* say(
          what === "URL"
            ? `GET /ping?apiKey=${long} HTTP/1.1\r\n${host}\r\n`
            : `GET /ping HTTP/1.1\r\n${host}x: ${long}\r\n\r\n`
        )
        const [answer] = answers
        if (answer === undefined) return assert.fail(text.slice(0, 200))
        if (status === 200) assert.strictEqual(answer.status, 200)
        else assertProblem(answer, status, code)
      })
    )

    it.effect("a request beyond the limits of the runtime gets a problem too", () =>
      Effect.gen(function* () {
        const long = "a".repeat(400_000)
        for (const bytes of [
          `GET /${long} HTTP/1.1\r\n${host}\r\n`,
          `GET /ping HTTP/1.1\r\n${host}x: ${long}\r\n\r\n`
        ]) {
          const [answer] = (yield* say(bytes)).answers
          assert.include([414, 431], answer?.status)
          if (answer !== undefined) toProblem(answer)
        }
      })
    )

    it.effect("many small headers are too large together", () =>
      Effect.gen(function* () {
        for (const count of [600, 1900]) {
          const lines = Array.from({ length: count }, (_, index) => `x-${index}: ${"v".repeat(20)}\r\n`).join("")
          const { answers } = yield* say(`GET /ping HTTP/1.1\r\n${host}${lines}\r\n`)
          for (const answer of answers) assertProblem(answer, 431, "headers-too-large")
          assert.strictEqual(answers.length, 1)
        }
      })
    )

    it.effect("requests in one packet are answered in their order", () =>
      Effect.gen(function* () {
        const keyed = `GET /v2/cex/stub HTTP/1.1\r\n${host}api-key: ${key}\r\n\r\n`
        const slow = `GET /v2/cex/stub/BTC-USD/trades?limit=5 HTTP/1.1\r\n${host}api-key: ${key}\r\n\r\n`
        const { answers } = yield* sayAll(5, `${slow}${ping}${keyed}${ping.replace("/ping", "/nope")}${ping}`)
        assert.deepStrictEqual(
          answers.map(({ status }) => status),
          [200, 200, 200, 404, 200]
        )
        assert.include(answers[0]?.body, '"trades"')
        assert.include(answers[1]?.body, "Hello")
      })
    )

    it.effect("a request that smuggles another in its body is one request", () =>
      Effect.gen(function* () {
        const inner = `GET /nope HTTP/1.1\r\n${host}\r\n`
        const { answers } = yield* sayAll(
          2,
          `GET /ping HTTP/1.1\r\n${host}Content-Length: ${inner.length}\r\n\r\n${inner}${ping}`
        )
        assert.deepStrictEqual(
          answers.map(({ status }) => status),
          [200, 200]
        )
      })
    )

    it.effect("a request may arrive byte by byte", () =>
      Effect.gen(function* () {
        const { answers } = yield* say(...ping)
        assert.deepStrictEqual(
          answers.map(({ status }) => status),
          [200]
        )
      })
    )

    it.effect("an expectation is met or passed over", () =>
      Effect.gen(function* () {
        for (const [expectation, count] of [
          ["100-continue", 2],
          ["nonsense", 1]
        ] as const) {
          const { answers, text } = yield* sayAll(count, `GET /ping HTTP/1.1\r\n${host}Expect: ${expectation}\r\n\r\n`)
          assert.strictEqual(answers.at(-1)?.status ?? 0, 200, text)
        }
      })
    )

    it.effect("an upgrade is passed over, and the connection ends with the answer", () =>
      Effect.gen(function* () {
        for (const headers of [upgrade, upgrade.replace("h2c", "websocket")]) {
          const chunks = `${headers}Transfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n`
          for (const request of [headers, chunks]) {
            const { answers, closed } = yield* sayAll(Infinity, `GET /ping HTTP/1.1\r\n${host}${request}\r\n`)
            assert.deepStrictEqual(
              [answers.map((answer) => [answer.status, answer.headers["connection"]]), closed],
              [[[200, "close"]], true]
            )
          }
        }
      })
    )

    it.effect("CONNECT is a method like the others that are refused", () =>
      Effect.gen(function* () {
        const { answers, closed } = yield* sayAll(Infinity, `CONNECT chaintape.example:443 HTTP/1.1\r\n${host}\r\n`)
        for (const answer of answers) {
          assertProblem(answer, 405, "method-not-allowed")
          assert.strictEqual(answer.headers["allow"], "GET, HEAD, OPTIONS")
        }
        assert.deepStrictEqual([answers.length, closed], [1, true])
      })
    )

    it.effect("HTTP/1.0 without a host is answered, and the connection ends", () =>
      Effect.gen(function* () {
        const { answers, closed } = yield* sayAll(Infinity, "GET /ping HTTP/1.0\r\n\r\n")
        assert.deepStrictEqual([answers[0]?.status, closed], [200, true])
      })
    )

    it.effect("HTTP/1.0 is answered with a length, also where it accepts an encoding", () =>
      Effect.gen(function* () {
        const headers = `api-key: ${key}\r\nAccept-Encoding: gzip\r\n`
        const path = "/v2/cex/stub/BTC-USD/trades?limit=200"
        const { answers } = yield* sayAll(Infinity, `GET ${path} HTTP/1.0\r\n${headers}\r\n`)
        const [answer] = answers
        assert.strictEqual(answer?.body.length, Number(answer?.headers["content-length"]))
      })
    )

    it.effect("a target that is not a path is not found", () =>
      Effect.gen(function* () {
        const { answers } = yield* say(`GET * HTTP/1.1\r\n${host}\r\n`)
        for (const answer of answers) assertProblem(answer, 404, "not-found")
        assert.strictEqual(answers.length, 1)
      })
    )

    it.effect("callers who go away in the middle of a request do no harm", () =>
      Effect.gen(function* () {
        const { origin } = yield* RunningService
        const request = `GET /v2/cex/stub/BTC-USD/trades?limit=3000 HTTP/1.1\r\n${host}api-key: ${key}\r\n\r\n`
        yield* Effect.forEach(
          Array.from({ length: 40 }, (_, index) => request.slice(0, 10 + index * 4)),
          (part) => raw(origin, [part], { quietMs: 20 }),
          { concurrency: 10, discard: true }
        )
        yield* Effect.forEach(Array.from({ length: 20 }), () => raw(origin, [request], { quietMs: 1 }), {
          concurrency: 10
        })
        assert.strictEqual((yield* plain("/ping")).status, 200)
        const { log } = yield* RunningService
        assert.deepStrictEqual(
          log.filter((line) => /"level":"(ERROR|FATAL)"/i.test(line)),
          []
        )
      })
    )

    it.effect("callers that never finish a request do not block others", () =>
      Effect.gen(function* () {
        const { origin } = yield* RunningService
        const { hostname, port } = new URL(origin)
        const begun = Effect.callback<Socket>((resume) => {
          const socket = connect(Number(port), hostname, () =>
            socket.write("GET /ping HTT", () => resume(Effect.succeed(socket)))
          )
          socket.on("error", () => {})
        })
        const idle = yield* Effect.forEach(
          Array.from({ length: 200 }),
          () => Effect.acquireRelease(begun, (socket) => Effect.sync(() => socket.destroy())),
          { concurrency: "unbounded" }
        )
        assert.strictEqual((yield* plain("/ping")).status, 200)
        // The response arrived while all of them were awaited.
        assert.isTrue(idle.every((socket) => !socket.closed && socket.bytesRead === 0))
      }).pipe(Effect.scoped)
    )
  })
})
