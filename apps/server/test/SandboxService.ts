import { Devnet, SandboxExchange } from "@chaintape/sandbox"
import { Effect, Layer } from "effect"
import { RunningService } from "./RunningService.ts"

/** A service over a real sandbox exchange, named `sandbox`. */
export const overExchange = Layer.unwrap(
  Effect.map(SandboxExchange, ({ rest }) =>
    RunningService.layer({ config: { exchanges: [{ id: "sandbox", driver: "coinbaseexchange", rest }] } })
  )
).pipe(Layer.provideMerge(Layer.orDie(SandboxExchange.layer({ rateLimit: "none" }))))

/** A service over a real chain, `devnet`, that mines only on demand; blocks 8 below its head are final. */
export const overDevnet = Layer.unwrap(
  Effect.map(Devnet, ({ rpc }) =>
    RunningService.layer({ config: { blockchains: [{ id: "devnet", name: "Devnet", rpc: [rpc], finality: 8 }] } })
  )
).pipe(
  Layer.provideMerge(Devnet.layer({ mode: "manual", prefill: 20, genesisTimestamp: 1_700_000_000 }).pipe(Layer.orDie))
)
