/**
 * Parameters of operations: the schema of each, the rule that an error message states, and its description in the
 * OpenAPI document.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import * as assert from "node:assert/strict"
 * import { Operation, Parameter } from "@chaintape/core/operations"
 * import * as Option from "effect/Option"
 * import * as Schema from "effect/Schema"
 *
 * const level: Parameter.Parameter<Schema.String> = Parameter.parameter({
 *   schema: Schema.String,
 *   rule: "the name of a level",
 *   description: "How loud the news are",
 *   json: { type: "string" }
 * })
 *
 * const params: Parameter.Parameters = {
 *   exchange: Parameter.exchange,
 *   blockchain: Parameter.blockchain,
 *   market: Parameter.market,
 *   timeframe: Parameter.timeframe,
 *   level
 * }
 *
 * const relations: ReadonlyArray<Parameter.Relation> = [Parameter.directionNeedsOrder, Parameter.windowIsOrdered, Parameter.sinceIsFirst]
 *
 * const news = Operation.make({
 *   name: "news",
 *   group: "cex",
 *   path: "/news/:exchange/:blockchain/:market/:timeframe/:level",
 *   params,
 *   query: {
 *     limit: Parameter.limit(1_000, 100),
 *     skip: Parameter.skip,
 *     orderBy: Parameter.orderBy(["author", "length"]),
 *     orderDirection: Parameter.orderDirection,
 *     from: Parameter.time("Only news of this time or later"),
 *     to: Parameter.time("Only news of this time or earlier"),
 *     block: Parameter.block("Only news up to this block"),
 *     author: Parameter.filter("Only news of this author"),
 *     topic: Parameter.text("What the news are about", "fees"),
 *     short: Parameter.flag("Whether headlines are enough", true)
 *   },
 *   relations,
 *   success: Schema.Array(Schema.String),
 *   problems: []
 * })
 *
 * assert.equal(news.query.limit.rule, "an integer from 1 to 1,000")
 * ```
 */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { MarketInPath } from "../cex/Market.ts"
import { Timeframe } from "../cex/Timeframe.ts"
import { fromText } from "../internal/contract/fromText.ts"
import { fromTimeInput, MillisecondsText, type TimeInput } from "../time/Timestamp.ts"

/**
 * A parameter of an operation.
 *
 * @since 0.1.0
 * @category models
 */
export interface Parameter<out S extends Schema.Codec<unknown, string | undefined>, out Input = S["Type"]> {
  /** Decodes the value from the text in the URL. */
  readonly schema: S
  /** Only a type: what a program may give. */
  readonly "~input"?: Input
  /** Converts what a program may give to a value of the schema. What it does not know it returns as it is. */
  readonly convert?: (input: unknown) => unknown
  /** Completes the sentence "it must be ...". */
  readonly rule: string
  /** The same for a value in a program, if its form differs from that in a URL. */
  readonly ruleInProgram?: string
  /** The meaning of the parameter, in the OpenAPI document. */
  readonly description: string
  /** The JSON Schema of the value in the OpenAPI document. */
  readonly json: { readonly [keyword: string]: unknown }
  /** A value in the OpenAPI document. */
  readonly example?: string
}

/**
 * Parameters of a path or a query by name.
 *
 * @since 0.1.0
 * @category models
 */
export interface Parameters {
  readonly [name: string]: Parameter<Schema.Codec<unknown, string | undefined>, unknown>
}

/**
 * A parameter of a custom kind.
 *
 * @since 0.1.0
 * @category constructors
 */
export const parameter = <S extends Schema.Codec<unknown, string | undefined>, Input = S["Type"]>(
  parameter: Parameter<S, Input>
): Parameter<S, Input> => parameter

const oneOf = <const L extends ReadonlyArray<string>>(
  schema: Schema.Literals<L>,
  description: string,
  example: L[number]
) =>
  parameter({
    schema,
    rule: `one of ${schema.literals.join(", ")}`,
    description,
    json: { type: "string", enum: [...schema.literals] },
    example
  })

const integerText = (minimum: number, maximum: number) =>
  Schema.String.check(
    Schema.isPattern(/^(0|[1-9]\d*)$/),
    Schema.makeFilter((text) => Number(text) >= minimum && Number(text) <= maximum)
  ).pipe(
    Schema.decodeTo(Schema.Int, SchemaTransformation.transform<number, string>({ decode: Number, encode: String }))
  )

/** Without a maximum: beyond the largest integer there are no results, so that it stands for every larger number. */
const naturalOrZero = () =>
  Schema.String.check(Schema.isPattern(/^(0|[1-9]\d*)$/)).pipe(
    Schema.decodeTo(
      Schema.Int,
      SchemaTransformation.transform<number, string>({
        decode: (text) => Math.min(Number(text), Number.MAX_SAFE_INTEGER),
        encode: String
      })
    ),
    Schema.withDecodingDefaultTypeKey(Effect.succeed(0))
  )

const grouped = (value: number) => String(value).replace(/\B(?=(\d{3})+$)/g, ",")

/**
 * A text that must not be empty, such as an identifier.
 *
 * @since 0.1.0
 * @category parameters
 */
export const text = (description: string, example: string) =>
  parameter({
    schema: Schema.String.check(Schema.isMinLength(1)),
    rule: "a text that is not empty",
    description,
    json: { type: "string", minLength: 1 },
    example
  })

/**
 * The maximum number of results; default `standard`.
 *
 * @since 0.1.0
 * @category parameters
 */
export const limit = (maximum: number, standard: number) =>
  parameter({
    schema: integerText(1, maximum).pipe(Schema.withDecodingDefaultTypeKey(Effect.succeed(standard))),
    rule: `an integer from 1 to ${grouped(maximum)}`,
    description: `How many results at most; ${standard} if not given`,
    json: { type: "integer", minimum: 1, maximum, default: standard }
  })

/**
 * The number of results to skip; default 0.
 *
 * @since 0.1.0
 * @category parameters
 */
export const skip = parameter({
  schema: /* @__PURE__ */ naturalOrZero(),
  rule: "an integer from 0",
  description: "How many results to leave out at the beginning; 0 if not given",
  json: { type: "integer", minimum: 0, default: 0 }
})

/**
 * The field to sort by: one of `fields`.
 *
 * @since 0.1.0
 * @category parameters
 */
export const orderBy = <const Fields extends ReadonlyArray<string>>(fields: Fields) => ({
  ...parameter({
    schema: Schema.optionalKey(Schema.Literals(fields)),
    rule: `one of ${fields.join(", ")}`,
    description: "The field to sort by; numbers sort by value, whatever their length",
    json: { type: "string", enum: fields }
  }),
  fields
})

/**
 * The direction of `orderBy`: `asc` or `desc`.
 *
 * @since 0.1.0
 * @category parameters
 */
export const orderDirection = parameter({
  schema: /* @__PURE__ */ Schema.optionalKey(/* @__PURE__ */ Schema.Literals(["asc", "desc"])),
  rule: "asc or desc",
  description: "The direction of orderBy; ascending if not given",
  json: { type: "string", enum: ["asc", "desc"] }
})

/**
 * A point in time: Unix milliseconds on the wire, `DateTime.Utc` in a program.
 *
 * @since 0.1.0
 * @category parameters
 */
export const time = (description: string) =>
  parameter<Schema.optionalKey<typeof MillisecondsText>, TimeInput>({
    schema: Schema.optionalKey(MillisecondsText),
    convert: fromTimeInput,
    rule: "a Unix time in milliseconds: an integer from 0 to 8,640,000,000,000,000",
    ruleInProgram: "a time since 1970: a Date, Unix milliseconds, an ISO 8601 text or a DateTime",
    description: `${description} (Unix milliseconds)`,
    json: { type: "integer", minimum: 0, maximum: 8_640_000_000_000_000 }
  })

/**
 * A block by its number.
 *
 * @since 0.1.0
 * @category parameters
 */
export const block = (description: string) =>
  parameter<Schema.optionalKey<ReturnType<typeof integerText>>, number | bigint>({
    schema: Schema.optionalKey(integerText(0, Number.MAX_SAFE_INTEGER)),
    convert: (input) => (Predicate.isBigInt(input) ? Number(input) : input),
    rule: "a block number: an integer from 0",
    description,
    json: { type: "integer", minimum: 0 }
  })

/**
 * `true` or `false`; default `standard`.
 *
 * @since 0.1.0
 * @category parameters
 */
export const flag = (description: string, standard: boolean) =>
  parameter({
    schema: Schema.Literals(["true", "false"]).pipe(
      Schema.decodeTo(
        Schema.Boolean,
        SchemaTransformation.transform<boolean, "true" | "false">({
          decode: (value) => value === "true",
          encode: (value) => (value ? "true" : "false")
        })
      ),
      Schema.withDecodingDefaultTypeKey(Effect.succeed(standard))
    ),
    rule: "true or false",
    description: `${description}; ${standard} if not given`,
    json: { type: "boolean", default: standard }
  })

/**
 * A text to which whole values are compared.
 *
 * @since 0.1.0
 * @category parameters
 */
export const filter = (description: string) =>
  parameter({
    schema: Schema.optionalKey(Schema.String),
    rule: "a text",
    description,
    json: { type: "string" }
  })

/**
 * A centralized exchange by its id.
 *
 * @since 0.1.0
 * @category parameters
 */
export const exchange = text("Id of the exchange", "kraken")

/**
 * A blockchain by its id.
 *
 * @since 0.1.0
 * @category parameters
 */
export const blockchain = /* @__PURE__ */ text("Id of the blockchain", "ethereum")

/**
 * A market: `BASE-QUOTE` on the wire in any letter case, `BASE/QUOTE` in a program.
 *
 * @since 0.1.0
 * @category parameters
 */
export const market = parameter({
  schema: MarketInPath,
  convert: /* @__PURE__ */ fromText(MarketInPath),
  rule: "a market written BASE-QUOTE, such as BTC-USD",
  ruleInProgram: "BASE/QUOTE, such as BTC/USD",
  description: "The market as BASE-QUOTE, in any letter case",
  json: { type: "string" },
  example: "BTC-USD"
})

/**
 * The length of a candle.
 *
 * @since 0.1.0
 * @category parameters
 */
export const timeframe = /* @__PURE__ */ oneOf(Timeframe, "Length of the candle", "1h")

/**
 * A constraint between several parameters.
 *
 * @since 0.1.0
 * @category models
 */
export interface Relation {
  /** The parameter that the error names. */
  readonly parameter: string
  /** The constraint that is broken, as a sentence without its full stop. */
  readonly rule: string
  /** Whether the decoded values meet the constraint. */
  readonly holds: (values: { readonly [name: string]: unknown }) => boolean
}

/**
 * A direction requires a sort field.
 *
 * @since 0.1.0
 * @category parameters
 */
export const directionNeedsOrder: Relation = {
  parameter: "orderDirection",
  rule: "orderDirection needs orderBy: say which field to sort by",
  holds: ({ orderBy, orderDirection }) => orderDirection === undefined || orderBy !== undefined
}

const isOrdered = (first: unknown, second: unknown): boolean =>
  !DateTime.isDateTime(first) || !DateTime.isDateTime(second) || DateTime.isLessThanOrEqualTo(first, second)

/**
 * `from` is not later than `to`.
 *
 * @since 0.1.0
 * @category parameters
 */
export const windowIsOrdered: Relation = {
  parameter: "from",
  rule: "from is later than to: swap them",
  holds: ({ from, to }) => isOrdered(from, to)
}

/**
 * `since` is not later than `until`.
 *
 * @since 0.1.0
 * @category parameters
 */
export const sinceIsFirst: Relation = {
  parameter: "since",
  rule: "since is later than until: swap them",
  holds: ({ since, until }) => isOrdered(since, until)
}
