/**
 * Tokens and pools of a test as the service lists them.
 *
 * @since 0.1.0
 */
import * as Operations from "@chaintape/core/api/DexOperations"
import { PoolNotFound } from "@chaintape/core/dex/DexProblem"
import { line, Listing, type Scripted, told } from "@chaintape/core/testing"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import { asOf } from "./Chain.ts"
import type { CandleRow, PoolRow, TickRow, TokenRow } from "./Values.ts"

type Tokens = ReadonlyArray<TokenRow>
type Pools = ReadonlyArray<PoolRow>
type Candles = ReadonlyArray<CandleRow>
type Ticks = ReadonlyArray<TickRow>

const mostLocked = Listing.byField("totalValueLockedUSD", "desc")

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
export const tokensLine = (head: number | undefined, tokens: Scripted<typeof Operations.tokens, Tokens>) =>
  line<typeof Operations.tokens, Tokens>(Operations.tokens, tokens, (rows, request) =>
    Effect.map(asOf(head, request), (words) => {
      const { logo, tokenId, tokenName, tokenSymbol } = request
      const kept = rows.filter(
        ({ id, name, symbol }) => isSame(tokenId, id) && isSame(tokenName, name) && isSame(tokenSymbol, symbol)
      )
      return told(Listing.pageOf(kept.map(withLogo(logo === true)), request, mostLocked), words)
    })
  )

/**
 * @since 0.1.0
 * @category lines
 */
export const poolsLine = (head: number | undefined, pools: Scripted<typeof Operations.pools, Pools>) =>
  line<typeof Operations.pools, Pools>(Operations.pools, pools, (rows, request) =>
    Effect.map(asOf(head, request), (words) => {
      const kept = rows.filter(({ id }) => isSame(request.pool, id))
      return told(Listing.pageOf(kept, request, mostLocked), words)
    })
  )

/**
 * One of the pools, by its address.
 *
 * @since 0.1.0
 * @category lines
 */
export const poolLine = (head: number | undefined, pools: Scripted<typeof Operations.pools, Pools>) =>
  line<typeof Operations.pool, Pools>(
    Operations.pool,
    typeof pools === "function"
      ? ({ block, blockchain, exchange, pool }) => pools({ exchange, blockchain, block, pool })
      : pools,
    (rows, request) =>
      Effect.gen(function* () {
        const words = yield* asOf(head, request)
        const found = rows.find(({ id }) => isSame(request.pool, id))
        if (found !== undefined) return told(found, words)
        return yield* new PoolNotFound({ pool: request.pool, detail: `There is no pool "${request.pool}".` })
      })
  )

/**
 * @since 0.1.0
 * @category lines
 */
export const ticksLine = (head: number | undefined, ticks: Scripted<typeof Operations.ticks, Ticks>) =>
  line<typeof Operations.ticks, Ticks>(Operations.ticks, ticks, (rows, request) =>
    Effect.map(asOf(head, request), (words) =>
      told(Listing.pageOf(rows, request, Listing.byField("tick"), "tick"), words)
    )
  )

/**
 * @since 0.1.0
 * @category lines
 */
export const candlesLine = (head: number | undefined, candles: Scripted<typeof Operations.candles, Candles>) =>
  line<typeof Operations.candles, Candles>(Operations.candles, candles, (rows, request) =>
    Effect.map(asOf(head, request), (words) => {
      const { from, limit = 100, pool, timeframe, to } = request
      const kept = rows
        .filter(({ openTime }) => from === undefined || DateTime.isGreaterThanOrEqualTo(openTime, from))
        .filter(({ openTime }) => to === undefined || DateTime.isLessThanOrEqualTo(openTime, to))
        .toSorted((a, b) => DateTime.toEpochMillis(a.openTime) - DateTime.toEpochMillis(b.openTime))
      return told(
        { pool, timeframe, aggregates: from === undefined ? kept.slice(-limit) : kept.slice(0, limit) },
        words
      )
    })
  )
