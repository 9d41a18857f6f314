import * as Predicate from "effect/Predicate"

/** A source that the service does not have or the key may not read, and one that does not answer. */
const tags: ReadonlySet<string> = new Set([
  "ExchangeNotFound",
  "BlockchainNotFound",
  "BlockNotFound",
  "OperationNotSupported",
  "KeyNotAllowed",
  "UpstreamFailed",
  "UpstreamBusy",
  "UpstreamTimeout",
  "NotReady",
  "Overloaded",
  "Internal",
  "UnexpectedResponse",
  "RequestTimeout",
  "TransportError"
])

/**
 * Whether an error may be of one source. Others, such as `InvalidApiKey`, are of every request. A service that is gone
 * fails the read of the status, which comes first.
 */
export const isSourceUnavailable = (error: unknown): boolean =>
  Predicate.hasProperty(error, "_tag") && Predicate.isString(error._tag) && tags.has(error._tag)
