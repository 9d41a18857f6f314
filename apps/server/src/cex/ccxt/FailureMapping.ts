import { Option } from "effect"
import { retryAfterMs } from "../../sources/RetryAfter.ts"
import type { ExchangeFailure } from "../ExchangeSource.ts"
import { ExchangeError } from "../ExchangeSource.ts"
import type { CcxtFailure } from "./internal/CcxtFailure.ts"

interface Meaning {
  readonly reason: ExchangeFailure
  readonly what: string
}

const say = (reason: ExchangeFailure, what: string): Meaning => ({ reason, what })

const byStatus = (status: number): Meaning | undefined => {
  if (status === 429 || status === 418) return say("Busy", `limits our requests (status ${status})`)
  if (status === 401 || status === 403 || status === 407 || status === 451) {
    return say("Refused", `refuses requests from here (status ${status})`)
  }
  if (status === 408 || status === 504) return say("Timeout", `gave up on the request (status ${status})`)
  if (status >= 500) return say("Unavailable", `answered with a server error (status ${status})`)
  return undefined
}

const byName = new Map<string, Meaning>([
  ["BadSymbol", say("MarketNotFound", "does not list the market")],
  ["NotSupported", say("NotSupported", "does not offer the operation")],
  ["ArgumentsRequired", say("NotSupported", "does not offer the operation without an account or further arguments")],
  ["AuthenticationError", say("Refused", "asks for an account")],
  ["RestrictedLocation", say("Refused", "refuses requests from this place")],
  ["RateLimitExceeded", say("Busy", "limits our requests")],
  ["DDoSProtection", say("Busy", "limits our requests")],
  ["OnMaintenance", say("Busy", "is under maintenance")],
  ["RequestTimeout", say("Timeout", "did not answer in time")],
  ["ExchangeNotAvailable", say("Unavailable", "is not available")],
  ["NetworkError", say("Unavailable", "could not be reached, or closed the connection")],
  ["BadBody", say("BadResponse", "sent a body that is not what its interface promises")]
])

const rejected = (status: number): Meaning => say("BadResponse", `rejected the request (status ${status})`)

const unexpected = say("BadResponse", "sent an answer that is not what its interface promises")

// A class says of a 400 or a 404 that the exchange is not available; what it means otherwise, it says by name.
const meaningOf = ({ names, status }: CcxtFailure): Meaning => {
  const specific = status === undefined ? undefined : byStatus(status)
  if (specific !== undefined && !names.includes("OnMaintenance")) return specific
  const named = names.map((name) => byName.get(name)).find((meaning) => meaning !== undefined)
  const isRejected = status !== undefined && status >= 300 && (named === undefined || named.reason === "Unavailable")
  return isRejected ? rejected(status) : (named ?? unexpected)
}

/**
 * The port's error for a rejected call. What ccxt says is not repeated: it holds addresses and whole bodies. An error
 * that is none of ccxt's classes (a TypeError on a changed shape) means that the answer could not be read.
 */
export const exchangeError = (exchange: string, failure: CcxtFailure, now: number): ExchangeError => {
  const { reason, what } = meaningOf(failure)
  const wait = retryAfterMs(failure.retryAfter, now)
  return new ExchangeError({
    exchange,
    reason,
    message: `The exchange "${exchange}" ${what}.`,
    ...(Option.isSome(wait) && (reason === "Busy" || reason === "Unavailable") ? { retryAfterMs: wait.value } : {})
  })
}
