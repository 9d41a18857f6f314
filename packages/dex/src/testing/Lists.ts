/**
 * Tokens and pools of a test as the service lists them.
 *
 * @since 0.1.0
 */
import { PoolNotFound } from "@chaintape/core"
import * as Operations from "@chaintape/core/operations/dex"
import { Script, mockResponse } from "@chaintape/core/testing"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { asOf } from "./Chain.ts"
import type { CandleRow, PoolRow, TickRow, TokenRow } from "./Values.ts"

type Tokens = ReadonlyArray<TokenRow>
type Pools = ReadonlyArray<PoolRow>
type Candles = ReadonlyArray<CandleRow>
type Ticks = ReadonlyArray<TickRow>

const byLockedValue = Script.byField("totalValueLockedUSD", "desc")

const isSame = (wanted: string | undefined, value: string) =>
  wanted === undefined || wanted.toLowerCase() === value.toLowerCase()

/** `logo` is present if requested. */
const withLogo =
  (isWanted: boolean) =>
  (row: TokenRow): TokenRow => {
    const { logo, ...rest } = row
    return isWanted ? { ...rest, logo: logo ?? "" } : rest
  }

/**
 * @since 0.1.0
 * @category lines
 */
export const tokensLine = (head: number | undefined, tokens: Script.Scripted<typeof Operations.tokens, Tokens>) =>
  Script.line<typeof Operations.tokens, Tokens>(Operations.tokens, tokens, (rows, request) =>
    Effect.map(asOf(head, request), (metadata) => {
      const { logo, tokenId, tokenName, tokenSymbol } = request
      const selected = rows.filter(
        ({ id, name, symbol }) => isSame(tokenId, id) && isSame(tokenName, name) && isSame(tokenSymbol, symbol)
      )
      return mockResponse(Script.pageOf(selected.map(withLogo(logo === true)), request, byLockedValue), metadata)
    })
  )

/**
 * @since 0.1.0
 * @category lines
 */
export const poolsLine = (head: number | undefined, pools: Script.Scripted<typeof Operations.pools, Pools>) =>
  Script.line<typeof Operations.pools, Pools>(Operations.pools, pools, (rows, request) =>
    Effect.map(asOf(head, request), (metadata) => {
      const selected = rows.filter(({ id }) => isSame(request.pool, id))
      return mockResponse(Script.pageOf(selected, request, byLockedValue), metadata)
    })
  )

/**
 * One of the pools, by its address.
 *
 * @since 0.1.0
 * @category lines
 */
export const poolLine = (head: number | undefined, pools: Script.Scripted<typeof Operations.pools, Pools>) =>
  Script.line<typeof Operations.pool, Pools>(
    Operations.pool,
    typeof pools === "function"
      ? ({ block, blockchain, exchange, pool }) => pools({ exchange, blockchain, block, pool, limit: 100, skip: 0 })
      : pools,
    (rows, request) =>
      Effect.gen(function* () {
        const metadata = yield* asOf(head, request)
        const found = rows.find(({ id }) => isSame(request.pool, id))
        if (found !== undefined) return mockResponse(found, metadata)
        return yield* new PoolNotFound({ pool: request.pool, detail: `There is no pool "${request.pool}".` })
      })
  )

/**
 * @since 0.1.0
 * @category lines
 */
export const ticksLine = (head: number | undefined, ticks: Script.Scripted<typeof Operations.ticks, Ticks>) =>
  Script.line<typeof Operations.ticks, Ticks>(Operations.ticks, ticks, (rows, request) =>
    Effect.map(asOf(head, request), (metadata) =>
      mockResponse(Script.pageOf(rows, request, Script.byField("tick"), "tick"), metadata)
    )
  )

/**
 * @since 0.1.0
 * @category lines
 */
export const candlesLine = (head: number | undefined, candles: Script.Scripted<typeof Operations.candles, Candles>) =>
  Script.line<typeof Operations.candles, Candles>(Operations.candles, candles, (rows, request) =>
    Effect.map(asOf(head, request), (metadata) => {
      const { from, limit = 100, pool, timeframe, to } = request
      const selected = rows
        .filter(({ openTime }) => from === undefined || DateTime.isGreaterThanOrEqualTo(openTime, from))
        .filter(({ openTime }) => to === undefined || DateTime.isLessThanOrEqualTo(openTime, to))
        .toSorted((a, b) => DateTime.toEpochMillis(a.openTime) - DateTime.toEpochMillis(b.openTime))
      return mockResponse(
        { pool, timeframe, candles: from === undefined ? selected.slice(-limit) : selected.slice(0, limit) },
        metadata
      )
    })
  )
