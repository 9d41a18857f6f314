/**
 * The facts that the headers of a response state about its value: whether it is proven, as of which block, and from which source.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import type { Answer, AsOf, Coverage } from "@chaintape/core"
 * import { Option } from "effect"
 *
 * const isComplete = ({ state }: Coverage): boolean => state === "complete"
 * const isFinal = ({ finalized, proven }: AsOf): boolean => finalized && proven
 *
 * const isProven = ({ asOf, coverage }: Answer<unknown>): boolean =>
 *   Option.exists(coverage, isComplete) || Option.exists(asOf, isFinal)
 * ```
 */
import * as DateTime from "effect/DateTime"
import type * as Headers from "effect/http/Headers"
import * as Option from "effect/Option"

/**
 * The proof of the trades or candles between `from` and `to`.
 *
 * @since 0.1.0
 * @category models
 */
export interface Coverage {
  /**
   * `complete`: nothing is missing. `incomplete`: something is missing, or may be. `unverifiable`: nothing proves it, because
   * the exchange does not number its trades, or no recorded trades cover the range.
   */
  readonly state: "complete" | "incomplete" | "unverifiable"
  /** The start of the range, in UTC. */
  readonly from: Option.Option<DateTime.Utc>
  /** The end of the range, in UTC. */
  readonly to: Option.Option<DateTime.Utc>
  /**
   * Ranges of candles that recorded trades do not prove, each from the start of its first candle to that of its last one.
   * Empty for trades, for candles that are all proven, and where `state` is `unverifiable`: then none is. The last range
   * covers all further ones where there are many.
   */
  readonly unproven: ReadonlyArray<{ readonly from: DateTime.Utc; readonly to: DateTime.Utc }>
}

/**
 * The block of the value.
 *
 * @since 0.1.0
 * @category models
 */
export interface AsOf {
  /** The number of the block. */
  readonly number: bigint
  /** The hash of the block: 0x and 64 hexadecimal digits. Empty where a subgraph states none for an older block. */
  readonly hash: string
  /** Whether no reorg is expected to replace the block. */
  readonly finalized: boolean
  /**
   * Whether every log up to the block was checked against the receipts root of its header, and the headers are linked. False
   * also where the service does not say so: for blocks, and for deployments that a subgraph indexes.
   */
  readonly proven: boolean
}

/**
 * A value with what the response headers say about it.
 *
 * @since 0.1.0
 * @category models
 */
export interface Answer<out A> {
  /** The value that the operation reads. */
  readonly value: A
  /** Identifies the request in the service's log. */
  readonly requestId: Option.Option<string>
  /**
   * Where the value comes from: `record` (recorded trades), `ccxt` (the exchange), `rpc` (a node), `index` or `subgraph`.
   * Several are separated by commas.
   */
  readonly source: Option.Option<string>
  /** Whether trades or candles are missing in the value; none for other operations. */
  readonly coverage: Option.Option<Coverage>
  /** The block of the value; none for centralized exchanges. */
  readonly asOf: Option.Option<AsOf>
  /**
   * Whether the last candle is closed: it ended at least ten seconds ago. One that is not closed still gains trades. None
   * for operations without candles.
   */
  readonly candleClosed: Option.Option<boolean>
  /**
   * The units that are left of the limit that is closest to its end: a request costs 1, and 1 more for each full 1,000 of
   * its `limit`.
   */
  readonly remaining: Option.Option<number>
  /** Milliseconds until that limit is full again. */
  readonly resetAfterMs: Option.Option<number>
}

const parseMembers = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split(/[,;]/).map((part): [string, string] => {
      const [name = "", ...value] = part.split("=")
      return [
        name.trim(),
        value.length === 0
          ? "?1"
          : value
              .join("=")
              .trim()
              .replace(/^"(.*)"$/, "$1")
      ]
    })
  )

const parseInteger = (text: string | undefined): Option.Option<number> =>
  text !== undefined && /^\d{1,15}$/.test(text) ? Option.some(Number(text)) : Option.none()

const parseInstant = (text: string | undefined) => Option.map(parseInteger(text), DateTime.makeUnsafe)

/** An inner list of starts, two for each range. */
const parseRanges = (text = ""): Coverage["unproven"] => {
  const starts = [...text.matchAll(/\d{1,15}/g)].map(([digits]) => DateTime.makeUnsafe(Number(digits)))
  return starts.flatMap((from, index) => {
    const to = starts[index + 1]
    return index % 2 === 0 && to !== undefined ? [{ from, to }] : []
  })
}

const parseCoverage = (text: string): Coverage => {
  const parts = parseMembers(text)
  const state =
    parts.get("verifiable") === "?0" ? "unverifiable" : parts.get("complete") === "?1" ? "complete" : "incomplete"
  return {
    state,
    from: parseInstant(parts.get("from")),
    to: parseInstant(parts.get("to")),
    unproven: parseRanges(parts.get("unproven"))
  }
}

const parseAsOf = (text: string): Option.Option<AsOf> => {
  const parts = parseMembers(text)
  const number = parts.get("number")
  const hash = parts.get("hash")
  return number !== undefined && /^\d+$/.test(number) && hash !== undefined
    ? Option.some({
        number: BigInt(number),
        hash,
        finalized: parts.get("finalized") === "?1",
        proven: parts.get("proven") === "?1"
      })
    : Option.none()
}

/**
 * The proof of a value.
 *
 * @since 0.1.0
 * @category models
 */
export type Proof = Pick<Answer<unknown>, "coverage" | "asOf" | "candleClosed">

/**
 * Reads the headers that say what is proven about a value.
 *
 * @since 0.1.0
 * @category constructors
 */
export const proof = (headers: Headers.Headers): Proof => {
  const header = (name: string) => Option.fromUndefinedOr(headers[name])
  return {
    coverage: Option.map(header("chaintape-coverage"), parseCoverage),
    asOf: Option.flatMap(header("chaintape-as-of"), parseAsOf),
    candleClosed: Option.map(header("chaintape-candle"), (text) => parseMembers(text).get("closed") === "?1")
  }
}

const none = Option.none()
const unproven: Proof = { coverage: none, asOf: none, candleClosed: none }

/**
 * Reads the headers of a response. Nothing is proven about its value unless `proof` is given.
 *
 * @since 0.1.0
 * @category constructors
 */
export const makeWith = <A>(value: A, headers: Headers.Headers, proof: Proof = unproven): Answer<A> => {
  const header = (name: string) => Option.fromUndefinedOr(headers[name])
  return {
    ...proof,
    value,
    requestId: header("x-request-id"),
    source: header("chaintape-source"),
    remaining: parseInteger(headers["ratelimit-remaining"]),
    resetAfterMs: Option.map(parseInteger(headers["ratelimit-reset"]), (seconds) => seconds * 1000)
  }
}

/**
 * Reads the headers of a response.
 *
 * @since 0.1.0
 * @category constructors
 */
export const make = <A>(value: A, headers: Headers.Headers): Answer<A> => makeWith(value, headers, proof(headers))
