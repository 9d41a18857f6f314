import * as DateTime from "effect/DateTime"
/**
 * Parameters of operations: for each its schema, the rule that a person reads when a value breaks it, and its
 * description in the OpenAPI document.
 *
 * @since 0.1.0
 */
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { MarketInPath } from "../cex/Market.ts"
import { Timeframe } from "../cex/Timeframe.ts"
import { PoolAddressInRequest, TokenAddressInRequest } from "../dex/Address.ts"
import { MillisecondsText } from "../time/Timestamp.ts"

/**
 * A parameter of an operation.
 *
 * @since 0.1.0
 * @category models
 */
export interface Parameter<out S extends Schema.Codec<unknown, string | undefined>> {
  readonly schema: S
  /** Completes the sentence "it must be ...". */
  readonly rule: string
  readonly description: string
  /** The JSON Schema of the value, as OpenAPI shows it. */
  readonly json: { readonly [keyword: string]: unknown }
  readonly example?: string
}

/**
 * @since 0.1.0
 * @category models
 */
export interface Parameters {
  readonly [name: string]: Parameter<Schema.Codec<unknown, string | undefined>>
}

const parameter = <S extends Schema.Codec<unknown, string | undefined>>(parameter: Parameter<S>): Parameter<S> =>
  parameter

const integerText = (minimum: number, maximum: number) =>
  Schema.String.check(
    Schema.isPattern(/^(0|[1-9]\d*)$/),
    Schema.makeFilter((text) => Number(text) >= minimum && Number(text) <= maximum)
  ).pipe(
    Schema.decodeTo(Schema.Int, SchemaTransformation.transform<number, string>({ decode: Number, encode: String }))
  )

const grouped = (value: number) => String(value).replace(/\B(?=(\d{3})+$)/g, ",")

/**
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
 * How many results at most; `standard` where the caller does not say.
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
 * @since 0.1.0
 * @category parameters
 */
export const skip = parameter({
  schema: integerText(0, Number.MAX_SAFE_INTEGER).pipe(Schema.withDecodingDefaultTypeKey(Effect.succeed(0))),
  rule: "an integer from 0",
  description: "How many results to leave out at the beginning; 0 if not given",
  json: { type: "integer", minimum: 0, default: 0 }
})

/**
 * @since 0.1.0
 * @category parameters
 */
export const orderBy = <const Fields extends ReadonlyArray<string>>(fields: Fields) =>
  parameter({
    schema: Schema.optionalKey(Schema.Literals(fields)),
    rule: `one of ${fields.join(", ")}`,
    description: "The field to sort by; numbers sort by value, whatever their length",
    json: { type: "string", enum: fields }
  })

/**
 * @since 0.1.0
 * @category parameters
 */
export const orderDirection = parameter({
  schema: Schema.optionalKey(Schema.Literals(["asc", "desc"])),
  rule: "asc or desc",
  description: "The direction of orderBy; ascending if not given",
  json: { type: "string", enum: ["asc", "desc"] }
})

/**
 * @since 0.1.0
 * @category parameters
 */
export const time = (description: string) =>
  parameter({
    schema: Schema.optionalKey(MillisecondsText),
    rule: "a Unix time in milliseconds: an integer from 0 to 8,640,000,000,000,000",
    description: `${description} (Unix milliseconds)`,
    json: { type: "integer", minimum: 0, maximum: 8_640_000_000_000_000 }
  })

/**
 * @since 0.1.0
 * @category parameters
 */
export const block = (description: string) =>
  parameter({
    schema: Schema.optionalKey(integerText(0, Number.MAX_SAFE_INTEGER)),
    rule: "a block number: an integer from 0",
    description,
    json: { type: "integer", minimum: 0 }
  })

/**
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

const address = { type: "string", pattern: "^0x[0-9a-fA-F]{40}$" }
const addressRule = "an address: 0x and 40 hexadecimal digits"

/**
 * @since 0.1.0
 * @category parameters
 */
export const token = parameter({
  schema: TokenAddressInRequest,
  rule: addressRule,
  description: "Address of the token, in any letter case",
  json: address,
  example: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
})

/**
 * @since 0.1.0
 * @category parameters
 */
export const pool = parameter({
  schema: PoolAddressInRequest,
  rule: addressRule,
  description: "Address of the pool, in any letter case",
  json: address,
  example: "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640"
})

/**
 * @since 0.1.0
 * @category parameters
 */
export const tokenFilter = parameter({
  schema: Schema.optionalKey(TokenAddressInRequest),
  rule: addressRule,
  description: "Only the token with this address",
  json: address
})

/**
 * @since 0.1.0
 * @category parameters
 */
export const poolFilter = parameter({
  schema: Schema.optionalKey(PoolAddressInRequest),
  rule: addressRule,
  description: "Only the pool with this address",
  json: address
})

/**
 * @since 0.1.0
 * @category parameters
 */
export const dex = text("Id of the decentralized exchange", "uniswap-v3")

/**
 * @since 0.1.0
 * @category parameters
 */
export const exchange = text("Id of the exchange", "kraken")

/**
 * @since 0.1.0
 * @category parameters
 */
export const blockchain = text("Id of the blockchain", "ethereum")

/**
 * @since 0.1.0
 * @category parameters
 */
export const market = parameter({
  schema: MarketInPath,
  rule: "a market written BASE-QUOTE, such as BTC-USD",
  description: "The market as BASE-QUOTE, in any letter case",
  json: { type: "string" },
  example: "BTC-USD"
})

/**
 * @since 0.1.0
 * @category parameters
 */
export const timeframe = parameter({
  schema: Timeframe,
  rule: "one of 1m, 5m, 15m, 1h, 6h, 1d",
  description: "Length of the candle",
  json: { type: "string", enum: ["1m", "5m", "15m", "1h", "6h", "1d"] },
  example: "1h"
})

/**
 * A rule that binds several parameters.
 *
 * @since 0.1.0
 * @category models
 */
export interface Relation {
  /** The parameter that the problem names. */
  readonly parameter: string
  readonly rule: string
  readonly holds: (values: { readonly [name: string]: unknown }) => boolean
}

/**
 * @since 0.1.0
 * @category parameters
 */
export const directionNeedsOrder: Relation = {
  parameter: "orderDirection",
  rule: "orderDirection needs orderBy: say which field to sort by",
  holds: ({ orderBy, orderDirection }) => orderDirection === undefined || orderBy !== undefined
}

/**
 * @since 0.1.0
 * @category parameters
 */
export const windowIsOrdered: Relation = {
  parameter: "from",
  rule: "from is later than to: swap them",
  holds: ({ from, to }) =>
    !DateTime.isDateTime(from) || !DateTime.isDateTime(to) || DateTime.isLessThanOrEqualTo(from, to)
}

const kindsWith: { readonly [field: string]: ReadonlyArray<string> } = {
  amount: ["burn", "mint"],
  owner: ["burn", "mint"],
  sender: ["mint", "swap"],
  recipient: ["swap"],
  sqrtPriceX96: ["swap"]
}

/**
 * @since 0.1.0
 * @category parameters
 */
export const orderIsOfRequestedTrades: Relation = {
  parameter: "orderBy",
  rule: "orderBy names a field that none of the requested trades has",
  holds: ({ orderBy, ...flags }) =>
    typeof orderBy !== "string" ||
    (kindsWith[orderBy] ?? ["burn", "mint", "swap"]).some((kind) => flags[kind] !== false)
}

/**
 * @since 0.1.0
 * @category parameters
 */
export const logoOrderNeedsLogo: Relation = {
  parameter: "orderBy",
  rule: "orderBy=logo needs logo=true",
  holds: ({ logo, orderBy }) => orderBy !== "logo" || logo === true
}
