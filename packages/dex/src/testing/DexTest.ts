/**
 * A `Dex` for tests, from plain values.
 *
 * @since 0.1.0
 */
import * as Operations from "@chaintape/core/api/DexOperations"
import { Blockchain } from "@chaintape/core/blocks/Blockchain"
import {
  layerScript,
  layerScriptHttp,
  type Line,
  line,
  type Scripted,
  told,
  type Unbranded
} from "@chaintape/core/testing"
import * as Effect from "effect/Effect"
import type * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import { Dex } from "../Dex.ts"
import { asOf } from "./Chain.ts"
import { poolLine, poolsLine, tokensLine } from "./Lists.ts"
import { poolTradesLine, tokenTradesLine, type TradeRows } from "./TradeLists.ts"
import type { PoolRow, TokenRow } from "./Values.ts"

export { burn, mint, pool, swap, token } from "./Values.ts"

/**
 * What each operation answers: a value, a problem, an effect of either, or a function of the request, which may tell the
 * state at `block`. `told` adds what the answer says about its value.
 *
 * @example
 * ```ts
 * import { DexTest, type DexScript } from "@chaintape/dex/testing"
 *
 * const script: DexScript = {
 *   head: 200,
 *   pools: ({ block = 200 }) => [DexTest.pool({ totalValueLockedUSD: block < 150 ? "1000" : "2000" })]
 * }
 * ```
 *
 * @since 0.1.0
 * @category models
 */
export interface DexScript {
  /** The newest block: answers say as of which one they are, and later blocks are not found. */
  readonly head?: number
  readonly blockchains?: Scripted<typeof Operations.blockchains>
  readonly deployments?: Scripted<typeof Operations.deployments>
  /** All tokens: an answer holds those that the request asks for. */
  readonly tokens?: Scripted<typeof Operations.tokens, ReadonlyArray<TokenRow>>
  /** All pools: an answer holds those that the request asks for. */
  readonly pools?: Scripted<typeof Operations.pools, ReadonlyArray<PoolRow>>
  /** Where it is left out, the one of `pools` with the address. */
  readonly pool?: Scripted<typeof Operations.pool>
  /** All trades of the token's pools: an answer holds those that the request asks for. */
  readonly tokenTrades?: Scripted<typeof Operations.tokenTrades, TradeRows>
  /** All trades of the pool: an answer holds those that the request asks for. */
  readonly poolTrades?: Scripted<typeof Operations.poolTrades, TradeRows>
}

const linesOf = (script: DexScript): ReadonlyArray<Line> => {
  const { blockchains, deployments, head, pool, pools, poolTrades, tokens, tokenTrades } = script
  const lines: Array<Line> = []
  if (blockchains !== undefined) {
    lines.push(
      line<typeof Operations.blockchains, ReadonlyArray<Unbranded<Blockchain>>>(
        Operations.blockchains,
        blockchains,
        (given) =>
          Effect.sync(() =>
            told(
              given.map((one) => new Blockchain(one)),
              {}
            )
          )
      )
    )
  }
  if (deployments !== undefined) {
    lines.push(
      line(Operations.deployments, deployments, (given, request) =>
        Effect.map(asOf(head, request), (words) => told(given, words))
      )
    )
  }
  if (tokens !== undefined) lines.push(tokensLine(head, tokens))
  if (pools !== undefined) lines.push(poolsLine(head, pools), poolLine(head, pools))
  if (pool !== undefined) {
    lines.push(
      line(Operations.pool, pool, (given, request) => Effect.map(asOf(head, request), (words) => told(given, words)))
    )
  }
  if (tokenTrades !== undefined) lines.push(tokenTradesLine(head, tokenTrades))
  if (poolTrades !== undefined) lines.push(poolTradesLine(head, poolTrades))
  return lines
}

/**
 * A `Dex` without a network. An operation that the script leaves out is a defect whose sentence names it, as is a value
 * that the service could not answer. Wrong parameters are refused as by the service, with `InvalidParameter`.
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
  Dex.layerNoDeps.pipe(Layer.provide(layerScript(linesOf(script))))

/**
 * The same script as an `HttpClient`, below the client: its retries, its decoding and its errors are at work, and faults
 * can be laid between.
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
export const layerHttp = (script: DexScript): Layer.Layer<HttpClient.HttpClient> => layerScriptHttp(linesOf(script))
