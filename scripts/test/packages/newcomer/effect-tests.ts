/** The tests of the service: without a network, with a storm of 429, an outage and a gap. */
import * as assert from "node:assert/strict"
import { Cex } from "@chaintape/cex"
import { CexTest } from "@chaintape/cex/testing"
import { Client } from "@chaintape/core"
import { Faults } from "@chaintape/core/testing"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { advance, format, start } from "./vwap.js"

const at = (second: number) => DateTime.add(DateTime.makeUnsafe("2026-01-02T00:00:00Z"), { seconds: second })
const trades = Array.from({ length: 60 }, (_, index) =>
  CexTest.trade({ id: String(index), timestamp: at(index), price: 10, size: 0.1 })
)

const over = (fault: Faults.Fault) =>
  Cex.layerNoDeps.pipe(
    Layer.provide(
      Client.layerNoDeps({ baseUrl: "http://test", retry: { firstDelay: 1, maxDelay: 5, retryBudget: 50 } })
    ),
    Layer.provide(fault),
    Layer.provide(CexTest.layerHttp({ trades }))
  )
const run = (fault: Faults.Fault) => Effect.runPromise(Effect.provide(advance(start, 1000), over(fault)))

const stormy = await run(Faults.rateLimited({ first: 2, retryAfter: "10 millis" }))
const down = await run(Faults.outage({ first: 3 }))
const holed = await run(Faults.gap({ start: at(10), end: at(20) }))
assert.equal(format(stormy), "60 / 6")
assert.equal(format(down), "60 / 6")
assert.equal(format(holed), "50 / 5")
assert.ok(holed.gaps > 0 && stormy.gaps === 0)
console.log("tested")
