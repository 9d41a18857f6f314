import { Data, Effect, Stream } from "effect"
import type { HttpClientResponse } from "effect/http"
import { makeJsonMeter } from "./JsonMeter.ts"
import type { ResponseBounds } from "./JsonMeter.ts"

/** A response that could not be read to its end. `what` completes a sentence that begins with the name of its sender. */
class ResponseReadError extends Data.TaggedError("ResponseReadError")<{
  readonly isTooLarge: boolean
  readonly what: string
}> {
  override get message(): string {
    return `The sender of the response ${this.what}.`
  }
}

/** The text of a response. Ends the transfer where the response exceeds its bounds; the caller limits its time. */
export const readResponseText = Effect.fnUntraced(function* (
  response: HttpClientResponse.HttpClientResponse,
  bounds: ResponseBounds
) {
  const excess = makeJsonMeter(bounds)
  const parts: Array<Uint8Array> = []
  yield* response.stream.pipe(
    Stream.mapError(() => new ResponseReadError({ isTooLarge: false, what: "cut its answer off" })),
    Stream.runForEach((chunk) => {
      const found = excess(chunk)
      if (found !== undefined) return Effect.fail(new ResponseReadError({ isTooLarge: true, what: `sent ${found}` }))
      parts.push(chunk)
      return Effect.void
    })
  )
  // One text of all bytes is decoded in half the time of a text for each chunk.
  return new TextDecoder().decode(Buffer.concat(parts))
})

const smallResponse: ResponseBounds = { bytes: 64 * 1024, values: 4096 }

/** Reads a response that is of no use, if that is quick, so that its connection can be used again; else closes it. */
export const discardResponse = (response: HttpClientResponse.HttpClientResponse): Effect.Effect<void> =>
  readResponseText(response, smallResponse).pipe(Effect.timeout("250 millis"), Effect.ignore)
