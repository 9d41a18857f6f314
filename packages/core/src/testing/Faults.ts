/**
 * Faults of a service and of the network, as layers over an `HttpClient`. They can be stacked: the one provided last is
 * the nearest to the service.
 *
 * @since 0.1.0
 */
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Layer from "effect/Layer"
import * as Random from "effect/Random"
import * as Stream from "effect/Stream"
import { getHeaders, toResponse } from "../internal/testing/httpResponse.ts"
import { withStream } from "../internal/testing/liveResponse.ts"
import { type Fault, makeFault } from "./Fault.ts"
import type { FaultTrigger } from "./FaultTrigger.ts"

export { type Fault, makeFault } from "./Fault.ts"
export type { FaultTrigger } from "./FaultTrigger.ts"

const answer = (request: HttpClientRequest.HttpClientRequest, response: Response) =>
  HttpClientResponse.fromWeb(request, response)

/**
 * Rate limiting: the request is not sent, and gets the problem `rate-limited`, status 429 and a `Retry-After` (1 second
 * if not given).
 *
 * @example
 * ```ts
 * import { Faults } from "@chaintape/core/testing"
 *
 * const storm = Faults.rateLimited({ first: 3, retryAfter: "2 seconds" })
 * ```
 *
 * @since 0.1.0
 * @category faults
 */
export const rateLimited = ({
  retryAfter = "1 second",
  ...trigger
}: FaultTrigger & { readonly retryAfter?: Duration.Input }): Fault => {
  const retryAfterMs = Math.ceil(Duration.toMillis(Duration.fromInputUnsafe(retryAfter)))
  const problem = {
    type: "/problems/rate-limited",
    title: "Rate limited",
    status: 429,
    code: "rate-limited",
    detail: `The budget of this key is used up: wait ${retryAfterMs} ms.`,
    retryAfterMs
  }
  const headers = {
    "content-type": "application/problem+json",
    "retry-after": String(Math.ceil(retryAfterMs / 1000))
  }
  return makeFault(trigger, (request) =>
    Effect.sync(() => answer(request, toResponse(429, headers, JSON.stringify(problem))))
  )
}

/**
 * Delays requests by `delay`, or by a random time from `delay` to `atMost`.
 *
 * @example
 * ```ts
 * import { Faults } from "@chaintape/core/testing"
 *
 * const slow = Faults.latency({ delay: "100 millis", atMost: "2 seconds", share: 0.1 })
 * ```
 *
 * @since 0.1.0
 * @category faults
 */
export const latency = ({
  atMost,
  delay,
  ...trigger
}: FaultTrigger & { readonly delay: Duration.Input; readonly atMost?: Duration.Input }): Fault => {
  const least = Duration.toMillis(Duration.fromInputUnsafe(delay))
  const most = atMost === undefined ? least : Duration.toMillis(Duration.fromInputUnsafe(atMost))
  // Its own generator, so that no other random value affects the delays.
  return Layer.unwrap(
    Effect.map(Random.withSeed(Random.Random, trigger.seed ?? "latency"), (random) =>
      makeFault(trigger, (request, pass) => {
        const wait = Math.round(least + random.nextDoubleUnsafe() * (most - least))
        return Effect.andThen(Effect.sleep(wait), pass(request))
      })
    )
  )
}

/**
 * Truncates the response after half of its body, like a lost connection.
 *
 * @example
 * ```ts
 * import { Faults } from "@chaintape/core/testing"
 *
 * const flaky = Faults.truncated({ share: 0.3, seed: "a bad line" })
 * ```
 *
 * @since 0.1.0
 * @category faults
 */
export const truncated = (trigger: FaultTrigger): Fault =>
  makeFault(trigger, (request, pass) =>
    Effect.gen(function* () {
      const response = yield* pass(request)
      const bytes = new TextEncoder().encode(yield* response.text)
      const broken = new ReadableStream({
        start(controller) {
          controller.enqueue(bytes.slice(0, Math.floor(bytes.length / 2)))
          controller.error(new TypeError("the connection broke off"))
        }
      })
      return answer(request, new Response(broken, { status: response.status, headers: getHeaders(response) }))
    })
  )

/**
 * The service is unreachable: the request fails as if nothing listened.
 *
 * @example
 * ```ts
 * import { Faults } from "@chaintape/core/testing"
 *
 * const halfAMinute = Faults.outage({ from: "10 seconds", until: "40 seconds" })
 * ```
 *
 * @since 0.1.0
 * @category faults
 */
export const outage = (trigger: FaultTrigger): Fault =>
  makeFault(trigger, (request) =>
    Effect.suspend(() => {
      const cause = new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") })
      return Effect.fail(
        new HttpClientError.HttpClientError({ reason: new HttpClientError.TransportError({ request, cause }) })
      )
    })
  )

/**
 * Another program responds: a JSON body with status 200 that no operation returns.
 *
 * @example
 * ```ts
 * import { Faults } from "@chaintape/core/testing"
 *
 * const otherProgram = Faults.undecodable({ path: /lasttrade$/ })
 * ```
 *
 * @since 0.1.0
 * @category faults
 */
export const undecodable = (trigger: FaultTrigger): Fault =>
  makeFault(trigger, (request) => Effect.sync(() => answer(request, Response.json({ unexpected: true }))))

const otherHash = (hash: string) => hash.replace(/[0-9a-f]/g, (digit) => (15 - Number.parseInt(digit, 16)).toString(16))

/**
 * A reorg: starting with the affected requests, blocks from `block` on have another hash in `Chaintape-As-Of`. Blocks
 * that the service reports as final keep theirs.
 *
 * @example
 * ```ts
 * import { Faults } from "@chaintape/core/testing"
 *
 * const afterTheFirstPage = Faults.reorg({ skip: 1, block: 100 })
 * ```
 *
 * @since 0.1.0
 * @category faults
 */
export const reorg = ({ block, ...trigger }: FaultTrigger & { readonly block: number }): Fault =>
  makeFault(trigger, (request, pass) =>
    Effect.gen(function* () {
      const response = yield* pass(request)
      const headers = getHeaders(response)
      const replaced = headers["chaintape-as-of"]?.replace(
        /^number=(\d+), hash="(0x[0-9a-f]*)", finalized=\?0(, .*)?$/,
        (text, number: string, hash: string, rest = "") =>
          Number(number) < block ? text : `number=${number}, hash="0x${otherHash(hash.slice(2))}", finalized=?0${rest}`
      )
      const changed = replaced === undefined ? headers : { ...headers, "chaintape-as-of": replaced }
      return answer(request, toResponse(response.status, changed, yield* response.text))
    })
  )

const live = /^\/live\//

/** A chunk may have several events. */
const countEvents = (chunk: Uint8Array) => new TextDecoder().decode(chunk).split("\n\n").length - 1

/**
 * Ends each connection of a live stream after `after` events, of which the first one opens it.
 *
 * @example
 * ```ts
 * import { Faults } from "@chaintape/core/testing"
 *
 * const flapping = Faults.disconnected({ first: 3, after: 5 })
 * ```
 *
 * @since 0.1.0
 * @category faults
 */
export const disconnected = ({ after, path = live, ...trigger }: FaultTrigger & { readonly after: number }): Fault =>
  makeFault({ ...trigger, path }, (request, pass) =>
    Effect.map(pass(request), (response) => {
      let events = 0
      const bytes = Stream.takeUntil(response.stream, (chunk) => {
        events += countEvents(chunk)
        return events >= after
      })
      const reason = new HttpClientError.TransportError({ request, cause: new TypeError("terminated") })
      const broken = Stream.fail(new HttpClientError.HttpClientError({ reason }))
      return withStream(response, Stream.concat(bytes, broken))
    })
  )

/**
 * Holds back the events of a live stream, as some proxies do: it is open, and nothing arrives.
 *
 * @example
 * ```ts
 * import { Faults } from "@chaintape/core/testing"
 *
 * const proxied = Faults.silent({})
 * ```
 *
 * @since 0.1.0
 * @category faults
 */
export const silent = ({ path = live, ...trigger }: FaultTrigger): Fault =>
  makeFault({ ...trigger, path }, (request, pass) =>
    Effect.map(pass(request), (response) => withStream(response, Stream.never))
  )

export { gap } from "./Gap.ts"
