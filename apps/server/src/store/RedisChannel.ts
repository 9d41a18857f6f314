import { Deferred, Effect, Queue } from "effect"
import type { Redacted } from "effect"
import type { PendingReplies } from "./PendingReplies.ts"
import { openRedis, RedisConnectionError } from "./RedisConnection.ts"

/** The messages that may wait for a listener; later ones are lost, as in an outage. */
const maxWaiting = 10_000

interface RedisChannel {
  readonly url: Redacted.Redacted
  readonly request: PendingReplies["request"]
  /** With its prefix. */
  readonly name: string
  readonly onMessage: (message: string) => Effect.Effect<void>
  /** Runs when messages were lost, because too many waited. */
  readonly onLoss: Effect.Effect<void>
}

/** Passes on the messages of a channel, until its connection is lost. */
export const followChannel = Effect.fnUntraced(function* ({ name, onLoss, onMessage, request, url }: RedisChannel) {
  const { client, lost } = yield* openRedis(url)
  const messages = yield* Queue.dropping<string>(maxWaiting)
  let isLossy = false
  const outcome = yield* request(() =>
    client.subscribe(name, (message) => {
      if (!Queue.offerUnsafe(messages, message)) isLossy = true
    })
  )
  if (outcome._tag !== "Reply") return yield* new RedisConnectionError({ cause: outcome })
  const reportLoss = Effect.suspend(() => {
    if (!isLossy) return Effect.void
    isLossy = false
    return onLoss
  })
  const deliver = Effect.flatMap(Queue.take(messages), (message) => Effect.andThen(onMessage(message), reportLoss))
  yield* Effect.raceFirst(Effect.forever(deliver), Deferred.await(lost))
})
