/** The request of a stream: converted, and checked before anything is sent. */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import type * as Operation from "../../operation/Operation.ts"
import type { InvalidParameter } from "../../problem/Problem.ts"
import { fromTimeInput } from "../../time/Timestamp.ts"
import { isDuration } from "../options/checkOptions.ts"
import { toInvalidParameter, toInvalidValue } from "../transport/request.ts"

interface StreamOption {
  /** Completes the sentence "it must be ...". */
  readonly rule: string
  readonly accepts: (value: unknown) => boolean
  readonly convert?: (input: unknown) => unknown
}

const oneOf = (...values: ReadonlyArray<string>): StreamOption => ({
  rule: values.join(" or "),
  accepts: (value) => values.some((one) => one === value)
})

const duration: StreamOption = {
  rule: 'milliseconds, or a text such as "5 seconds"',
  accepts: isDuration
}

const time: StreamOption = {
  rule: "a time since 1970: a Date, Unix milliseconds, an ISO 8601 text or a DateTime",
  accepts: DateTime.isDateTime,
  convert: fromTimeInput
}

const cursor: StreamOption = { rule: "the cursor of a page", accepts: Predicate.isString }
const pageSize: StreamOption = { rule: "an integer", accepts: Predicate.isNumber }

/** The options of streams besides the parameters of their operations. */
export const tradeOptions = {
  since: time,
  until: time,
  live: { rule: "true or false", accepts: Predicate.isBoolean },
  pollEvery: duration,
  settle: duration,
  pageSize,
  cursor
} as const
export const pageOptions = { pageSize, cursor } as const
export const kindOptions = { ...pageOptions, kind: oneOf("swap", "mint", "burn") } as const
export const sideOptions = { ...kindOptions, as: oneOf("token0", "token1") } as const
export const liveOptions = { pollEvery: duration, cursor } as const

interface Rules {
  readonly options: { readonly [name: string]: StreamOption }
  /** Parameters of the operation that the stream sets itself. */
  readonly without: ReadonlyArray<string>
  /** Options that are required. */
  readonly required?: ReadonlyArray<string>
}

/** The request with its values converted; without types a caller can pass anything, or nothing. */
export const checkRequest = <Checked>(
  { params, query }: Operation.Any,
  request: object,
  { options, required = [], without }: Rules
): Effect.Effect<Checked, InvalidParameter> =>
  Effect.suspend(() => {
    const given: { readonly [name: string]: unknown } = { ...request }
    const parameters = { ...params, ...query }
    const names = [
      ...new Set([...Object.keys(parameters).filter((name) => !without.includes(name)), ...Object.keys(options)])
    ]
    const checked: { [name: string]: unknown } = {}
    for (const [name, input] of Object.entries(given)) {
      if (input === undefined) continue
      if (!names.includes(name)) {
        return Effect.fail(toInvalidParameter(name, `it is not a parameter here: allowed are ${names.join(", ")}`))
      }
      const option = Object.hasOwn(options, name) ? options[name] : undefined
      const convert = option === undefined ? parameters[name]?.convert : option.convert
      const value = convert === undefined ? input : convert(input)
      if (option !== undefined && !option.accepts(value)) return Effect.fail(toInvalidValue(name, value, option.rule))
      checked[name] = value
    }
    const missing = required.find((name) => checked[name] === undefined)
    if (missing !== undefined) return Effect.fail(toInvalidValue(missing, undefined, options[missing]?.rule ?? "given"))
    // Options were checked above, and the call of each page checks the parameters of its operation.
    return Effect.succeed(checked as Checked)
  })
