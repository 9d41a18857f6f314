import { createHash } from "node:crypto"
import { Overloaded } from "@chaintape/core"
import { Context, Effect, Layer, Semaphore, Stream } from "effect"
import type { Scope } from "effect"
import { HttpServerResponse } from "effect/http"
import { makeSlots } from "../../internal/concurrency/Slots.ts"
import type { SerializedRows } from "../CexJson.ts"

/** Responses of more rows than this take a slot. */
const largeRows = 5000

/** Each holds up to seven megabytes until its reader has received them. */
const maxAtOnce = 16

const retryAfterMs = 1000

const encoder = new TextEncoder()

/** The ETag is computed from the chunks' digests: as long as chunks are cut alike, equal responses have equal tags. */
const respondSerialized = (
  [before, behind]: readonly [before: string, behind: string],
  parts: ReadonlyArray<SerializedRows>,
  headers: Record<string, string>
): SerializedResponse => {
  const hash = createHash("sha1").update(before)
  const written: Array<Uint8Array> = [encoder.encode(before)]
  for (const [at, { bytes, digest }] of parts.entries()) {
    hash.update(digest)
    // No comma before the first row.
    written.push(at === 0 ? bytes.subarray(1) : bytes)
  }
  written.push(encoder.encode(behind))
  const response = HttpServerResponse.stream(Stream.fromIterable(written, { chunkSize: 1 }), {
    contentType: "application/json",
    contentLength: written.reduce((sum, { length }) => sum + length, 0),
    headers: { ...headers, etag: `"${hash.digest("base64url")}"` }
  })
  return { response, parts: written }
}

/** A response and the chunks of its body. */
interface SerializedResponse {
  readonly response: HttpServerResponse.HttpServerResponse
  readonly parts: ReadonlyArray<Uint8Array>
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
    /** JSON of rows that are already serialized, with an ETag over all chunks. */
    readonly respondSerialized: (
      around: readonly [before: string, behind: string],
      parts: ReadonlyArray<SerializedRows>,
      headers: Record<string, string>
    ) => SerializedResponse
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
      const enter = (rows: number) =>
        Effect.acquireRelease(
          Effect.flatMap(
            Effect.sync(() => enterAtOnce(rows)),
            (leave) =>
              leave !== undefined
                ? Effect.succeed(leave)
                : Effect.fail(
                    new Overloaded({
                      retryAfterMs,
                      detail: `${maxAtOnce} large responses are being sent: try again in a second, or ask for fewer rows.`
                    })
                  )
          ),
          (leave) => Effect.sync(leave)
        )

      return BulkResponses.of({
        enterAtOnce,
        enter: (rows) => Effect.asVoid(enter(rows)),
        respond: Effect.fn("BulkResponses.respond")(function* (parts, headers) {
          const hash = createHash("sha1")
          const written: Array<Uint8Array> = []
          let contentLength = 0
          for (const part of parts) {
            const write = Effect.sync(() => {
              const bytes = encoder.encode(part)
              hash.update(bytes)
              written.push(bytes)
              contentLength += bytes.length
            })
            yield* turns.withPermit(Effect.andThen(write, Effect.yieldNow))
          }
          return HttpServerResponse.stream(Stream.fromIterable(written, { chunkSize: 1 }), {
            contentType: "application/json",
            contentLength,
            headers: { ...headers, etag: `"${hash.digest("base64url")}"` }
          })
        }),
        respondSerialized,
        taken: Effect.sync(slots.taken)
      })
    })
  )
}
