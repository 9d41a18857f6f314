/**
 * What an answer says about its value: whether it is proven, as of which block, and where it came from.
 *
 * @since 0.1.0
 */
import * as DateTime from "effect/DateTime"
import type * as Headers from "effect/http/Headers"
import * as Option from "effect/Option"

/**
 * Whether trades are missing between `from` and `to`: `complete` is a proof that none is, `incomplete` that some are,
 * `unverifiable` says that the exchange gives no means to tell.
 *
 * @since 0.1.0
 * @category models
 */
export interface Coverage {
  readonly state: "complete" | "incomplete" | "unverifiable"
  readonly from: Option.Option<DateTime.Utc>
  readonly to: Option.Option<DateTime.Utc>
}

/**
 * The block that the value belongs to.
 *
 * @since 0.1.0
 * @category models
 */
export interface AsOf {
  readonly number: bigint
  readonly hash: string
  readonly finalized: boolean
}

/**
 * A value and what the answer says about it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Answer<out A> {
  readonly value: A
  /** Finds the request in the service's log. */
  readonly requestId: Option.Option<string>
  readonly source: Option.Option<string>
  readonly coverage: Option.Option<Coverage>
  readonly asOf: Option.Option<AsOf>
  /** Whether the candle can still change. */
  readonly candleClosed: Option.Option<boolean>
  /** Requests that the key may still make now. */
  readonly remaining: Option.Option<number>
}

const members = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split(/[,;]/).map((part): [string, string] => {
      const at = part.indexOf("=")
      return at < 0
        ? [part.trim(), "?1"]
        : [
            part.slice(0, at).trim(),
            part
              .slice(at + 1)
              .trim()
              .replace(/^"(.*)"$/, "$1")
          ]
    })
  )

const instant = (text: string | undefined): Option.Option<DateTime.Utc> =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Option.some(DateTime.makeUnsafe(Number(text))) : Option.none()

const coverage = (text: string): Coverage => {
  const parts = members(text)
  const state =
    parts.get("verifiable") === "?0" ? "unverifiable" : parts.get("complete") === "?1" ? "complete" : "incomplete"
  return { state, from: instant(parts.get("from")), to: instant(parts.get("to")) }
}

const asOf = (text: string): Option.Option<AsOf> => {
  const parts = members(text)
  const number = parts.get("number")
  const hash = parts.get("hash")
  return number !== undefined && /^\d+$/.test(number) && hash !== undefined
    ? Option.some({ number: BigInt(number), hash, finalized: parts.get("finalized") === "?1" })
    : Option.none()
}

/**
 * Reads the headers of an answer.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = <A>(value: A, headers: Headers.Headers): Answer<A> => {
  const header = (name: string) => Option.fromUndefinedOr(headers[name])
  return {
    value,
    requestId: header("x-request-id"),
    source: header("chaintape-source"),
    coverage: Option.map(header("chaintape-coverage"), coverage),
    asOf: Option.flatMap(header("chaintape-as-of"), asOf),
    candleClosed: Option.map(header("chaintape-candle"), (text) => members(text).get("closed") === "?1"),
    remaining: Option.filter(Option.map(header("ratelimit-remaining"), Number), Number.isSafeInteger)
  }
}
