/** The connections of one live stream, one after the other: when to open the next one, and how the last one ended. */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import * as Random from "effect/Random"
import * as Result from "effect/Result"
import * as Scope from "effect/Scope"
import type * as Operation from "../../operation/Operation.ts"
import { delayAfter, standard } from "../../options/RetryPolicy.ts"
import { policyWith } from "../retry/retries.ts"
import { elapsedMillis } from "../transport/elapsed.ts"
import { encodeRequest, getName, shownUrl } from "../transport/request.ts"
import { RouteObserver } from "../transport/route.ts"
import { connect, type ConnectionEndedError, type EventConnection, type Route } from "./connection.ts"
import type { ServerEvent } from "./eventParser.ts"
import { reportReconnect } from "./reconnects.ts"

/** The delay after a stream that is blocked or refused: an intermediary will not change soon. */
const longPause = Duration.toMillis("5 minutes")

/** The delay after a stream that lacked what polls show, or was malformed. */
const shortPause = Duration.toMillis("1 minute")

/** After this long without an event, a reader compares the stream with a poll. */
export const quietMs = Duration.toMillis("10 seconds")

/** A connection that lived this long was a good one, whatever it delivered. */
const minLifetime = Duration.toMillis("10 seconds")

/** The reasons that a client reports: a service without live streams is not one of them. */
type Reason = Exclude<ConnectionEndedError["why"], "unsupported"> | "incomplete"

/** Consecutive failed connections, and connections without an event, before a reader switches to polling. */
const maxFailedOpens = 3
const maxFailures = 10

/** How long a reader waits for the next connection. */
const maxWait = Duration.toMillis("10 seconds")

export interface ReconnectingEventSource<Op extends Operation.Any> {
  /** Takes over the route of a request. Before the first one over HTTP there is no live stream. */
  readonly observe: <A, E, R>(read: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  readonly isOpen: () => boolean
  /** Opens a connection if one is due, and returns whether one is open. */
  readonly open: (request: Operation.Input<Op>) => Effect.Effect<boolean>
  /** The next events. None if the connection has ended: it is closed then. */
  readonly next: Effect.Effect<Option.Option<ReadonlyArray<ServerEvent>>>
  /** Clears the failures after a connection that delivered what no poll did: it may be reopened at once. */
  readonly reset: () => void
  /** Closes the connection, and opens none for this many milliseconds. */
  readonly pause: (milliseconds: number) => Effect.Effect<void>
  /** Closes a connection that delivered too little, or nothing that can be decoded. */
  readonly fail: Effect.Effect<void>
  /** Milliseconds until the next attempt, if the previous ones suggest that it will succeed. */
  readonly delay: Effect.Effect<number | undefined>
}

/** An event source that ends with the scope. */
export const makeEventSource = <Op extends Operation.Any>(
  operation: Op
): Effect.Effect<ReconnectingEventSource<Op>, never, Scope.Scope> =>
  Effect.map(Effect.scope, (parent) => {
    let route: Route | undefined
    let current:
      | { readonly connection: EventConnection; readonly scope: Scope.Closeable; readonly since: number }
      | undefined
    let failures = 0
    let failedOpens = 0
    let openFrom = Number.NEGATIVE_INFINITY
    let url = ""

    const close = Effect.suspend(() => {
      const closing = current
      current = undefined
      return closing === undefined ? Effect.void : Scope.close(closing.scope, Exit.void)
    })

    const pause = (milliseconds: number) =>
      Effect.map(Effect.andThen(close, elapsedMillis), (now) => {
        openFrom = now + milliseconds
      })

    const pauseAfter = Effect.fnUntraced(function* (reason: Reason, delayMilliseconds: number) {
      yield* pause(delayMilliseconds)
      const event = { operation: getName(operation), url, attempt: failures, reason, delayMilliseconds }
      if (route !== undefined) yield* reportReconnect(route.options, event)
    })

    const end = Effect.fnUntraced(function* ({
      retryAfterMs,
      why
    }: Pick<ConnectionEndedError, "retryAfterMs" | "why">) {
      const now = yield* elapsedMillis
      failures = current !== undefined && now - current.since >= minLifetime ? 1 : failures + 1
      if (why === "unsupported") return yield* pause(Number.POSITIVE_INFINITY)
      const policy = policyWith(standard, route?.options.retry)
      const delay = delayAfter(policy, failures, yield* Random.next, retryAfterMs)
      return yield* pauseAfter(why, why === "lost" ? delay : longPause)
    })

    const open: ReconnectingEventSource<Op>["open"] = (request) =>
      Effect.uninterruptibleMask((restore) =>
        Effect.gen(function* () {
          if (route === undefined || (yield* elapsedMillis) < openFrom) return false
          // The request was checked when the stream was made.
          const encoded = yield* Effect.orDie(encodeRequest(operation, request))
          url = shownUrl(route.options.baseUrl, encoded)
          const scope = yield* Scope.fork(parent)
          const connecting = Scope.provide(connect(route, operation, encoded), scope)
          const opened = yield* restore(connecting).pipe(
            Effect.onError((cause) => Scope.close(scope, Exit.failCause(cause))),
            Effect.result
          )
          if (Result.isFailure(opened)) {
            failedOpens += 1
            yield* end(opened.failure)
            return false
          }
          failedOpens = 0
          current = { connection: opened.success, scope, since: yield* elapsedMillis }
          return true
        })
      )

    return {
      observe: (read) =>
        Effect.provideService(read, RouteObserver, (http, options) => {
          route = { http, options }
        }),
      isOpen: () => current !== undefined,
      open,
      next: Effect.suspend(() =>
        current === undefined
          ? Effect.succeedNone
          : current.connection.next.pipe(
              Effect.map(Option.some),
              Effect.catch((ended) => Effect.as(end(ended), Option.none()))
            )
      ),
      reset: () => {
        failures = 0
      },
      pause,
      fail: Effect.suspend(() => pauseAfter("incomplete", shortPause)),
      delay: Effect.map(elapsedMillis, (now) => {
        const isHopeless = failedOpens > maxFailedOpens || failures > maxFailures || openFrom - now > maxWait
        return route === undefined || isHopeless ? undefined : Math.max(0, openFrom - now)
      })
    }
  })
