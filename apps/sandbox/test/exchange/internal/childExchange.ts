/**
 * An exchange in a process of its own, for tests that kill it. Arguments: the journal's directory. Prints its
 * addresses.
 */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect } from "effect"
import { SandboxExchange } from "../../../src/exchange/SandboxExchange.ts"

const program = Effect.gen(function* () {
  const { rest, websocket } = yield* SandboxExchange
  yield* Console.log(JSON.stringify({ rest, websocket }))
  return yield* Effect.never
})

NodeRuntime.runMain(
  program.pipe(
    Effect.provide(
      SandboxExchange.layer({ journalDir: process.argv[2], rateLimit: "none", tradesPerSecond: 500, tick: "5 millis" })
    )
  )
)
