import { Effect, Layer } from "effect"
import type { Limits } from "../src/auth/limits/Plans.ts"
import { blocksOver, chainOf, sourceOf } from "./blocks/SyntheticChain.ts"
import { coinbaseStub } from "./cex/ccxt/CoinbaseStub.ts"
import { evenTape, start } from "./cex/ccxt/Sandbox.ts"
import { json, stubExchange } from "./cex/ccxt/StubExchange.ts"
import { RunningService } from "./RunningService.ts"

type Options = Pick<Parameters<typeof RunningService.layer>[0], "isUncached" | "redis"> & {
  readonly further?: Layer.Layer<never>
}

/** The newest block of the chain `synthetic`, whose block n has the time 1,000 + 12 n. */
export const head = 250

const finality = 32

const chain = chainOf(Array.from({ length: head + 1 }, (_, number) => 1000 + 12 * number))

/** Time, low, high, open, close, volume. */
const candles = (path: string) =>
  path.endsWith("/candles") ? json([[start / 1000, 1.5, 3.25, 2, 2.5, 10.125]]) : undefined

/** A service over an exchange `stub` with 3,000 trades and a chain `synthetic`; neither changes. */
export const stubbedService = (limits?: Limits, { further = Layer.empty, ...options }: Options = {}) =>
  Layer.unwrap(
    Effect.map(stubExchange(coinbaseStub(evenTape(3000), candles)), ({ rest }) =>
      RunningService.layer({
        config: {
          exchanges: [{ id: "stub", driver: "coinbaseexchange", rest }, { id: "kraken" }],
          blockchains: [{ id: "synthetic", name: "Synthetic", rpc: ["http://127.0.0.1:1"] }]
        },
        overrides: Layer.merge(
          blocksOver(
            sourceOf(() => chain, undefined, finality),
            finality
          ),
          further
        ),
        ...(limits === undefined ? {} : { limits }),
        traced: true,
        ...options
      })
    )
  )
