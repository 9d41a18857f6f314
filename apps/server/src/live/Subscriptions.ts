import { Cause, Context, Effect, Layer, RcMap, Semaphore } from "effect"
import type { Scope } from "effect"
import { monotonicMillis } from "../internal/monotonic.ts"
import { LiveFailure } from "./LiveFeed.ts"
import type { LiveFeed, LiveReader, Start, UnknownCursor } from "./LiveFeed.ts"
import type { Ending } from "./LiveFrame.ts"
import { eventFrame, failing, heartbeatFrame, heartbeatMs, openFrame } from "./LiveFrame.ts"
import { liveMetrics } from "./LiveMetrics.ts"
import type { OutboxLimits } from "./Outbox.ts"
import { Outbox, standardLimits } from "./Outbox.ts"
import type { Tail } from "./Tail.ts"
import { makeTail } from "./Tail.ts"

/** One reader of a feed. */
interface Subscription {
  readonly outbox: Outbox
  /** Whose it is. */
  readonly holder: string
}

/** A tail without readers goes on for so long: many of them come back soon. */
const idle = "10 seconds"

/** Events of one page for a reader who is behind. */
const rowsOfPage = 500

/** Readers who are behind read the store in turns. */
const pagesAtOnce = 4

/** Looks without news of a reader who waits for its place: it may be one in the future. */
const firstPauseMs = 50
const longestPauseMs = 1000

/** How long a reader waits for the first look at a feed. */
const patience = "5 seconds"

/** How long a stream that was ended may take to say so. */
const lastWords = "5 seconds"

const encoder = new TextEncoder()

/** What readers of a feed are sent as soon as it happens. */
export class Subscriptions extends Context.Service<
  Subscriptions,
  {
    /** A stream for one reader, which ends with the scope. None where there is no room for another one. */
    readonly open: (
      feed: LiveFeed,
      start: Start,
      holder: string
    ) => Effect.Effect<Outbox | undefined, LiveFailure | UnknownCursor, Scope.Scope>
    /** Whose streams are open. */
    readonly holders: Effect.Effect<ReadonlySet<string>>
    /** Ends the streams of a holder, or all. */
    readonly end: (ending: Ending, holder?: string) => Effect.Effect<void>
  }
>()("@chaintape/server/live/Subscriptions") {
  /** `most` streams are open at once. */
  static readonly layer = (most: number, limits: OutboxLimits = standardLimits) =>
    Layer.effect(
      Subscriptions,
      Effect.gen(function* () {
        const context = yield* Effect.context<never>()
        const scope = yield* Effect.scope
        const open = new Set<Subscription>()
        const feeds = new Map<string, LiveFeed>()
        const turns = yield* Semaphore.make(pagesAtOnce)
        const tails = yield* RcMap.make({
          lookup: (name: string) =>
            Effect.suspend(() => {
              const feed = feeds.get(name)
              return feed === undefined ? Effect.die(new Error(`"${name}" is no feed`)) : makeTail(feed)
            }),
          idleTimeToLive: idle
        })

        const ended = (outbox: () => Outbox) => (reason: Ending["reason"]) => {
          const closed = Effect.delay(
            Effect.sync(() => outbox().destroy()),
            lastWords
          )
          Effect.runForkWith(context)(Effect.forkIn(Effect.andThen(liveMetrics.ended(reason), closed), scope))
        }

        const enter = (holder: string) =>
          Effect.acquireRelease(
            Effect.sync(() => {
              const outbox: Outbox = new Outbox(
                limits,
                ended(() => outbox)
              )
              const subscription: Subscription = { outbox, holder }
              open.add(subscription)
              return subscription
            }),
            (subscription) =>
              Effect.suspend(() => {
                open.delete(subscription)
                subscription.outbox.destroy()
                return liveMetrics.open(open.size)
              })
          ).pipe(
            Effect.map(({ outbox }) => outbox),
            Effect.tap(() => liveMetrics.open(open.size))
          )

        /** Reads what the reader lacks, page by page as it takes them, until the tail remembers its place. */
        const catchUp = Effect.fnUntraced(function* (tail: Tail, reader: LiveReader, outbox: Outbox) {
          let pause = firstPauseMs
          let toldAt = yield* monotonicMillis
          while (!outbox.isOver && !tail.join(outbox, reader.cursor())) {
            const events = yield* turns.withPermit(reader.next(rowsOfPage))
            if (events.length === 0) {
              yield* Effect.timeoutOption(tail.moved, pause)
              pause = Math.min(longestPauseMs, pause * 2)
              const now = yield* monotonicMillis
              if (now - toldAt < heartbeatMs) continue
              outbox.put(heartbeatFrame, 0)
              toldAt = now
              continue
            }
            pause = firstPauseMs
            toldAt = yield* monotonicMillis
            outbox.put(encoder.encode(events.map(eventFrame).join("")), events.length)
            yield* liveMetrics.told(events.length, 1)
            yield* outbox.drained
          }
        })

        const failed = (feed: LiveFeed, outbox: Outbox) => (cause: Cause.Cause<LiveFailure>) => {
          if (Cause.hasInterruptsOnly(cause)) return Effect.void
          const told = Effect.sync(() => outbox.finish(failing(feed.name)))
          return Effect.andThen(Effect.logWarning(`The events of ${feed.name} cannot be read`, cause), told)
        }

        const positionOf = (tail: Tail, feed: LiveFeed) =>
          Effect.timeoutOrElse(tail.position, {
            duration: patience,
            orElse: () =>
              Effect.fail(new LiveFailure({ message: `The end of ${feed.name} cannot be read: try again.` }))
          })

        /** The first bytes name the place where it begins, whatever happens then. */
        const begin = Effect.fnUntraced(function* (tail: Tail, feed: LiveFeed, start: Start, outbox: Outbox) {
          const known = "from" in start ? yield* positionOf(tail, feed) : "after" in start ? start.after : undefined
          if (known !== undefined && tail.isKnown(known)) {
            outbox.put(openFrame(known), 0)
            tail.join(outbox, known)
            return
          }
          const reader = yield* feed.open(start)
          outbox.put(openFrame(reader.cursor()), 0)
          yield* Effect.forkScoped(Effect.catchCause(catchUp(tail, reader, outbox), failed(feed, outbox)))
        })

        return Subscriptions.of({
          open: Effect.fnUntraced(function* (feed, start, holder) {
            if (open.size >= most) return undefined
            const outbox = yield* enter(holder)
            feeds.set(feed.name, feed)
            const tail = yield* RcMap.get(tails, feed.name)
            yield* Effect.addFinalizer(() => Effect.sync(() => tail.leave(outbox)))
            yield* begin(tail, feed, start, outbox)
            return outbox
          }),
          holders: Effect.sync(() => new Set([...open].map(({ holder }) => holder))),
          end: (ending, holder) =>
            Effect.sync(() => {
              for (const one of open) if (holder === undefined || one.holder === holder) one.outbox.finish(ending)
            })
        })
      })
    )
}
