/**
 * The markets that an exchange lists. An addition beside the specified interface.
 *
 * @since 0.1.0
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { latestMillis } from "../internal/decode/unixText.ts"
import { MillisecondsText } from "../time/Timestamp.ts"
import { Market } from "./Market.ts"

const TimeOrNone = /* @__PURE__ */ (() =>
  Schema.String.check(
    Schema.isPattern(/^(|0|[1-9]\d{0,15})$/, { expected: "Unix milliseconds as digits, or an empty text" }),
    Schema.makeFilter((text) => Number(text) <= latestMillis, { expected: "Unix milliseconds" })
  ).pipe(
    Schema.decodeTo(
      Schema.Option(MillisecondsText),
      SchemaTransformation.transform<Option.Option<string>, string>({
        decode: (text) => (text === "" ? Option.none() : Option.some(text)),
        encode: Option.getOrElse(() => "")
      })
    )
  ))()

/**
 * A market of an exchange, and whether the service has recorded trades of it.
 *
 * @since 0.1.0
 * @category models
 *
 * @example
 * ```ts
 * import type { ListedMarket } from "@chaintape/core"
 *
 * const recordedOf = (markets: ReadonlyArray<ListedMarket>) => markets.filter(({ recorded }) => recorded)
 * ```
 */
export const ListedMarket = /* @__PURE__ */ (() =>
  Schema.Struct({
    /** The market as `BASE/QUOTE`. */
    market: Market,
    /** The currency that is traded. */
    base: Schema.String,
    /** The currency of its price. */
    quote: Schema.String,
    /** False if the exchange states that the market does not trade now. */
    active: Schema.Boolean,
    /** Whether the service has recorded trades of the market. */
    recorded: Schema.Boolean,
    /** When the first recorded trade was executed; none if nothing is recorded. */
    recordedSince: TimeOrNone
  }).annotate({ identifier: "ListedMarket" }))()

/**
 * @since 0.1.0
 * @category models
 */
export type ListedMarket = typeof ListedMarket.Type
