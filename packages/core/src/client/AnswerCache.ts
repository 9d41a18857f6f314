/**
 * Keeps answers, as far as the service allows it.
 *
 * @since 0.1.0
 */
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type * as Operation from "../api/Operation.ts"
import { answerOf, makeKeptAnswers, revalidating } from "../internal/keptAnswers.ts"
import { encodeRequest, identityOf } from "../internal/request.ts"
import { type Kept, Revalidation } from "../internal/revalidation.ts"
import { type CallOptions, Client } from "./Client.ts"

/**
 * How much a cache keeps. What was used longest ago goes first, and an answer larger than `bytes` is not kept.
 *
 * @since 0.1.0
 * @category models
 *
 * @example
 * ```ts
 * import type { AnswerCacheOptions } from "@chaintape/core/client/AnswerCache"
 *
 * const small: AnswerCacheOptions = { entries: 100, bytes: 2 ** 20 }
 * ```
 */
export interface AnswerCacheOptions {
  /** Answers at most; 1,000 by default. */
  readonly entries?: number
  /** Characters of all bodies together, as they were received; 32 MiB by default. Decoded, they take more memory. */
  readonly bytes?: number
}

/**
 * A client that keeps the answers of the client of the surroundings. An answer that the service calls immutable, or
 * young enough by its `max-age`, is given again without a request; any other is asked for with its `ETag`, and given
 * again when the service says that it still holds. What the service does not allow to be kept is not kept. An answer
 * that came without a request has no `requestId`, `remaining` and `resetAfterMs`. The key is never in the cache, and
 * problems are not kept.
 *
 * @example
 * ```ts
 * import * as AnswerCache from "@chaintape/core/client/AnswerCache"
 * import { Client } from "@chaintape/core/client/Client"
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
      const kept = makeKeptAnswers({ entries: options.entries ?? 1000, bytes: options.bytes ?? 32 * 2 ** 20 })

      const read = <Op extends Operation.Any>(
        identity: string,
        operation: Op,
        request: Operation.Request<Op>,
        call: CallOptions | undefined
      ) =>
        Effect.flatMap(Clock.currentTimeMillis, (now) => {
          const known = kept.find(identity)
          // A clock that was set back makes no answer young again.
          if (known !== undefined && now >= known.asked && now < known.freshUntil) {
            return Effect.succeed(answerOf(operation, known))
          }
          const keep = (answer: Kept) => kept.keep(identity, answer, now)
          return client
            .call(operation, request, call)
            .pipe(Effect.provideService(Revalidation, revalidating(known, keep)))
        })

      return Client.of({
        call: (operation, request, call) =>
          Effect.flatMap(encodeRequest(operation, request), (encoded) =>
            read(identityOf(operation, encoded), operation, request, call)
          )
      })
    })
  )
