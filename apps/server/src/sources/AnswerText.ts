import { Data, Effect, Stream } from "effect"
import type { HttpClientResponse } from "effect/http"
import { makeJsonMeter } from "./JsonMeter.ts"
import type { AnswerBounds } from "./JsonMeter.ts"

/** An answer that could not be read to its end. `what` completes a sentence that begins with the name of its sender. */
class AnswerNotRead extends Data.TaggedError("AnswerNotRead")<{
  readonly isTooLarge: boolean
  readonly what: string
}> {}

/** The text of an answer. Ends the transfer where the answer exceeds its bounds; the caller limits its time. */
export const readAnswerText = Effect.fnUntraced(function* (
  response: HttpClientResponse.HttpClientResponse,
  bounds: AnswerBounds
) {
  const excess = makeJsonMeter(bounds)
  const parts: Array<Uint8Array> = []
  yield* response.stream.pipe(
    Stream.mapError(() => new AnswerNotRead({ isTooLarge: false, what: "cut its answer off" })),
    Stream.runForEach((chunk) => {
      const found = excess(chunk)
      if (found !== undefined) return Effect.fail(new AnswerNotRead({ isTooLarge: true, what: `sent ${found}` }))
      parts.push(chunk)
      return Effect.void
    })
  )
  // One text of all bytes is decoded in half the time of a text for each chunk.
  return new TextDecoder().decode(Buffer.concat(parts))
})

const smallAnswer: AnswerBounds = { bytes: 64 * 1024, values: 4096 }

/** Reads an answer that is of no use, if that is quick, so that its connection can be used again; else closes it. */
export const discardAnswer = (response: HttpClientResponse.HttpClientResponse): Effect.Effect<void> =>
  readAnswerText(response, smallAnswer).pipe(Effect.timeout("250 millis"), Effect.ignore)
