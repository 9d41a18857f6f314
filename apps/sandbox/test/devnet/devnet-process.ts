import { argv } from "node:process"
import { NodeRuntime } from "@effect/platform-node"
import { Console, Effect } from "effect"
import { Devnet } from "../../src/devnet/Devnet.ts"

Devnet.use(({ pid }) => Console.log(`anvil ${pid}`).pipe(Effect.andThen(Effect.never))).pipe(
  Effect.provide(Devnet.layer({ seed: 1, prefill: Number(argv[2] ?? 2), port: Number(argv[3] ?? 0) })),
  NodeRuntime.runMain
)
