import { gunzipSync } from "node:zlib"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { codingFor, compress } from "../../../src/http/response/Compression.ts"

describe("the coding of an answer", () => {
  it.each([
    [undefined, undefined],
    ["", undefined],
    ["identity", undefined],
    ["deflate", undefined],
    ["gzip", "gzip"],
    ["x-gzip", "gzip"],
    ["GZIP", "gzip"],
    ["br", "br"],
    ["gzip, deflate, br", "br"],
    ["gzip, br;q=0.9", "gzip"],
    ["gzip;q=0.5, br;q=0.6", "br"],
    ["gzip;q=0", undefined],
    ["br;q=0, gzip", "gzip"],
    ["br;q=0.000, *", "gzip"],
    ["*", "br"],
    ["*;q=0", undefined],
    ["identity, gzip;q=0.5", undefined],
    ["identity;q=0.5, gzip", "gzip"],
    ["gzip;q=2", undefined],
    ["gzip;q=x, br", "br"],
    ["gzip ; q=0.8 , br;q=0.1", "gzip"]
  ] as const)("for %j is %s", (header, coding) => {
    assert.strictEqual(codingFor(header), coding)
  })
})

const request = HttpServerRequest.fromWeb(new Request("http://localhost/", { headers: { "accept-encoding": "gzip" } }))
const text = (length: number, contentType: string, options = {}) =>
  HttpServerResponse.text("a".repeat(length), { contentType, ...options })

const isCompressed = (response: HttpServerResponse.HttpServerResponse) =>
  compress(request, response).headers["content-encoding"] === "gzip"

describe("a compressed answer", () => {
  it("is one that is large enough, of text, and not compressed already", () => {
    assert.isTrue(isCompressed(text(1400, "application/json")))
    assert.isTrue(isCompressed(text(1400, "text/html; charset=utf-8")))
    assert.isFalse(isCompressed(text(1399, "application/json")))
    assert.isFalse(isCompressed(text(9000, "image/png")))
    assert.isFalse(isCompressed(text(9000, "application/json", { status: 404 })))
    assert.isFalse(isCompressed(text(9000, "application/json", { headers: { "content-encoding": "br" } })))
  })

  it("is a stream too, unless its length is known and small", () => {
    const streamOf = (contentLength?: number) =>
      HttpServerResponse.stream(Stream.make(Buffer.from("a")), {
        contentType: "application/json",
        ...(contentLength === undefined ? {} : { contentLength })
      })
    assert.deepStrictEqual(
      [undefined, 1400, 1399].map((length) => isCompressed(streamOf(length))),
      [true, true, false]
    )
  })

  it.effect("has its own tag, no length, and the same content", () =>
    Effect.gen(function* () {
      const headers = { etag: '"tag"', "chaintape-source": "record" }
      const response = compress(request, text(5000, "application/json", { headers }))
      assert.strictEqual(response.headers["etag"], 'W/"tag"')
      assert.strictEqual(response.headers["chaintape-source"], "record")
      assert.strictEqual(response.headers["content-type"], "application/json")
      assert.isUndefined(response.headers["content-length"])
      if (response.body._tag !== "Stream") return assert.fail(response.body._tag)
      const parts = yield* Stream.runCollect(response.body.stream)
      assert.strictEqual(gunzipSync(Buffer.concat(parts)).toString(), "a".repeat(5000))
    })
  )
})
