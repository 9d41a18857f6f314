/**
 * A `Dex` for tests, from plain values.
 *
 * @since 0.1.0
 */
import { Blockchain } from "@chaintape/core"
import * as Operations from "@chaintape/core/operations/dex"
import { Script, mockResponse } from "@chaintape/core/testing"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import { Dex } from "../Dex.ts"
import { asOf } from "./Chain.ts"
import { candlesLine, poolLine, poolsLine, ticksLine, tokensLine } from "./Lists.ts"
import { poolTradesLine, tokenTradesLine, type TradeRows } from "./TradeLists.ts"
import type { CandleRow, PoolRow, TickRow, TokenRow } from "./Values.ts"

export { burn, mint, pool, swap, token } from "./Values.ts"

/**
 * The reply of each operation: a value, a problem, an effect of either, or a function of the request, which may return
 * the state at `block`. `mockResponse` adds response headers to a value.
 *
 * @example
 * ```ts
 * import { DexTest } from "@chaintape/dex/testing"
 *
 * const script: DexTest.DexScript = {
 *   head: 200,
 *   pools: ({ block = 200 }) => [DexTest.pool({ totalValueLockedUSD: block < 150 ? "1000" : "2000" })]
 * }
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface DexScript {
  /** The newest block: replies are as of it, and later blocks are not found. */
  readonly head?: number
  /** The blockchains of the exchange. */
  readonly blockchains?: Script.Scripted<typeof Operations.blockchains>
  /** The totals of each factory. */
  readonly deployments?: Script.Scripted<typeof Operations.deployments>
  /** All tokens: a reply contains those that the request selects. */
  readonly tokens?: Script.Scripted<typeof Operations.tokens, ReadonlyArray<TokenRow>>
  /** All pools: a reply contains those that the request selects. */
  readonly pools?: Script.Scripted<typeof Operations.pools, ReadonlyArray<PoolRow>>
  /** Default: the one of `pools` with the address. */
  readonly pool?: Script.Scripted<typeof Operations.pool>
  /** All trades of the token's pools: a reply contains those that the request selects. */
  readonly tokenTrades?: Script.Scripted<typeof Operations.tokenTrades, TradeRows>
  /** All trades of the pool: a reply contains those that the request selects. */
  readonly poolTrades?: Script.Scripted<typeof Operations.poolTrades, TradeRows>
  /** All candles of the pool, in any order: a reply contains those that the request selects. */
  readonly candles?: Script.Scripted<typeof Operations.candles, ReadonlyArray<CandleRow>>
  /** All initialized ticks of the pool, in any order: a reply contains those that the request selects. */
  readonly ticks?: Script.Scripted<typeof Operations.ticks, ReadonlyArray<TickRow>>
  /** New swaps of the pool and reorgs, with `layerHttp`; without it the client polls `poolTrades`. */
  readonly liveSwaps?: Parameters<typeof Script.liveSwaps>[0]
}

const getLines = (script: DexScript): ReadonlyArray<Script.Line> => {
  const { blockchains, candles, deployments, head, pool, pools, poolTrades, ticks, tokens, tokenTrades } = script
  const lines: Array<Script.Line> = []
  if (blockchains !== undefined) {
    lines.push(
      Script.line<typeof Operations.blockchains, ReadonlyArray<Script.Unbranded<Blockchain>>>(
        Operations.blockchains,
        blockchains,
        (given) =>
          Effect.sync(() =>
            mockResponse(
              given.map((one) => new Blockchain(one)),
              {}
            )
          )
      )
    )
  }
  if (deployments !== undefined) {
    lines.push(
      Script.line(Operations.deployments, deployments, (given, request) =>
        Effect.map(asOf(head, request), (metadata) => mockResponse(given, metadata))
      )
    )
  }
  if (tokens !== undefined) lines.push(tokensLine(head, tokens))
  if (pools !== undefined) lines.push(poolsLine(head, pools), poolLine(head, pools))
  if (pool !== undefined) {
    lines.push(
      Script.line(Operations.pool, pool, (given, request) =>
        Effect.map(asOf(head, request), (metadata) => mockResponse(given, metadata))
      )
    )
  }
  if (tokenTrades !== undefined) lines.push(tokenTradesLine(head, tokenTrades))
  if (poolTrades !== undefined) lines.push(poolTradesLine(head, poolTrades))
  if (candles !== undefined) lines.push(candlesLine(head, candles))
  if (ticks !== undefined) lines.push(ticksLine(head, ticks))
  return lines
}

/**
 * A `Dex` without a network. An operation without a reply is a defect whose message names it, as is a value that the
 * service could not return. Invalid parameters fail with `InvalidParameter`, as at the service.
 *
 * @example
 * ```ts
 * import { Dex } from "@chaintape/dex"
 * import { DexTest } from "@chaintape/dex/testing"
 * import * as Effect from "effect/Effect"
 *
 * const largest = Effect.gen(function* () {
 *   const dex = yield* Dex
 *   return (yield* dex.pools({ exchange: "uniswap-v3", blockchain: "ethereum", limit: 1 }))[0]?.id
 * })
 *
 * const tested = Effect.provide(largest, DexTest.layer({ pools: [DexTest.pool()] }))
 * ```
 *
 * @since 0.1.0
 * @category layers
 */
export const layer = (script: DexScript): Layer.Layer<Dex> =>
  Dex.layerNoDeps.pipe(Layer.provide(Script.layerScript(getLines(script))))

/**
 * The same script as an `HttpClient`, below the client: its retries, decoding and errors apply, and faults can be
 * inserted.
 *
 * @example
 * ```ts
 * import { Client } from "@chaintape/core"
 * import { Faults } from "@chaintape/core/testing"
 * import { Dex } from "@chaintape/dex"
 * import { DexTest } from "@chaintape/dex/testing"
 * import * as Layer from "effect/Layer"
 *
 * const afterReorg = Dex.layerNoDeps.pipe(
 *   Layer.provide(Client.layerNoDeps({ baseUrl: "http://service.test" })),
 *   Layer.provide(Faults.reorg({ skip: 1, block: 100 })),
 *   Layer.provide(DexTest.layerHttp({ head: 100, pools: [DexTest.pool()] }))
 * )
 * ```
 *
 * @since 0.1.0
 * @category layers
 */
export const layerHttp = (script: DexScript): Layer.Layer<HttpClient.HttpClient> =>
  Script.layerScriptHttp(getLines(script), script.liveSwaps === undefined ? [] : [Script.liveSwaps(script.liveSwaps)])
