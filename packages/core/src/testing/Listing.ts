/**
 * Lists as the service returns them: sorted, and a page of them.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import * as assert from "node:assert/strict"
 * import { Script } from "@chaintape/core/testing"
 *
 * const rows = [
 *   { id: "a", amount: "9" },
 *   { id: "b", amount: "10" }
 * ]
 * const request: Script.PageRequest = { orderBy: "amount", orderDirection: "desc", limit: 1 }
 *
 * assert.deepEqual(Script.pageOf(rows, request, Script.byField("id")), [{ id: "b", amount: "10" }])
 * ```
 */
import * as BigDecimal from "effect/BigDecimal"
import * as DateTime from "effect/DateTime"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"

/**
 * The parameters of a list.
 *
 * @since 0.1.0
 * @category models
 */
export interface PageRequest {
  /** Elements at most; all if not given. */
  readonly limit?: number | undefined
  /** Elements to leave out at the beginning; 0 if not given. */
  readonly skip?: number | undefined
  /** The field to sort by. */
  readonly orderBy?: string | undefined
  /** The direction of `orderBy`; ascending if not given. */
  readonly orderDirection?: "asc" | "desc" | undefined
}

const textFields = new Set([
  "name",
  "symbol",
  "logo",
  "origin",
  "owner",
  "sender",
  "recipient",
  "transactionId",
  "author"
])

type Key = string | BigDecimal.BigDecimal

const getField = (row: object, name: string): unknown => Object.entries(row).find(([field]) => field === name)?.[1]

/** The sort key of a value. Unknown values come first. */
const getKey = (field: string, value: unknown): Key => {
  if (Option.isOption(value)) return Option.isSome(value) ? getKey(field, value.value) : ""
  if (DateTime.isDateTime(value)) return BigDecimal.fromBigInt(BigInt(DateTime.toEpochMillis(value)))
  if (Predicate.isBigInt(value)) return BigDecimal.fromBigInt(value)
  if (Predicate.isObject(value) && "id" in value) return String(value.id)
  const text = String(value)
  if (text === "") return ""
  return textFields.has(field) ? text : Option.getOrElse(BigDecimal.fromString(text), () => text)
}

const compareTexts = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1)

const compareKeys = (a: Key, b: Key): number => {
  if (Predicate.isString(a)) return Predicate.isString(b) ? compareTexts(a, b) : -1
  return Predicate.isString(b) ? 1 : BigDecimal.Order(a, b)
}

/** By the hash, and then by the log index as a number; an id without an index is compared as text. */
const compareIds = (a: unknown, b: unknown): number => {
  const [hash = "", index = "0"] = String(a).split("#")
  const [otherHash = "", otherIndex = "0"] = String(b).split("#")
  return compareTexts(hash, otherHash) || Number(index) - Number(otherIndex)
}

/**
 * Compares two rows by a field as the service does: decimals of any length by value, texts by code point, objects by
 * their id. Rows without the field are equal.
 *
 * @since 0.1.0
 * @category ordering
 */
export const byField =
  (field: string, direction: "asc" | "desc" = "asc") =>
  (a: object, b: object): number => {
    const [one, other] = [getField(a, field), getField(b, field)]
    if (one === undefined || other === undefined) return 0
    const order = field === "id" ? compareIds(one, other) : compareKeys(getKey(field, one), getKey(field, other))
    return direction === "asc" ? order : -order
  }

const has = (field: string) => (row: object) => getField(row, field) !== undefined

/**
 * The page of a list for a request. If it has no sort order, or no row has the field, the rows are in the order
 * `standard`; ties are ordered by `tie`.
 *
 * @since 0.1.0
 * @category pages
 */
export const pageOf = <A extends object>(
  rows: ReadonlyArray<A>,
  { limit, orderBy, orderDirection, skip = 0 }: PageRequest,
  standard: (a: A, b: A) => number,
  tie = "id"
): ReadonlyArray<A> => {
  const order = orderBy !== undefined && rows.some(has(orderBy)) ? byField(orderBy, orderDirection) : standard
  return rows
    .toSorted((a, b) => order(a, b) || byField(tie)(a, b))
    .slice(skip, limit === undefined ? undefined : skip + limit)
}
