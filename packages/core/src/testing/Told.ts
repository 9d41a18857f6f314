/**
 * Response headers in a test.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import * as assert from "node:assert/strict"
 * import { Told } from "@chaintape/core/testing"
 * import { toHeaders } from "@chaintape/core/testing/Told"
 *
 * const answer = new Told("trades", { source: "record", candleClosed: false })
 * assert.deepEqual(toHeaders(answer.words), { "chaintape-source": "record", "chaintape-candle": "closed=?0" })
 * ```
 */
import * as DateTime from "effect/DateTime"
import type { AsOf } from "../client/Answer.ts"

/**
 * The members of an `Answer` besides its value; omitted members are absent from the response.
 *
 * @example
 * ```ts
 * import type { Words } from "@chaintape/core/testing"
 *
 * const words: Words = { source: "record", coverage: { state: "incomplete" } }
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface Words {
  readonly requestId?: string | undefined
  readonly source?: string | undefined
  readonly coverage?:
    | {
        readonly state: "complete" | "incomplete" | "unverifiable"
        readonly from?: DateTime.Utc | undefined
        readonly to?: DateTime.Utc | undefined
      }
    | undefined
  readonly asOf?: AsOf | undefined
  readonly candleClosed?: boolean | undefined
  readonly remaining?: number | undefined
}

/**
 * A value with its response headers.
 *
 * @since 0.1.0
 * @category models
 */
export class Told<out A> {
  readonly value: A
  readonly words: Words
  constructor(value: A, words: Words) {
    this.value = value
    this.words = words
  }
}

/**
 * Adds response headers to a value.
 *
 * @example
 * ```ts
 * import { told } from "@chaintape/core/testing"
 *
 * const trades = told([], { coverage: { state: "complete" }, source: "record" })
 * ```
 *
 * @since 0.1.0
 * @category constructors
 */
export const told = <A>(value: A, words: Words): Told<A> => new Told(value, words)

const flag = (value: boolean) => (value ? "?1" : "?0")

const coverage = ({ from, state, to }: NonNullable<Words["coverage"]>) =>
  [
    state === "unverifiable" ? "verifiable=?0" : `complete=${flag(state === "complete")}`,
    ...(from === undefined ? [] : [`from=${DateTime.toEpochMillis(from)}`]),
    ...(to === undefined ? [] : [`to=${DateTime.toEpochMillis(to)}`])
  ].join(", ")

/**
 * The response headers as the service writes them.
 *
 * @since 0.1.0
 * @category conversions
 */
export const toHeaders = (words: Words): { readonly [name: string]: string } => {
  const { asOf } = words
  const headers = {
    "x-request-id": words.requestId,
    "chaintape-source": words.source,
    "chaintape-coverage": words.coverage === undefined ? undefined : coverage(words.coverage),
    "chaintape-as-of":
      asOf === undefined
        ? undefined
        : `number=${asOf.number}, hash="${asOf.hash}", finalized=${flag(asOf.finalized)}, proven=${flag(asOf.proven)}`,
    "chaintape-candle": words.candleClosed === undefined ? undefined : `closed=${flag(words.candleClosed)}`,
    "ratelimit-remaining": words.remaining === undefined ? undefined : String(words.remaining)
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
 * import { asOfBlock, told } from "@chaintape/core/testing"
 *
 * const pools = told([], { asOf: asOfBlock(123) })
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
