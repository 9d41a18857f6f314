/**
 * Converts values of the Effect client for the promise client. Internal because the type of a traversed value is not known
 * statically, which the cast here states once for every caller.
 */
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type { Plain } from "../../promise/call/Plain.ts"

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
