import { Effect, Random } from "effect"
import type { BlockSourceError } from "../../blocks/BlockSource.ts"
import type { RpcCall } from "../../blocks/rpc/JsonRpc.ts"

type Send = (calls: ReadonlyArray<RpcCall>) => Effect.Effect<ReadonlyArray<unknown>, BlockSourceError>

const attempts = 6
const firstDelayMs = 100
/** A node that demands more is left alone by the whole index. */
const longestDemandMs = 10_000

/**
 * Sends a request again when its node limits the service. A range takes many requests, and began anew with each of
 * them an index would never be done with a node that refuses some of its requests all the time.
 */
export const patientSend = (send: Send): Send => {
  const attempt = (
    calls: ReadonlyArray<RpcCall>,
    number: number
  ): Effect.Effect<ReadonlyArray<unknown>, BlockSourceError> =>
    send(calls).pipe(
      Effect.catchIf(
        ({ reason, retryAfterMs = 0 }) => reason === "Busy" && number < attempts && retryAfterMs <= longestDemandMs,
        ({ retryAfterMs = 0 }) =>
          Effect.gen(function* () {
            const growing = firstDelayMs * 2 ** (number - 1)
            yield* Effect.sleep(Math.max(retryAfterMs, growing * (0.5 + (yield* Random.next) / 2)))
            return yield* attempt(calls, number + 1)
          })
      )
    )
  return (calls) => attempt(calls, 1)
}
