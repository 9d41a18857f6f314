import { Effect, Exit, Fiber, Layer, Schema, Scope } from "effect"
import { TestClock } from "effect/testing"
import type { LiveFeed, Start } from "../../src/live/LiveFeed.ts"
import type { Outbox } from "../../src/live/Outbox.ts"
import { Subscriptions } from "../../src/live/Subscriptions.ts"
import { Wakeups } from "../../src/live/Wakeups.ts"

/** An event as a reader sees it. */
export interface ReadEvent {
  readonly name: string
  readonly id: string | undefined
  readonly data: string
}

/** The events of whole frames; comments and what is no event are left out. */
export const eventsOf = (text: string): ReadonlyArray<ReadEvent> =>
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

/** One reader of a feed, which is cut and resumed as a test wants. */
export interface TestReader {
  /** What has arrived since the last time. */
  readonly take: () => ReadonlyArray<ReadEvent>
  /** Takes nothing more. What had arrived is gone. */
  readonly cut: Effect.Effect<void>
  readonly outbox: Outbox
}

/** Opens a stream as a request does. */
export const openReader = Effect.fnUntraced(function* (feed: LiveFeed, start: Start, holder = "somebody") {
  const subscriptions = yield* Subscriptions
  const scope = yield* Scope.make()
  const opening = yield* Effect.forkChild(Scope.provide(subscriptions.open(feed, start, holder), scope), {
    startImmediately: true
  })
  // It may wait for a feed that fails.
  while (opening.pollUnsafe() === undefined) yield* TestClock.adjust("500 millis")
  const outbox = yield* Effect.tapCause(Fiber.join(opening), () => Scope.close(scope, Exit.void))
  if (outbox === undefined) return undefined
  const reader: TestReader = {
    outbox,
    take: () => {
      const parts: Array<string> = []
      for (let part: unknown = outbox.read(); part !== null; part = outbox.read()) parts.push(String(part))
      return eventsOf(parts.join(""))
    },
    cut: Scope.close(scope, Exit.void)
  }
  return reader
})

export const subscriptionsFor = (most = 1000) => Layer.merge(Layer.fresh(Subscriptions.layer(most)), Wakeups.layer)

/** An event's data. */
export const dataOf = <S extends Schema.Codec<unknown, unknown>>(schema: S) =>
  Schema.decodeUnknownSync(Schema.fromJsonString(schema))
