import { createHash } from "node:crypto"
import type { Hash } from "node:crypto"
import { Overloaded } from "@chaintape/core"
import { Context, Effect, Layer, Semaphore, Stream } from "effect"
import type { Scope } from "effect"
import { HttpServerResponse } from "effect/http"
import { makeSlots } from "../../internal/concurrency/Slots.ts"
import type { aroundTrades, SerializedRows } from "../CexJson.ts"

/** Responses of more rows than this take a slot. */
const largeRows = 5000

/** Each holds up to seven megabytes until its reader has received them. */
const maxAtOnce = 16

const retryAfterMs = 1000

const encoder = new TextEncoder()

const toResponse = (parts: ReadonlyArray<Uint8Array>, hash: Hash, headers: Record<string, string>) =>
  HttpServerResponse.stream(Stream.fromIterable(parts, { chunkSize: 1 }), {
    contentType: "application/json",
    contentLength: parts.reduce((sum, { length }) => sum + length, 0),
    headers: { ...headers, etag: `"${hash.digest("base64url")}"` }
  })

/**
 * JSON of rows that are already serialized. The ETag is computed from the chunks' digests: as long as chunks are cut
 * alike, equal responses have equal tags. Returns the chunks of the body, too.
 */
export const respondSerialized = (
  [before, after]: ReturnType<typeof aroundTrades>,
  rows: ReadonlyArray<SerializedRows>,
  headers: Record<string, string>
) => {
  const hash = createHash("sha1").update(before)
  const parts: Array<Uint8Array> = [encoder.encode(before)]
  for (const [at, { bytes, digest }] of rows.entries()) {
    hash.update(digest)
    // No comma before the first row.
    parts.push(at === 0 ? bytes.subarray(1) : bytes)
  }
  parts.push(encoder.encode(after))
  return { response: toResponse(parts, hash, headers), parts }
}

/**
 * Responses that are too large to be serialized at once: they are built chunk by chunk, one chunk of one response per turn
 * of the event loop, and sent as fast as the reader receives them.
 */
export class BulkResponses extends Context.Service<
  BulkResponses,
  {
    /** Takes a slot until the request ends, if the response may be large. */
    readonly enter: (rows: number) => Effect.Effect<void, Overloaded, Scope.Scope>
    /** Takes a slot synchronously: returns the function that releases it, or undefined if none is free. */
    readonly enterAtOnce: (rows: number) => (() => void) | undefined
    /** JSON with an ETag over all chunks. */
    readonly respond: (
      parts: Iterable<string>,
      headers: Record<string, string>
    ) => Effect.Effect<HttpServerResponse.HttpServerResponse>
    /** The number of slots in use. */
    readonly taken: Effect.Effect<number>
  }
>()("@chaintape/server/cex/api/BulkResponses") {
  static readonly layer = Layer.effect(
    BulkResponses,
    Effect.gen(function* () {
      const slots = makeSlots(maxAtOnce)
      const turns = yield* Semaphore.make(1)

      const enterAtOnce = (rows: number): (() => void) | undefined => (rows <= largeRows ? () => {} : slots.take())
      const enter = Effect.fnUntraced(function* (rows: number) {
        const leave = enterAtOnce(rows)
        if (leave !== undefined) return leave
        return yield* new Overloaded({
          retryAfterMs,
          detail: `${maxAtOnce} large responses are being sent: try again in a second, or ask for fewer rows.`
        })
      })

      return BulkResponses.of({
        enterAtOnce,
        enter: (rows) => Effect.asVoid(Effect.acquireRelease(enter(rows), (leave) => Effect.sync(leave))),
        respond: Effect.fn("BulkResponses.respond")(function* (parts, headers) {
          const hash = createHash("sha1")
          const written: Array<Uint8Array> = []
          for (const part of parts) {
            const write = Effect.sync(() => {
              const bytes = encoder.encode(part)
              hash.update(bytes)
              written.push(bytes)
            })
            yield* turns.withPermit(Effect.andThen(write, Effect.yieldNow))
          }
          return toResponse(written, hash, headers)
        }),
        taken: Effect.sync(slots.taken)
      })
    })
  )
}
