import { brotliCompress, constants, createBrotliCompress, createGzip, gzip } from "node:zlib"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Stream } from "effect"
import { HttpServerResponse } from "effect/http"
import type { HttpServerRequest } from "effect/http"

/** Below this many bytes the headers of a compressed answer cost what it saves. */
export const smallest = 1400

const compressible = /^(application\/(.+\+)?json|text\/(html|plain|css|javascript))\b/

/** Fast levels: most answers are sent once. The work is done in zlib's own threads. */
const forBrotli = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } }
const forGzip = { level: 1 }

const coders = {
  br: () => createBrotliCompress(forBrotli),
  gzip: () => createGzip(forGzip)
} as const

export type Coding = keyof typeof coders

/** Codes a whole body at once, and hands over what came of it, unless that failed. */
export const codeWhole = (coding: Coding, body: Uint8Array, whenCoded: (coded: Buffer) => void): void => {
  const done = (error: Error | null, coded: Buffer) => {
    if (error === null) whenCoded(coded)
  }
  if (coding === "br") brotliCompress(body, forBrotli, done)
  else gzip(body, forGzip, done)
}

/** In the order in which equally welcome ones are taken. */
export const codings: ReadonlyArray<Coding> = ["br", "gzip"]

const weights = (header: string): ReadonlyMap<string, number> =>
  new Map(
    header.split(",").map((part): [string, number] => {
      const [name = "", ...parameters] = part.split(";").map((text) => text.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith("q="))?.slice(2)
      // What is no weight is none (RFC 9110, 12.4.2).
      const value = weight === undefined ? 1 : /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0
      return [name === "x-gzip" ? "gzip" : name, value]
    })
  )

/** The coding that a caller wants most, of those that it takes rather than none. */
export const codingFor = (header: string | undefined): Coding | undefined => {
  if (header === undefined) return undefined
  const asked = weights(header)
  const weightOf = (name: string) => asked.get(name) ?? asked.get("*") ?? 0
  const plain = asked.get("identity") ?? 0
  return codings
    .filter((coding) => weightOf(coding) > 0 && weightOf(coding) >= plain)
    .reduce<Coding | undefined>(
      (best, coding) => (best === undefined || weightOf(coding) > weightOf(best) ? coding : best),
      undefined
    )
}

const bytesOf = ({ body }: HttpServerResponse.HttpServerResponse) => {
  if (body._tag === "Uint8Array") return body.body.length >= smallest ? Stream.make(body.body) : undefined
  if (body._tag !== "Stream") return undefined
  return (body.contentLength ?? smallest) >= smallest ? body.stream : undefined
}

/** Only weakly the same: the tag names what is said, whatever the bytes. */
export const weak = (etag: string) => (etag.startsWith("W/") ? etag : `W/${etag}`)

/** Compresses a large answer for a caller who takes that. */
export const compressed = (
  request: HttpServerRequest.HttpServerRequest,
  response: HttpServerResponse.HttpServerResponse
): HttpServerResponse.HttpServerResponse => {
  const { etag, "content-encoding": encoding, "content-length": _, ...headers } = response.headers
  const contentType = headers["content-type"] ?? ""
  if (response.status !== 200 || encoding !== undefined || !compressible.test(contentType)) return response
  // The length of a compressed page would tell of the secrets on it, to whoever chooses other text on it.
  if (headers["cache-control"] === "no-store") return response
  const coding = codingFor(request.headers["accept-encoding"])
  const bytes = coding === undefined ? undefined : bytesOf(response)
  if (coding === undefined || bytes === undefined) return response
  return HttpServerResponse.stream(bytes.pipe(NodeStream.pipeThroughDuplex({ evaluate: coders[coding] })), {
    status: response.status,
    contentType,
    headers: {
      ...headers,
      "content-encoding": coding,
      ...(etag === undefined ? {} : { etag: weak(etag) })
    }
  })
}
