/**
 * Blockchains and their blocks.
 *
 * @since 0.1.0
 */
import { Client, type ClientOptions } from "@chaintape/core"
import { callsOf } from "@chaintape/core/operations"
import * as Operations from "@chaintape/core/operations/blocks"
import type * as Config from "effect/Config"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/**
 * Reads blockchains.
 *
 * @since 0.1.0
 * @category services
 *
 * @example
 * ```ts
 * import { Blocks } from "@chaintape/blocks"
 * import { DateTime, Effect } from "effect"
 *
 * const program = Effect.gen(function* () {
 *   const { blocks } = yield* Blocks
 *   const from = DateTime.subtract(yield* DateTime.now, { minutes: 5 })
 *   const recent = yield* blocks({ blockchain: "ethereum", from, limit: 1000 })
 *   return recent.map(({ gasUsed, number }) => ({ gasUsed, number }))
 * })
 *
 * const runnable = Effect.provide(program, Blocks.layerConfig())
 * ```
 */
export class Blocks extends Context.Service<
  Blocks,
  Operations.BlocksMethods<"effect"> & {
    /**
     * The same methods, which also return what the headers say about the value: as of which block, and its source.
     */
    readonly withResponse: Operations.BlocksMethods<"effectResponse">
  }
>()("@chaintape/blocks/Blocks") {
  /** With the `Client` in the context, so that several groups share one. */
  static readonly layerNoDeps: Layer.Layer<Blocks, never, Client> = Layer.effect(
    Blocks,
    Effect.map(Client, (client) => callsOf(client, Operations))
  )

  /** With its own client on `fetch`. */
  static readonly layer = (options: ClientOptions): Layer.Layer<Blocks> =>
    Blocks.layerNoDeps.pipe(Layer.provide(Client.layer(options)))

  /**
   * With its own client on `fetch`. Each option is a value or a `Config`; without them the address and the key are those
   * of `CHAINTAPE_BASE_URL` and `CHAINTAPE_API_KEY`.
   */
  static readonly layerConfig = (
    options?: Parameters<typeof Client.layerConfig>[0]
  ): Layer.Layer<Blocks, Config.ConfigError> => Blocks.layerNoDeps.pipe(Layer.provide(Client.layerConfig(options)))
}
