/**
 * Decentralized exchanges: totals, tokens, pools and their trades, now or as of a block.
 *
 * @since 0.1.0
 */
import { Client, type ClientOptions } from "@chaintape/core"
import { callsOf } from "@chaintape/core/operations"
import * as Operations from "@chaintape/core/operations/dex"
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

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
  Operations.DexMethods<"effect"> & {
    /**
     * The same methods, which also return what the headers say about the value: as of which block, and its source.
     */
    readonly withResponse: Operations.DexMethods<"effectResponse">
  }
>()("@chaintape/dex/Dex") {
  /** With the `Client` in the context, so that several groups share one. */
  static readonly layerNoDeps: Layer.Layer<Dex, never, Client> = Layer.effect(
    Dex,
    Effect.map(Client, (client) => callsOf(client, Operations))
  )

  /** With its own client on `fetch`. */
  static readonly layer = (options: ClientOptions): Layer.Layer<Dex> =>
    Dex.layerNoDeps.pipe(Layer.provide(Client.layer(options)))

  /**
   * With its own client on `fetch`. Each option is a value or a `Config`; without them the address and the key are those
   * of `CHAINTAPE_BASE_URL` and `CHAINTAPE_API_KEY`.
   */
  static readonly layerConfig = (
    options?: Parameters<typeof Client.layerConfig>[0]
  ): Layer.Layer<Dex, Config.ConfigError> => Dex.layerNoDeps.pipe(Layer.provide(Client.layerConfig(options)))
}
