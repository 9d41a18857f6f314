/**
 * Converts values between the Effect client and the promise client. Internal because the type of a traversed value is
 * not known statically, which the casts here state once for every caller.
 */
import * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type * as Operation from "../../api/Operation.ts"
import type { Parameter } from "../../api/Parameter.ts"
import { type RetryPolicy, standard } from "../../client/RetryPolicy.ts"
import type { PlainRequest, PlainStreamRequest } from "../../promise/Call.ts"
import type { Plain } from "../../promise/Plain.ts"
import type { PlainRetryPolicy } from "../../promise/PlainRetryPolicy.ts"

const isRecord = (value: object): value is { readonly [name: string]: unknown } =>
  Object.getPrototypeOf(value) === Object.prototype

const walk = (value: unknown): unknown => {
  if (!Predicate.isObjectKeyword(value)) return value
  if (DateTime.isDateTime(value)) return DateTime.toDateUtc(value)
  if (Option.isOption(value)) return Option.isSome(value) ? walk(value.value) : undefined
  if (Array.isArray(value)) return value.map(walk)
  if (!isRecord(value)) return value
  const plain: { [name: string]: unknown } = {}
  for (const name of Object.keys(value)) plain[name] = walk(value[name])
  return plain
}

export const toPlain = <A>(value: A): Plain<A> => walk(value) as Plain<A>

/** A text in any form that a URL may contain: `btc-usd` for `BTC/USD`, an address in any letter case. */
const normalized = (parameter: Parameter<Schema.Codec<unknown, string | undefined>>, text: string): string => {
  const decoded = Schema.decodeUnknownOption(parameter.schema)(text)
  return Option.isSome(decoded) && Predicate.isString(decoded.value) ? decoded.value : text
}

const isValidDate = (value: unknown): value is Date => value instanceof Date && !Number.isNaN(value.getTime())

/** A value that the operation does not accept is passed on unchanged, also undefined: the call reports it. */
const toValues = (operation: Operation.Any, plain: object | undefined): { readonly [name: string]: unknown } => {
  const values: { [name: string]: unknown } = {}
  const parameters = { ...operation.params, ...operation.query }
  for (const [name, value] of Object.entries(plain ?? {})) {
    const parameter = Object.hasOwn(parameters, name) ? parameters[name] : undefined
    values[name] = isValidDate(value)
      ? DateTime.fromDateUnsafe(value)
      : Predicate.isString(value) && parameter !== undefined
        ? normalized(parameter, value)
        : value
  }
  return values
}

export const toRequest = <Op extends Operation.Any>(operation: Op, plain: PlainRequest<Op>): Operation.Request<Op> =>
  toValues(operation, plain) as Operation.Request<Op>

/** Throws if it is not an object: without types a caller can pass anything. */
export const toDuration = (name: string, input: unknown): Duration.Duration =>
  Option.getOrThrowWith(
    Duration.fromInput(input as Duration.Input),
    () => new TypeError(`${name} is "${String(input)}": it must be milliseconds, or a text such as "5 seconds"`)
  )

const durations = ["pollEvery", "settle"]

/** A stream has options of its own besides the parameters of its operation. */
export const toStreamRequest = <R extends object>(operation: Operation.Any, plain: PlainStreamRequest<R>): R =>
  Object.fromEntries(
    Object.entries(toValues(operation, plain)).map(([name, value]) => [
      name,
      durations.includes(name) && value !== undefined ? toDuration(name, value) : value
    ])
  ) as R

export const toPolicy = (plain: PlainRetryPolicy): Partial<RetryPolicy> =>
  Object.fromEntries(
    Object.entries(plain).map(([name, value]) => [
      name,
      value !== undefined && Duration.isDuration(standard[name as keyof RetryPolicy]) ? toDuration(name, value) : value
    ])
  ) as Partial<RetryPolicy>
