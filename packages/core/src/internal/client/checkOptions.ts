/** Options that a program without types may misspell. */
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import type { ClientOptions } from "../../client/ClientOptions.ts"
import { standard } from "../../client/RetryPolicy.ts"

export const clientOptions = ["baseUrl", "apiKey", "apiKeyLocation", "retry"] as const satisfies ReadonlyArray<
  keyof ClientOptions
>

const locations: ReadonlyArray<unknown> = ["header", "query", "both", undefined]

/** What is wrong with the names of some options, as a sentence. */
export const findUnknown = (of: string, given: object, known: ReadonlyArray<string>): string | undefined => {
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  return unknown === undefined ? undefined : `"${unknown}" is not an option of ${of}: it has ${known.join(", ")}`
}

/** What is wrong with a retry policy, as a sentence. */
export const findWrongPolicy = (policy: object): string | undefined =>
  findUnknown("retry", policy, Object.keys(standard))

/** Throws a `TypeError` that names the first option that is wrong. The message never contains the key. */
export const checkOptions = (of: string, options: object, known: ReadonlyArray<string>): void => {
  const { apiKey, apiKeyLocation, retry }: { readonly [name: string]: unknown } = { ...options }
  const key = Redacted.isRedacted(apiKey) ? Redacted.value(apiKey) : apiKey
  const wrong =
    findUnknown(of, options, known) ??
    (key === undefined || (Predicate.isString(key) && key.trim() !== "")
      ? undefined
      : "apiKey is empty: give the key of the service, or leave the option out") ??
    (locations.includes(apiKeyLocation)
      ? undefined
      : `apiKeyLocation is "${String(apiKeyLocation)}": it must be "header", "query" or "both"`) ??
    (retry === undefined || (Predicate.isObject(retry) && findWrongPolicy(retry) === undefined)
      ? undefined
      : Predicate.isObject(retry)
        ? findWrongPolicy(retry)
        : `retry is "${String(retry)}": it must be an object such as { attempts: 2 }`)
  if (wrong !== undefined) throw new TypeError(wrong)
}
