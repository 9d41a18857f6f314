/**
 * Every invalid parameter of a request, as sentences.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import * as assert from "node:assert/strict"
 * import { Operation } from "@chaintape/core/operations"
 * import * as CexOperations from "@chaintape/core/operations/cex"
 *
 * const path = { exchange: "kraken", market: "BTC" }
 * const issues = Operation.parameterIssues(CexOperations.trades, path, { limit: "0" })
 *
 * assert.deepEqual(
 *   issues.map(({ parameter }) => parameter),
 *   ["market", "limit"]
 * )
 * assert.equal(Operation.invalidParameter(issues).status, 400)
 * ```
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { InvalidParameter } from "../problem/Problem.ts"
import type { Any } from "./Operation.ts"
import type { Parameter } from "./Parameter.ts"

/**
 * One issue: the parameter's name, and what is wrong with its value.
 *
 * @since 0.1.0
 * @category models
 */
export interface Issue {
  /** The name of the parameter. */
  readonly parameter: string
  /** Describes the mistake in its value, and the values that are allowed. */
  readonly message: string
}

type Raw = string | ReadonlyArray<string> | undefined

const maxQuotedLength = 100
/** Unknown parameters listed by name: a problem must not be much larger than its request. */
const maxUnknown = 10

const quoted = (text: string) =>
  text.length > maxQuotedLength ? `"${text.slice(0, maxQuotedLength)}…" (${text.length} characters)` : `"${text}"`

type AnyParameter = Parameter<Schema.Codec<unknown, string | undefined>>

const decode = (parameter: AnyParameter, raw: string | undefined) =>
  Schema.decodeUnknownOption(Schema.Struct({ value: parameter.schema }))(raw === undefined ? {} : { value: raw }).pipe(
    Option.map(({ value }) => value)
  )

const check = (name: string, parameter: AnyParameter, raw: Raw, values: Map<string, unknown>): string | undefined => {
  if (typeof raw === "object") return `"${name}" is given ${raw.length} times: give it once`
  const value = decode(parameter, raw)
  if (Option.isNone(value)) return `${quoted(raw ?? "")} is not allowed: it must be ${parameter.rule}`
  values.set(name, value.value)
  return undefined
}

const own = (record: { readonly [name: string]: Raw }, name: string): Raw =>
  Object.hasOwn(record, name) ? record[name] : undefined

/**
 * Checks the parameters of a request, path and query together. The list is empty if all are valid.
 *
 * @since 0.1.0
 * @category validation
 */
export const parameterIssues = (
  operation: Any,
  path: { readonly [name: string]: Raw },
  query: { readonly [name: string]: Raw }
): ReadonlyArray<Issue> => {
  const issues: Array<Issue> = []
  const values = new Map<string, unknown>()
  const add = (parameter: string, message: string | undefined) => {
    if (message !== undefined) issues.push({ parameter, message })
  }
  for (const [name, parameter] of Object.entries(operation.params)) {
    add(name, check(name, parameter, own(path, name), values))
  }
  for (const [name, parameter] of Object.entries(operation.query)) {
    add(name, check(name, parameter, own(query, name), values))
  }
  const allowed = ["apiKey", ...Object.keys(operation.query)]
  const unknown = Object.keys(query).filter((name) => !allowed.includes(name))
  const [first, ...others] = unknown
  if (first !== undefined) {
    add(first.slice(0, maxQuotedLength), `${quoted(first)} is not a parameter here: allowed are ${allowed.join(", ")}`)
  }
  for (const name of others.slice(0, maxUnknown - 1)) {
    add(name.slice(0, maxQuotedLength), `${quoted(name)} is not a parameter here either`)
  }
  if (unknown.length > maxUnknown) {
    const further = unknown[maxUnknown] ?? ""
    const total = `${unknown.length} parameters are unknown in total`
    add(further.slice(0, maxQuotedLength), `${quoted(further)} is not a parameter here either; ${total}`)
  }
  const keys = own(query, "apiKey")
  if (typeof keys === "object") add("apiKey", `"apiKey" is given ${keys.length} times: give it once`)
  for (const relation of operation.relations) {
    if (!relation.holds(Object.fromEntries(values))) add(relation.parameter, relation.rule)
  }
  return issues
}

const maxReported = 5

/**
 * The problem that lists the issues.
 *
 * @since 0.1.0
 * @category constructors
 */
export const invalidParameter = (issues: ReadonlyArray<Issue>): InvalidParameter =>
  new InvalidParameter({
    detail: [
      ...issues.slice(0, maxReported).map(({ message, parameter }) => `Parameter "${parameter}": ${message}.`),
      ...(issues.length > maxReported ? [`And ${issues.length - maxReported} more: see issues.`] : [])
    ].join(" "),
    issues
  })
