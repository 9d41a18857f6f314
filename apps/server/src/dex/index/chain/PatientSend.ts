import { Effect } from "effect"
import type { BlockSourceError } from "../../../blocks/BlockSource.ts"
import type { RpcCall } from "../../../blocks/rpc/JsonRpc.ts"
import { backoffMs } from "../../../internal/backoff.ts"

type Send = (calls: ReadonlyArray<RpcCall>) => Effect.Effect<ReadonlyArray<unknown>, BlockSourceError>

const attempts = 6
const backoff = { firstMs: 100, longestMs: 3200 }
/** The longest pause that a node may demand. If it demands more, the whole index stops using it for that time. */
const longestDemandMs = 10_000

/**
 * Retries a request while its node limits the rate. A range takes many requests; if one refused request restarted the
 * range, an index would never finish with a node that refuses some requests all the time.
 */
export const patientSend = (send: Send): Send => {
  const attempt = (
    calls: ReadonlyArray<RpcCall>,
    number: number
  ): Effect.Effect<ReadonlyArray<unknown>, BlockSourceError> =>
    send(calls).pipe(
      Effect.catchIf(
        ({ reason, retryAfterMs = 0 }) => reason === "Busy" && number < attempts && retryAfterMs <= longestDemandMs,
        ({ retryAfterMs }) =>
          backoffMs(number, backoff, retryAfterMs).pipe(
            Effect.flatMap((wait) => Effect.sleep(wait)),
            Effect.andThen(Effect.suspend(() => attempt(calls, number + 1)))
          )
      )
    )
  return (calls) => attempt(calls, 1)
}
