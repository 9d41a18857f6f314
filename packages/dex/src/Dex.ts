/**
 * Decentralized exchanges: totals, tokens, pools and their trades, now or as of a block.
 *
 * @since 0.1.0
 */
import * as Operations from "@chaintape/core/api/DexOperations"
import { callsOf } from "@chaintape/core/client/Calls"
import { Client, type ClientOptions, type Read, type ReadAnswer } from "@chaintape/core/client/Client"
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const { blockchains, deployments, tokens, tokenTrades, pools, pool, poolTrades, candles, ticks } = Operations
const operations = { blockchains, deployments, tokens, tokenTrades, pools, pool, poolTrades, candles, ticks }

/**
 * Reads decentralized exchanges.
 *
 * @since 0.1.0
 * @category services
 *
 * @example
 * ```ts
 * import { Decimal } from "@chaintape/core"
 * import { Dex } from "@chaintape/dex"
 * import { Effect } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const dex = yield* Dex
 *   const deployment = { exchange: "uniswap-v3", blockchain: "ethereum" }
 *   const pools = yield* dex.pools({ ...deployment, limit: 10, block: 20_000_000 })
 *   return pools.map(({ id, totalValueLockedUSD }) => [id, Decimal.toNumber(totalValueLockedUSD)] as const)
 * })
 *
 * const runnable = Effect.provide(program, Dex.layerConfig())
 * ```
 */
export class Dex extends Context.Service<
  Dex,
  {
    /** The blockchains on which an exchange is available. */
    readonly blockchains: Read<typeof Operations.blockchains>
    /** The totals of each factory. */
    readonly deployments: Read<typeof Operations.deployments>
    /** Tokens, by locked value unless sorted otherwise. Alpha: this operation may change. */
    readonly tokens: Read<typeof Operations.tokens>
    /** Mints, burns and swaps of every pool that contains a token. */
    readonly tokenTrades: Read<typeof Operations.tokenTrades>
    /** Pools, by locked value unless sorted otherwise. */
    readonly pools: Read<typeof Operations.pools>
    /** One pool. */
    readonly pool: Read<typeof Operations.pool>
    /** Mints, burns and swaps of one pool. */
    readonly poolTrades: Read<typeof Operations.poolTrades>
    /** Candles of one pool, from its swaps, oldest first. An addition beside the specified interface. */
    readonly candles: Read<typeof Operations.candles>
    /** The initialized ticks of one pool, by tick. An addition beside the specified interface. */
    readonly ticks: Read<typeof Operations.ticks>
    /**
     * The same operations, which also return what the headers say about the value: as of which block, and its source.
     */
    readonly withResponse: {
      readonly blockchains: ReadAnswer<typeof Operations.blockchains>
      readonly deployments: ReadAnswer<typeof Operations.deployments>
      readonly tokens: ReadAnswer<typeof Operations.tokens>
      readonly tokenTrades: ReadAnswer<typeof Operations.tokenTrades>
      readonly pools: ReadAnswer<typeof Operations.pools>
      readonly pool: ReadAnswer<typeof Operations.pool>
      readonly poolTrades: ReadAnswer<typeof Operations.poolTrades>
      readonly candles: ReadAnswer<typeof Operations.candles>
      readonly ticks: ReadAnswer<typeof Operations.ticks>
    }
  }
>()("@chaintape/dex/Dex") {
  /** With the `Client` in the context, so that several groups share one. */
  static readonly layerNoDeps: Layer.Layer<Dex, never, Client> = Layer.effect(
    Dex,
    Effect.map(Client, (client) => callsOf(client, operations))
  )

  /** With its own client on `fetch`. */
  static readonly layer = (options: ClientOptions): Layer.Layer<Dex> =>
    Dex.layerNoDeps.pipe(Layer.provide(Client.layer(options)))

  /** With its own client, configured by `CHAINTAPE_BASE_URL` and `CHAINTAPE_API_KEY`. */
  static readonly layerConfig = (
    options?: Parameters<typeof Client.layerConfig>[0]
  ): Layer.Layer<Dex, Config.ConfigError> => Dex.layerNoDeps.pipe(Layer.provide(Client.layerConfig(options)))
}
