/**
 * Missing trades.
 *
 * @since 0.1.0
 */
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type Trades, TradesInText } from "../cex/Trade.ts"
import { quoteDecimals, unquoteDecimals } from "../internal/decode/exactNumbers.ts"
import { getHeaders, toResponse } from "../internal/testing/httpResponse.ts"
import { type Fault, makeFault } from "./Fault.ts"
import type { FaultTrigger } from "./FaultTrigger.ts"

const Body = Schema.fromJsonString(Schema.toCodecJson(TradesInText))
const decode = Schema.decodeUnknownOption(Body)
const encode = Schema.encodeUnknownEffect(Body)

const maxTrades = 50_000
const standardTrades = 200

/**
 * A gap in the tape: no response contains the trades of a market from `start` on and before `end`, and if one would,
 * the coverage is `incomplete`. The requested number of trades is filled from around the gap.
 *
 * @example
 * ```ts
 * import { Faults } from "@chaintape/core/testing"
 * import * as DateTime from "effect/DateTime"
 *
 * const hole = Faults.gap({
 *   start: DateTime.makeUnsafe("2026-01-02T03:04:00Z"),
 *   end: DateTime.makeUnsafe("2026-01-02T03:05:00Z")
 * })
 * ```
 *
 * @since 0.1.0
 * @category faults
 */
export const gap = ({
  end,
  path = /\/v2\/cex\/[^/]+\/[^/]+\/trades$/,
  start,
  ...trigger
}: FaultTrigger & { readonly start: DateTime.Utc; readonly end: DateTime.Utc }): Fault => {
  const isKept = ({ timestamp }: Trades["trades"][number]) =>
    DateTime.isLessThan(timestamp, start) || DateTime.isGreaterThanOrEqualTo(timestamp, end)

  return makeFault({ ...trigger, path }, (request, pass, url) => {
    const wanted = Number(url.searchParams.get("limit") ?? standardTrades)
    const isForward = url.searchParams.has("since")

    const read = (limit: number): ReturnType<typeof pass> =>
      Effect.gen(function* () {
        const response = yield* pass(HttpClientRequest.setUrlParam(request, "limit", String(limit)))
        const text = yield* response.text
        const headers = getHeaders(response)
        const unchanged = HttpClientResponse.fromWeb(request, toResponse(response.status, headers, text))
        const body = Option.getOrUndefined(decode(quoteDecimals(text)))
        if (response.status !== 200 || body === undefined) return unchanged
        const kept = body.trades.filter(isKept)
        if (kept.length === body.trades.length && limit === wanted) return unchanged
        if (kept.length < wanted && body.trades.length === limit && limit < maxTrades) {
          return yield* read(Math.min(maxTrades, limit * 2))
        }
        const trades = isForward ? kept.slice(0, wanted) : kept.slice(-wanted)
        const range = /(, *(?:from|to)=\d+)+/.exec(headers["chaintape-coverage"] ?? "")?.[0] ?? ""
        const changed = yield* Effect.orDie(encode({ ...body, trades }))
        return HttpClientResponse.fromWeb(
          request,
          toResponse(200, { ...headers, "chaintape-coverage": `complete=?0${range}` }, unquoteDecimals(changed))
        )
      })
    return read(wanted)
  })
}
