import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect } from "effect"
import { Devnet } from "../../src/devnet/Devnet.ts"

Devnet.use(({ pid }) => Console.log(`anvil ${pid}`).pipe(Effect.andThen(Effect.never))).pipe(
  Effect.provide(Devnet.layer({ seed: 1, prefill: 2 })),
  NodeRuntime.runMain
)
