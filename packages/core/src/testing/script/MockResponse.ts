/**
 * Response headers in a test.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import * as assert from "node:assert/strict"
 * import { Script } from "@chaintape/core/testing"
 *
 * const answer = new Script.MockResponse("trades", { source: "record", candleClosed: false })
 * assert.equal(answer.metadata.source, "record")
 * ```
 */
import * as DateTime from "effect/DateTime"
import type { AsOf } from "../../operation/Answer.ts"

/**
 * The members of an `Answer` besides its value; omitted members are absent from the response.
 *
 * @example
 * ```ts
 * import type { Script } from "@chaintape/core/testing"
 *
 * const metadata: Script.ResponseMetadata = { source: "record", coverage: { state: "incomplete" } }
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface ResponseMetadata {
  /** Identifies the request in the log of the service. */
  readonly requestId?: string | undefined
  /** Where the value comes from, such as `record` or `ccxt`. */
  readonly source?: string | undefined
  /** Whether trades or candles are missing in a range. */
  readonly coverage?:
    | {
        readonly state: "complete" | "incomplete" | "unverifiable"
        readonly from?: DateTime.Utc | undefined
        readonly to?: DateTime.Utc | undefined
        /** Ranges of candles that are not proven. */
        readonly unproven?: ReadonlyArray<{ readonly from: DateTime.Utc; readonly to: DateTime.Utc }> | undefined
      }
    | undefined
  /** The block of the value. */
  readonly asOf?: AsOf | undefined
  /** Whether the candle is final. */
  readonly candleClosed?: boolean | undefined
  /** The rest of the limit that is closest to its end. */
  readonly remaining?: number | undefined
}

/**
 * A value with its response headers.
 *
 * @since 0.1.0
 * @category models
 */
export class MockResponse<out A> {
  readonly value: A
  readonly metadata: ResponseMetadata
  constructor(value: A, metadata: ResponseMetadata) {
    this.value = value
    this.metadata = metadata
  }
}

/**
 * Adds response headers to a value.
 *
 * @example
 * ```ts
 * import { mockResponse } from "@chaintape/core/testing"
 *
 * const trades = mockResponse([], { coverage: { state: "complete" }, source: "record" })
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const mockResponse = <A>(value: A, metadata: ResponseMetadata): MockResponse<A> =>
  new MockResponse(value, metadata)

const flag = (value: boolean) => (value ? "?1" : "?0")

const millis = DateTime.toEpochMillis

const coverage = ({ from, state, to, unproven = [] }: NonNullable<ResponseMetadata["coverage"]>) =>
  [
    state === "unverifiable" ? "verifiable=?0" : `complete=${flag(state === "complete")}`,
    ...(from === undefined ? [] : [`from=${millis(from)}`]),
    ...(to === undefined ? [] : [`to=${millis(to)}`]),
    ...(unproven.length === 0
      ? []
      : [`unproven=(${unproven.flatMap((range) => [millis(range.from), millis(range.to)]).join(" ")})`])
  ].join(", ")

/**
 * The response headers as the service writes them.
 *
 * @since 0.1.0
 * @category conversions
 */
export const toHeaders = (metadata: ResponseMetadata): { readonly [name: string]: string } => {
  const { asOf } = metadata
  const headers = {
    "x-request-id": metadata.requestId,
    "chaintape-source": metadata.source,
    "chaintape-coverage": metadata.coverage === undefined ? undefined : coverage(metadata.coverage),
    "chaintape-as-of":
      asOf === undefined
        ? undefined
        : `number=${asOf.number}, hash="${asOf.hash}", finalized=${flag(asOf.finalized)}, proven=${flag(asOf.proven)}`,
    "chaintape-candle": metadata.candleClosed === undefined ? undefined : `closed=${flag(metadata.candleClosed)}`,
    "ratelimit-remaining": metadata.remaining === undefined ? undefined : String(metadata.remaining)
  }
  const written: { [name: string]: string } = {}
  for (const [name, text] of Object.entries(headers)) if (text !== undefined) written[name] = text
  return written
}

/**
 * A block for `asOf`: its hash is derived from its number.
 *
 * @example
 * ```ts
 * import { asOfBlock, mockResponse } from "@chaintape/core/testing"
 *
 * const pools = mockResponse([], { asOf: asOfBlock(123) })
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const asOfBlock = (number: number): AsOf => ({
  number: BigInt(number),
  hash: `0x${number.toString(16).padStart(64, "0")}`,
  finalized: false,
  proven: false
})
