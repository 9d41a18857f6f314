import * as Predicate from "effect/Predicate"

const wrongKey = "The service does not know this key: it is wrong, expired or revoked."

/** A failure as a message for the user. */
export const toSentence = (error: unknown): string => {
  if (Predicate.isTagged(error, "InvalidApiKey")) return wrongKey
  if (Predicate.isTagged(error, "TransportError")) return "The service does not answer. The page retries by itself."
  if (Predicate.isTagged(error, "RequestTimeout"))
    return "The service did not answer in time. The page retries by itself."
  if (Predicate.hasProperty(error, "detail") && Predicate.isString(error.detail)) return error.detail
  return Predicate.isError(error) ? error.message : "An unexpected error occurred. Reload the page."
}

export const isWrongKey = (sentence: string | undefined): boolean => sentence === wrongKey
