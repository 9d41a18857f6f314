// Runs the service of Valuation.ts; its test is in test/Valuation.test.ts.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect } from "effect"
import { Valuation } from "./Valuation.ts"

const program = Effect.gen(function* () {
  const valuation = yield* Valuation
  const worth = yield* valuation.worth({ BTC: 0.5, ETH: 3, XYZ: 1000 })
  yield* Console.log(`The holdings are worth ${worth.toFixed(2)} USD.`)
})

program.pipe(Effect.provide(Valuation.layer), NodeRuntime.runMain)
