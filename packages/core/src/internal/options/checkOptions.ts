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

const locations: ReadonlyArray<unknown> = ["header", "query", "both", undefined]
const logLevels: ReadonlyArray<unknown> = ["off", "warn", "debug", undefined]

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
      return `${name} is "${String(value)}": it must be ${Predicate.isNumber(usual) ? "a number from 0" : "true or false"}`
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
  isDuration(value)
    ? undefined
    : `${name} is "${String(value)}": it must be milliseconds, or a text such as "5 seconds"`

/** Describes the mistake of the option `retry` in a sentence. */
export const findWrongRetry = (retry: unknown): string | undefined => {
  if (retry === undefined) return undefined
  if (!Predicate.isObject(retry)) return `retry is "${String(retry)}": it must be an object such as { attempts: 2 }`
  return findWrongPolicy({ ...retry })
}

const findWrongHook = (options: { readonly [name: string]: unknown }): string | undefined => {
  const wrong = ["onRequest", "onResponse", "onRetry", "onReconnect", "fetch"].find(
    (name) => options[name] !== undefined && !Predicate.isFunction(options[name])
  )
  return wrong === undefined ? undefined : `${wrong} is "${String(options[wrong])}": it must be a function`
}

/** Describes the first wrong option in a sentence, which never contains the key. */
export const findWrongOption = (of: string, options: object, known: ReadonlyArray<string>): string | undefined => {
  const { apiKey, apiKeyLocation, logLevel, retry }: { readonly [name: string]: unknown } = { ...options }
  const key = Redacted.isRedacted(apiKey) ? Redacted.value(apiKey) : apiKey
  return (
    findUnknown(of, options, known) ??
    (key === undefined || (Predicate.isString(key) && key.trim() !== "")
      ? undefined
      : "apiKey is empty: give the key, or leave the option out") ??
    (locations.includes(apiKeyLocation)
      ? undefined
      : `apiKeyLocation is "${String(apiKeyLocation)}": it must be "header", "query" or "both"`) ??
    (logLevels.includes(logLevel)
      ? undefined
      : `logLevel is "${String(logLevel)}": it must be "off", "warn" or "debug"`) ??
    findWrongRetry(retry) ??
    findWrongHook({ ...options })
  )
}

/** Throws a `TypeError` that names the first option that is wrong. */
export const checkOptions = (of: string, options: object, known: ReadonlyArray<string>): void => {
  const wrong = findWrongOption(of, options, known)
  if (wrong !== undefined) throw new TypeError(wrong)
}
