import * as Predicate from "effect/Predicate"

/** An error as the page shows it. */
export interface ShownProblem {
  readonly message: string
  readonly isWrongKey: boolean
}

/** The response of a proxy whose service is gone, or of another version of the service. */
const toUnexpectedText = (status: unknown): string =>
  Predicate.isNumber(status) && status >= 400
    ? `The response has status ${status}, and may be from a program in front of the service. The page retries by itself.`
    : "The service answered in a form that this page does not know: reload the page."

const toMessage = (error: unknown): string => {
  if (Predicate.isTagged(error, "InvalidApiKey"))
    return "The service does not know this key: it is wrong, expired or revoked."
  if (Predicate.isTagged(error, "TransportError")) return "The service does not answer. The page retries by itself."
  if (Predicate.isTagged(error, "RequestTimeout"))
    return "The service did not answer in time. The page retries by itself."
  if (Predicate.isTagged(error, "UnexpectedResponse") && Predicate.hasProperty(error, "status"))
    return toUnexpectedText(error.status)
  if (Predicate.hasProperty(error, "detail") && Predicate.isString(error.detail)) return error.detail
  return Predicate.isError(error) ? error.message : "An unexpected error occurred. Reload the page."
}

export const toShownProblem = (error: unknown): ShownProblem => ({
  message: toMessage(error),
  isWrongKey: Predicate.isTagged(error, "InvalidApiKey")
})
