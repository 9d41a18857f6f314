import { Effect, Exit, Fiber, Layer, Option, Schema, Scope } from "effect"
import { TestClock } from "effect/testing"
import type { LiveFeed, Start } from "../../src/live/LiveFeed.ts"
import type { SubscriberBuffer, SubscriberBufferLimits } from "../../src/live/SubscriberBuffer.ts"
import { Subscriptions } from "../../src/live/Subscriptions.ts"
import { Wakeups } from "../../src/live/Wakeups.ts"

/** An event as parsed by a reader. */
export interface ReadEvent {
  readonly name: string
  readonly id: string | undefined
  readonly data: string
}

/** The events of complete frames, without comments. */
export const toEvents = (text: string): ReadonlyArray<ReadEvent> =>
  text.split("\n\n").flatMap((frame): ReadonlyArray<ReadEvent> => {
    const fields = new Map(
      frame
        .split("\n")
        .filter((line) => line.includes(": ") && !line.startsWith(":"))
        .map((line) => [line.slice(0, line.indexOf(": ")), line.slice(line.indexOf(": ") + 2)])
    )
    const name = fields.get("event")
    return name === undefined ? [] : [{ name, id: fields.get("id"), data: fields.get("data") ?? "" }]
  })

/** One reader of a feed, which is disconnected and resumed by a test. */
export interface TestReader {
  /** The events since the last call. */
  readonly take: () => ReadonlyArray<ReadEvent>
  /** Disconnects. Unread events are lost. */
  readonly cut: Effect.Effect<void>
  readonly buffer: SubscriberBuffer
}

/** Opens a stream as a request does. */
export const openReader = Effect.fnUntraced(function* (feed: LiveFeed, start: Start, keyId = "somebody") {
  const subscriptions = yield* Subscriptions
  const scope = yield* Scope.make()
  const opening = yield* Effect.forkChild(Scope.provide(subscriptions.open(feed, start, keyId), scope), {
    startImmediately: true
  })
  // It may wait for a feed that fails.
  while (opening.pollUnsafe() === undefined) yield* TestClock.adjust("500 millis")
  const opened = yield* Effect.tapCause(Fiber.join(opening), () => Scope.close(scope, Exit.void))
  if (Option.isNone(opened)) return undefined
  const buffer = opened.value
  const reader: TestReader = {
    buffer,
    take: () => {
      const parts: Array<string> = []
      for (let part: unknown = buffer.read(); part !== null; part = buffer.read()) parts.push(String(part))
      return toEvents(parts.join(""))
    },
    cut: Scope.close(scope, Exit.void)
  }
  return reader
})

export const subscriptionsFor = (max = 1000, limits?: SubscriberBufferLimits) =>
  Layer.merge(Layer.fresh(Subscriptions.layer(max, limits)), Wakeups.layer)

/** An event's data. */
export const dataOf = <S extends Schema.Codec<unknown, unknown>>(schema: S) =>
  Schema.decodeUnknownSync(Schema.fromJsonString(schema))
