/**
 * One connection of a live stream. Internal because the response of the lean transport has no stream of its body, which
 * is added here.
 */
import * as Clock from "effect/Clock"
import * as Data from "effect/Data"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Predicate from "effect/Predicate"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type * as Operation from "../../operation/Operation.ts"
import type { ClientOptions } from "../../options/ClientOptions.ts"
import { parseJson } from "../decode/decoding.ts"
import { parseRetryAfter, withRequestRules } from "../transport/attempt.ts"
import type { FetchResponse } from "../transport/fetchTransport.ts"
import { buildRequest, type Encoded } from "../transport/request.ts"
import { makeEventParser, type ServerEvent } from "./eventParser.ts"

/** Timeout of the response, and of its first event, which the service sends at once. */
const openingTime: Duration.Input = "5 seconds"

/** Three heartbeats of the service. */
const silence: Duration.Input = "45 seconds"

/** Maximum characters of one event; a larger one is not ours. */
const maxEventLength = 2 ** 20

export interface Route {
  readonly http: HttpClient.HttpClient
  readonly options: ClientOptions
}

const messages = {
  unsupported: "The service has no live stream of this operation.",
  refused: "The service refuses a live stream from this position.",
  silent: "The connection delivers no events that can be read.",
  lost: "The connection was lost."
}

/** The end of a connection, with its reason. */
export class ConnectionEndedError extends Data.TaggedError("ConnectionEndedError")<{
  /**
   * `unsupported`: there is none here, now and later. `refused`: not from this position. `silent`: an intermediary
   * buffers the stream. `lost`: another attempt may succeed.
   */
  readonly why: keyof typeof messages
  /** How long the service asks to wait. */
  readonly retryAfterMs?: number | undefined
}> {
  override get message(): string {
    return messages[this.why]
  }
}

export interface EventConnection {
  /** The events in the next chunk; none if it is a heartbeat, or a part of an event. */
  readonly next: Effect.Effect<ReadonlyArray<ServerEvent>, ConnectionEndedError>
}

const toLost = (retryAfterMs?: number) => new ConnectionEndedError({ why: "lost", retryAfterMs })
const silent = new ConnectionEndedError({ why: "silent" })

/** `body` may ask for a wait, and otherwise the header, whose wait is `headerMs`. */
const parseLost = (body: unknown, headerMs?: number) => {
  const { retryAfterMs } = Predicate.isObject(body) ? body : {}
  return toLost(Predicate.isNumber(retryAfterMs) ? retryAfterMs : headerMs)
}

/** The cast says that no other member of the lean response is used. */
const getBytes = (response: HttpClientResponse.HttpClientResponse) => {
  const { original = response } = response as { readonly original?: object }
  if (!("stream" in original) && "source" in original) {
    const { body } = (original as FetchResponse).source
    Object.assign(original, {
      stream:
        body === null ? Stream.empty : Stream.fromReadableStream({ evaluate: () => body, onError: (cause) => cause })
    })
  }
  return response.stream
}

const getRefusal = Effect.fnUntraced(function* (
  response: HttpClientResponse.HttpClientResponse
): Effect.fn.Return<never, ConnectionEndedError> {
  const { status } = response
  // Also of a refusal whose body says nothing: a body that is not read holds its connection.
  const text = Effect.timeoutOrElse(response.text, { duration: openingTime, orElse: () => Effect.succeed("") })
  const body = parseJson(yield* Effect.orElseSucceed(text, () => ""))
  if (status === 404) return yield* new ConnectionEndedError({ why: "unsupported" })
  if (status === 400) return yield* new ConnectionEndedError({ why: "refused" })
  return yield* parseLost(body, parseRetryAfter(response.headers, yield* Clock.currentTimeMillis))
})

/** Events until the last one, with which the next read fails. */
const takeUntilEnd = (
  pull: Effect.Effect<ReadonlyArray<ServerEvent>, ConnectionEndedError>
): EventConnection["next"] => {
  let ended: ConnectionEndedError | undefined
  return Effect.gen(function* () {
    if (ended !== undefined) return yield* ended
    const events = yield* pull
    const at = events.findIndex(({ name }) => name === "end")
    const end = events[at]
    if (end === undefined) return events
    ended = parseLost(parseJson(end.data))
    return events.slice(0, at)
  })
}

const pullEvents = Effect.fnUntraced(function* (response: HttpClientResponse.HttpClientResponse) {
  const parser = makeEventParser()
  const pull = yield* Stream.toPull(getBytes(response))
  return Effect.gen(function* () {
    // However it ends, the next connection resumes from the same position.
    const chunks = yield* Effect.mapError(pull, () => toLost())
    const events = chunks.flatMap((bytes) => parser.push(bytes))
    if (parser.held() > maxEventLength) return yield* silent
    return events
  })
})

const pullFirst = (pull: EventConnection["next"]): EventConnection["next"] =>
  Effect.gen(function* () {
    for (;;) {
      const events = yield* pull
      if (events.length > 0) return events
    }
  }).pipe(Effect.timeoutOrElse({ duration: openingTime, orElse: () => Effect.fail(silent) }))

/** Opens a live stream. It ends with the scope. */
export const connect = Effect.fnUntraced(function* (
  { http, options }: Route,
  operation: Operation.Any,
  encoded: Encoded
): Effect.fn.Return<EventConnection, ConnectionEndedError, Scope.Scope> {
  const request = HttpClientRequest.accept(buildRequest(operation, encoded, options), "text/event-stream")
  const response = yield* withRequestRules(http.execute(request)).pipe(
    Effect.mapError(() => toLost()),
    Effect.timeoutOrElse({ duration: openingTime, orElse: () => Effect.fail(toLost()) })
  )
  if (response.status !== 200) return yield* getRefusal(response)
  const pull = yield* pullEvents(response)
  // The scope cancels the opened body, also one of another type: it would hold its connection.
  if (!/^text\/event-stream\b/.test(response.headers["content-type"] ?? "")) return yield* silent
  const [open, ...others] = yield* pullFirst(pull)
  if (open?.name !== "open") return yield* silent
  let waiting: ReadonlyArray<ServerEvent> | undefined = others
  const next = Effect.suspend(() => {
    const events = waiting
    waiting = undefined
    return events === undefined || events.length === 0 ? pull : Effect.succeed(events)
  })
  const bounded = Effect.timeoutOrElse(next, { duration: silence, orElse: () => Effect.fail(toLost()) })
  return { next: takeUntilEnd(bounded) }
})
