/** Options that a program without types may misspell. */
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Redacted from "effect/Redacted"
import type { ClientOptions } from "../../options/ClientOptions.ts"
import { standard } from "../../options/RetryPolicy.ts"

export const clientOptions = [
  "baseUrl",
  "apiKey",
  "apiKeyLocation",
  "retry",
  "logLevel",
  "onRequest",
  "onResponse",
  "onRetry",
  "onReconnect"
] as const satisfies ReadonlyArray<keyof ClientOptions>

const toMistake = (name: string, given: unknown, rule: string): string =>
  `${name} is "${String(given)}": it must be ${rule}`

/** Describes the first option with an unknown name in a sentence. */
export const findUnknown = (of: string, given: object, known: ReadonlyArray<string>): string | undefined => {
  const unknown = Object.keys(given).find((name) => !known.includes(name))
  return unknown === undefined ? undefined : `"${unknown}" is not an option of ${of}: it has ${known.join(", ")}`
}

/** Describes the first mistake of a retry policy in a sentence. */
const findWrongPolicy = (policy: { readonly [name: string]: unknown }): string | undefined => {
  const unknown = findUnknown("retry", policy, Object.keys(standard))
  if (unknown !== undefined) return unknown
  for (const [name, usual] of Object.entries(standard)) {
    const value = policy[name]
    if (value === undefined) continue
    if (Duration.isDuration(usual)) {
      const wrong = findWrongDuration(name, value)
      if (wrong !== undefined) return wrong
    } else if (typeof value !== typeof usual || (Predicate.isNumber(value) && !(value >= 0))) {
      return toMistake(name, value, Predicate.isNumber(usual) ? "a number from 0" : "true or false")
    }
  }
  return undefined
}

/** Whether a value is a duration from 0. Effect takes what is not a number for 0. Without types a caller can pass anything. */
export const isDuration = (value: unknown): value is Duration.Input =>
  !Number.isNaN(value) &&
  Option.exists(Duration.fromInput(value as Duration.Input), (given) => Duration.toMillis(given) >= 0)

/** Describes the mistake of a duration in a sentence. */
export const findWrongDuration = (name: string, value: unknown): string | undefined =>
  isDuration(value) ? undefined : toMistake(name, value, 'milliseconds, or a text such as "5 seconds"')

/** Describes the mistake of the option `retry` in a sentence. */
export const findWrongRetry = (retry: unknown): string | undefined => {
  if (retry === undefined) return undefined
  if (!Predicate.isObject(retry)) return toMistake("retry", retry, "an object such as { attempts: 2 }")
  return findWrongPolicy({ ...retry })
}

const findWrongHook = (options: { readonly [name: string]: unknown }): string | undefined => {
  const wrong = ["onRequest", "onResponse", "onRetry", "onReconnect", "fetch"].find(
    (name) => options[name] !== undefined && !Predicate.isFunction(options[name])
  )
  return wrong === undefined ? undefined : toMistake(wrong, options[wrong], "a function")
}

/**
 * Describes the mistake of a key in a sentence. Runtimes send Latin-1 without control characters in a header (RFC 9110,
 * 5.5), and replace half of a surrogate pair in a URL.
 */
const findWrongKey = (given: unknown, location: unknown): string | undefined => {
  if (given === undefined) return undefined
  const value = Redacted.isRedacted(given) ? Redacted.value(given) : undefined
  const key = Predicate.isString(value) ? value.trim() : ""
  if (key === "") return "apiKey is empty or not redacted: give the key, or none"
  const isQuery = location === "query"
  return (isQuery ? key.isWellFormed() : /^[\t -~\x80-\xff]*$/.test(key))
    ? undefined
    : `apiKey has a character that no ${isQuery ? "URL" : "header"} can carry: copy the key again`
}

const findWrongChoice = (name: string, given: unknown, choices: ReadonlyArray<unknown>): string | undefined =>
  given === undefined || choices.includes(given) ? undefined : toMistake(name, given, `one of ${choices.join(", ")}`)

/** Describes the mistake of a base URL in a sentence. */
const findWrongUrl = (given: unknown): string | undefined => {
  const text = String(given)
  const isBaseUrl = /^\s*https?:[^?#]*$/i.test(text) && URL.canParse(text)
  // `fetch` refuses an address with a user or a password in each call.
  if (isBaseUrl && !/:\/\/[^/]*@/.test(new URL(text).href)) return undefined
  const rule = "an address such as http://127.0.0.1:3000, without a password or a query"
  return given === undefined
    ? `baseUrl is not set: give ${rule}`
    : toMistake("baseUrl", text.replace(/[^]*@/, ""), rule)
}

/** Describes the first wrong option in a sentence, which begins with its name and never contains the key. */
export const findWrongOption = (of: string, options: object, known: ReadonlyArray<string>): string | undefined => {
  const all: { readonly [name: string]: unknown } = { ...options }
  const { apiKey, apiKeyLocation, baseUrl, logLevel, retry } = all
  return (
    findUnknown(of, options, known) ??
    findWrongUrl(baseUrl) ??
    findWrongKey(apiKey, apiKeyLocation) ??
    findWrongChoice("apiKeyLocation", apiKeyLocation, ["header", "query", "both"]) ??
    findWrongChoice("logLevel", logLevel, ["off", "warn", "debug"]) ??
    findWrongRetry(retry) ??
    findWrongHook(all)
  )
}

/** Throws a `TypeError` that names the first option that is wrong. */
export const checkOptions = (of: string, options: object, known: ReadonlyArray<string>): void => {
  const wrong = findWrongOption(of, options, known)
  if (wrong !== undefined) throw new TypeError(wrong)
}
