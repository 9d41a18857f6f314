import { Cex } from "@chaintape/cex"
import * as Effect from "effect/Effect"
import { advance, format, start } from "./vwap.js"

const program = Effect.gen(function* () {
  const half = yield* advance(start, 2)
  const whole = yield* advance(half, 1000)
  return format(whole)
})
console.log(await Effect.runPromise(Effect.provide(program, Cex.layerConfig())))
