import type { Duplex } from "node:stream"
import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from "node:zlib"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Predicate, Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import type { HttpServerRequest } from "effect/http"
import { parseWeights } from "../../internal/acceptHeader.ts"

/** Below this many bytes compression saves less than its headers cost. */
export const minCompressedBytes = 1400

const compressible = /^(application\/(.+\+)?json|text\/(html|plain|css|javascript))\b/

/** Fast levels, because most responses are sent once. zlib's own threads do the work. */
const forBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
const forGzip = { level: 1 }

/** The order of preference among equal weights. */
export const codings = ["br", "gzip"] as const

export type Coding = (typeof codings)[number]

interface Coder {
  readonly makeStream: () => Duplex
  readonly encode: (body: Uint8Array, done: (error: Error | null, encoded: Buffer) => void) => void
}

const coders = {
  br: {
    makeStream: () => createBrotliCompress(forBrotli),
    encode: (body, done) => brotliCompress(body, forBrotli, done)
  },
  gzip: { makeStream: () => createGzip(forGzip), encode: (body, done) => gzip(body, forGzip, done) }
} as const satisfies Record<Coding, Coder>

/** Encodes a whole body, and passes the result on, unless encoding failed. */
export const encodeBody = (coding: Coding, body: Uint8Array, onEncoded: (encoded: Buffer) => void): void =>
  coders[coding].encode(body, (error, encoded) => {
    if (error === null) onEncoded(encoded)
  })

/** The coding that the client prefers, of those that it accepts over identity. */
export const codingFor = (header: string | undefined): Coding | undefined => {
  if (header === undefined) return undefined
  const weights = parseWeights(header)
  const getWeight = (name: Coding) =>
    weights.get(name) ?? (name === "gzip" ? weights.get("x-gzip") : undefined) ?? weights.get("*") ?? 0
  const plain = weights.get("identity") ?? 0
  return codings
    .filter((coding) => getWeight(coding) > 0 && getWeight(coding) >= plain)
    .reduce<Coding | undefined>(
      (best, coding) => (best === undefined || getWeight(coding) > getWeight(best) ? coding : best),
      undefined
    )
}

const getBytes = ({ body }: HttpServerResponse.HttpServerResponse) => {
  if (body._tag === "Uint8Array") return body.body.length >= minCompressedBytes ? Stream.make(body.body) : undefined
  if (body._tag !== "Stream") return undefined
  return (body.contentLength ?? minCompressedBytes) >= minCompressedBytes ? body.stream : undefined
}

/** A weak tag: it identifies the content, whatever the bytes. */
export const toWeakEtag = (etag: string) => (etag.startsWith("W/") ? etag : `W/${etag}`)

/** HTTP/1.0 has no chunks: a response of unknown length that is cut off would look complete. */
const hasChunks = ({ source }: HttpServerRequest.HttpServerRequest) =>
  !(Predicate.hasProperty(source, "httpVersion") && source.httpVersion === "1.0")

/** Compresses a large response if the client accepts that. */
export const compress = (
  request: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse => {
  const { "cache-control": control, "content-encoding": encoding, "content-type": contentType = "" } = response.headers
  if (response.status !== 200 || encoding !== undefined || !compressible.test(contentType)) return response
  // The length of a compressed page would reveal its secrets to an attacker who controls other text on it (BREACH).
  if (control === "no-store" && contentType.startsWith("text/html")) return response
  const coding = hasChunks(request) ? codingFor(request.headers["accept-encoding"]) : undefined
  const bytes = coding === undefined ? undefined : getBytes(response)
  if (coding === undefined || bytes === undefined) return response
  const { etag, "content-length": _, ...headers } = response.headers
  return HttpServerResponse.stream(bytes.pipe(NodeStream.pipeThroughDuplex({ evaluate: coders[coding].makeStream })), {
    status: response.status,
    contentType,
    headers: {
      ...headers,
      "content-encoding": coding,
      ...(etag === undefined ? {} : { etag: toWeakEtag(etag) })
    }
  })
}
