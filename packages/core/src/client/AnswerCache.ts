/**
 * A cache of responses, which follows the service's `Cache-Control`.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { type CachedResponse, getAnswer, makeResponseCache, makeRevalidation } from "../internal/cache/responseCache.ts"
import { Revalidation } from "../internal/cache/revalidation.ts"
import { encodeRequest, toIdentity } from "../internal/transport/request.ts"
import type * as Operation from "../operation/Operation.ts"
import { type CallOptions, Client } from "./Client.ts"

/**
 * The capacity of a cache. The least recently used response is evicted first; a response larger than `bytes` is not
 * stored.
 *
 * @since 0.1.0
 * @category models
 *
 * @example
 * ```ts
 * import type { AnswerCache } from "@chaintape/core"
 *
 * const small: AnswerCache.AnswerCacheOptions = { entries: 100, bytes: 2 ** 20 }
 * ```
 */
export interface AnswerCacheOptions {
  /** Maximum number of responses; 1,000 by default. */
  readonly entries?: number
  /** Bytes of all bodies together in UTF-8; 32 MiB by default. Decoded values take more memory. */
  readonly bytes?: number
}

/**
 * A client that caches the responses of the `Client` in the context. A response that is immutable, or fresh by its
 * `max-age`, is returned without a request; any other is revalidated with its `ETag`, and returned if it is unchanged.
 * Responses that the service does not allow to be stored are not. A response without a request has no `requestId`,
 * `remaining` and `resetAfterMs`. The cache never contains the key, and problems are not cached.
 *
 * @example
 * ```ts
 * import { AnswerCache, Client } from "@chaintape/core"
 * import * as Layer from "effect/Layer"
 *
 * export const client = AnswerCache.layer({ entries: 200 }).pipe(
 *   Layer.provide(Client.layer({ baseUrl: "http://127.0.0.1:3000" }))
 * )
 * ```
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (options: AnswerCacheOptions = {}): Layer.Layer<Client, never, Client> =>
  Layer.effect(
    Client,
    Effect.gen(function* () {
      const client = yield* Client
      const cache = makeResponseCache({ entries: options.entries ?? 1000, bytes: options.bytes ?? 32 * 2 ** 20 })

      const read = <Op extends Operation.Any>(
        identity: string,
        operation: Op,
        request: Operation.Input<Op>,
        call: CallOptions | undefined
      ) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const known = cache.find(identity)
          // A response does not become fresh again if the clock is set back.
          if (known !== undefined && now >= known.requestedAt && now < known.freshUntil) {
            return Effect.succeed(getAnswer(operation, known))
          }
          const store = (answer: CachedResponse) => cache.store(identity, answer, now)
          return client
            .call(operation, request, call)
            .pipe(Effect.provideService(Revalidation, makeRevalidation(known, store)))
        })

      return Client.of({
        call: (operation, request, call) =>
          Effect.flatMap(encodeRequest(operation, request), (encoded) =>
            read(toIdentity(operation, encoded), operation, request, call)
          )
      })
    })
  )
