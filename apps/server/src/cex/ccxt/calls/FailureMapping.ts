import { Clock, Effect, Option } from "effect"
import { parseRetryAfter } from "../../../sources/RetryAfter.ts"
import { toSourceFailure } from "../../../sources/SourceFailure.ts"
import type { ExchangeErrorReason } from "../../ExchangeSource.ts"
import { ExchangeError } from "../../ExchangeSource.ts"
import { CcxtError } from "../class/CcxtError.ts"

interface Meaning {
  readonly reason: ExchangeErrorReason
  readonly what: string
}

const makeMeaning = (reason: ExchangeErrorReason, what: string): Meaning => ({ reason, what })

const statusMessages = {
  Busy: "limits our requests",
  Refused: "refuses requests from here",
  Timeout: "gave up on the request",
  Unavailable: "answered with a server error"
} as const

const byStatus = (status: number): Meaning | undefined => {
  const reason = toSourceFailure(status)
  if (reason === undefined || reason === "BadResponse") return undefined
  return makeMeaning(reason, `${statusMessages[reason]} (status ${status})`)
}

const byName = new Map<string, Meaning>([
  ["BadSymbol", makeMeaning("MarketNotFound", "does not list the market")],
  ["BadRequest", makeMeaning("Rejected", "rejected the request")],
  ["NotSupported", makeMeaning("NotSupported", "does not offer the operation")],
  [
    "ArgumentsRequired",
    makeMeaning("NotSupported", "does not offer the operation without an account or further arguments")
  ],
  ["AuthenticationError", makeMeaning("Refused", "asks for an account")],
  ["RestrictedLocation", makeMeaning("Refused", "refuses requests from this place")],
  ["RateLimitExceeded", makeMeaning("Busy", "limits our requests")],
  ["DDoSProtection", makeMeaning("Busy", "limits our requests")],
  ["OnMaintenance", makeMeaning("Busy", "is under maintenance")],
  ["RequestTimeout", makeMeaning("Timeout", "did not answer in time")],
  ["ExchangeNotAvailable", makeMeaning("Unavailable", "is not available")],
  ["NetworkError", makeMeaning("Unavailable", "could not be reached, or closed the connection")],
  ["BadBody", makeMeaning("BadResponse", "sent a body that is not what its interface promises")]
])

const rejected = (status: number): Meaning => makeMeaning("Rejected", `rejected the request (status ${status})`)

const unexpected = makeMeaning("BadResponse", "sent an answer that is not what its interface promises")

/** The status says more than these names. */
const mayBeRejection = new Set<ExchangeErrorReason>(["Unavailable", "Rejected"])

// A class reports a 400 or a 404 as "exchange not available"; other meanings have names of their own.
const toMeaning = ({ names, status }: CcxtError): Meaning => {
  const specific = status === undefined ? undefined : byStatus(status)
  if (specific !== undefined && !names.includes("OnMaintenance")) return specific
  const named = names.map((name) => byName.get(name)).find((meaning) => meaning !== undefined)
  const isRejected = status !== undefined && status >= 300 && (named === undefined || mayBeRejection.has(named.reason))
  return isRejected ? rejected(status) : (named ?? unexpected)
}

/**
 * The port's error for a rejected call. ccxt's message is not repeated: it contains URLs and whole bodies. An error
 * outside ccxt's hierarchy (a TypeError on a changed shape) means that the response could not be parsed.
 */
export const exchangeError = (exchange: string, failure: CcxtError, now: number): ExchangeError => {
  const { reason, what } = toMeaning(failure)
  const wait = parseRetryAfter(failure.retryAfter, now)
  return new ExchangeError({
    exchange,
    reason,
    message: `The exchange "${exchange}" ${what}.`,
    ...(Option.isSome(wait) && (reason === "Busy" || reason === "Unavailable") ? { retryAfterMs: wait.value } : {})
  })
}

/** Calls ccxt: a rejection becomes the port's error. Any other than ccxt's is a defect. */
export const callCcxt = <A>(exchange: string, call: (signal: AbortSignal) => Promise<A>) =>
  Effect.tryPromise(call).pipe(
    Effect.catch(
      Effect.fnUntraced(function* ({ cause }): Effect.fn.Return<never, ExchangeError> {
        if (!(cause instanceof CcxtError)) return yield* Effect.die(cause)
        yield* Effect.logDebug("exchange call failed", { exchange, message: cause.message })
        return yield* exchangeError(exchange, cause, yield* Clock.currentTimeMillis)
      })
    )
  )
