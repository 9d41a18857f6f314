import { Context, Effect, Equal, Hash, Layer, Option, RcMap, Semaphore } from "effect"
import type { Cause, Scope } from "effect"
import { catchUp } from "./CatchUp.ts"
import type { FeedBroadcaster } from "./FeedBroadcaster.ts"
import { makeFeedBroadcaster } from "./FeedBroadcaster.ts"
import { LiveError } from "./LiveFeed.ts"
import type { LiveFeed, Start, UnknownCursorError } from "./LiveFeed.ts"
import type { Ending } from "./LiveFrame.ts"
import { failing, openFrame } from "./LiveFrame.ts"
import { liveMetrics } from "./LiveMetrics.ts"
import type { SubscriberBufferLimits } from "./SubscriberBuffer.ts"
import { SubscriberBuffer, standardLimits } from "./SubscriberBuffer.ts"

/** One subscriber of a feed. */
interface Subscription {
  readonly buffer: SubscriberBuffer
  /** The id of the key that opened it. */
  readonly keyId: string
}

/** A feed that equals any other of the same name. */
class FeedByName implements Equal.Equal {
  readonly feed: LiveFeed

  constructor(feed: LiveFeed) {
    this.feed = feed
  }

  [Equal.symbol](other: Equal.Equal): boolean {
    return other instanceof FeedByName && other.feed.name === this.feed.name
  }

  [Hash.symbol](): number {
    return Hash.string(this.feed.name)
  }
}

/** How long a broadcaster without subscribers stays: many of them return soon. */
const idleTime = "10 seconds"

/** How many subscribers that lag behind read the store at once. */
const pagesAtOnce = 4

/** How long an ended stream may take to send its last event. */
const endTimeout = "5 seconds"

/** How long a subscriber waits for the first read of a feed. */
const firstReadTimeout = "5 seconds"

const finishAfterFailure = (feed: LiveFeed, buffer: SubscriberBuffer) => (cause: Cause.Cause<LiveError>) => {
  const finish = Effect.sync(() => buffer.finish(failing(feed.name)))
  return Effect.andThen(Effect.logWarning(`The events of ${feed.name} cannot be read`, cause), finish)
}

const endedEarly = ({ name }: LiveFeed) =>
  new LiveError({ message: `The stream of ${name} has ended before it began: open it again.` })

const getPosition = (broadcaster: FeedBroadcaster, feed: LiveFeed) =>
  Effect.timeoutOrElse(broadcaster.position, {
    duration: firstReadTimeout,
    orElse: () => Effect.fail(new LiveError({ message: `The end of ${feed.name} cannot be read: try again.` }))
  })

/** Adds a subscription until the scope ends. */
const register = (subscriptions: Set<Subscription>, subscription: Subscription) => {
  const add = Effect.sync(() => subscriptions.add(subscription))
  const remove = Effect.sync(() => {
    subscriptions.delete(subscription)
    subscription.buffer.destroy()
  })
  const count = Effect.suspend(() => liveMetrics.open(subscriptions.size))
  return Effect.andThen(
    Effect.acquireRelease(add, () => Effect.andThen(remove, count)),
    count
  )
}

/**
 * Attaches a subscriber where the broadcaster has the events after its start in memory. Otherwise it returns a reader of
 * what the subscriber lacks. The first bytes name the start position, whatever happens then.
 */
const attach = Effect.fnUntraced(function* (
  broadcaster: FeedBroadcaster,
  feed: LiveFeed,
  start: Start,
  buffer: SubscriberBuffer
) {
  const known = "from" in start ? yield* getPosition(broadcaster, feed) : "after" in start ? start.after : undefined
  const isKnown = known !== undefined && broadcaster.isKnown(known)
  if (isKnown) {
    buffer.put(openFrame(known), 0)
    if (broadcaster.join(buffer, known)) return undefined
  }
  const reader = yield* feed.open(start)
  if (!isKnown) buffer.put(openFrame(reader.cursor()), 0)
  return reader
})

/** The streams of all subscribers. */
export class Subscriptions extends Context.Service<
  Subscriptions,
  {
    /** A stream for one subscriber, which ends with the scope. None if the maximum is reached. */
    readonly open: (
      feed: LiveFeed,
      start: Start,
      keyId: string
    ) => Effect.Effect<Option.Option<SubscriberBuffer>, LiveError | UnknownCursorError, Scope.Scope>
    /** The ids of the keys with open streams. */
    readonly openKeys: Effect.Effect<ReadonlySet<string>>
    /** Ends the streams of a key, or all. */
    readonly end: (ending: Ending, keyId?: string) => Effect.Effect<void>
  }
>()("@chaintape/server/live/Subscriptions") {
  /** At most `max` streams are open at once. */
  static readonly layer = (max: number, limits: SubscriberBufferLimits = standardLimits) =>
    Layer.effect(
      Subscriptions,
      Effect.gen(function* () {
        const context = yield* Effect.context<never>()
        const scope = yield* Effect.scope
        const subscriptions = new Set<Subscription>()
        const catchUpPermits = yield* Semaphore.make(pagesAtOnce)
        const broadcasters = yield* RcMap.make({
          lookup: ({ feed }: FeedByName) => makeFeedBroadcaster(feed),
          idleTimeToLive: idleTime
        })

        /** A reader that stops reading does not keep its connection. */
        const destroyAfterTimeout = (buffer: SubscriberBuffer, reason: Ending["reason"]) => {
          const destroy = Effect.sync(() => buffer.destroy())
          const counted = Effect.andThen(liveMetrics.ended(reason), Effect.delay(destroy, endTimeout))
          Effect.runForkWith(context)(Effect.forkIn(counted, scope))
        }

        return Subscriptions.of({
          open: Effect.fnUntraced(function* (feed, start, keyId) {
            if (subscriptions.size >= max) return Option.none()
            const buffer = new SubscriberBuffer(limits, destroyAfterTimeout)
            yield* register(subscriptions, { buffer, keyId })
            const broadcaster = yield* RcMap.get(broadcasters, new FeedByName(feed))
            yield* Effect.addFinalizer(() => Effect.sync(() => broadcaster.leave(buffer)))
            const reader = yield* attach(broadcaster, feed, start, buffer)
            if (reader !== undefined) {
              const reading = catchUp(catchUpPermits, broadcaster, reader, buffer)
              yield* Effect.forkScoped(Effect.catchCause(reading, finishAfterFailure(feed, buffer)))
            }
            // A client does not know a stream whose first event is its end.
            if (buffer.isOver) return yield* endedEarly(feed)
            return Option.some(buffer)
          }),
          openKeys: Effect.sync(() => new Set([...subscriptions].map(({ keyId }) => keyId))),
          end: (ending, keyId) =>
            Effect.sync(() => {
              for (const one of subscriptions) if (keyId === undefined || one.keyId === keyId) one.buffer.finish(ending)
            })
        })
      })
    )
}
