import { type Fault, SandboxExchange } from "@chaintape/sandbox"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Result } from "effect"
import * as CcxtSources from "../../../src/cex/ccxt/CcxtSources.ts"
import { ExchangeSource } from "../../../src/cex/ExchangeSource.ts"
import type { SourceTrades } from "../../../src/cex/ExchangeSource.ts"
import * as ExactDecimal from "../../../src/internal/ExactDecimal.ts"
import { from, latest, market } from "./Sandbox.ts"

const product = "BTC-USD"

/** Every fault of a REST response, each at a rate of up to one in ten. */
const faults: ReadonlyArray<Fault> = [
  { kind: "server-error", status: 503, rate: 0.1, endpoint: "trades" },
  { kind: "rate-limited", retryAfter: "none", rate: 0.05, endpoint: "trades" },
  { kind: "html-page", contentType: "json", rate: 0.05, endpoint: "trades" },
  { kind: "truncated-body", bytes: 900, contentLength: "matching", rate: 0.05, endpoint: "trades" },
  { kind: "truncated-body", bytes: 900, contentLength: "original", rate: 0.05, endpoint: "trades" },
  { kind: "changed-shape", change: "null-price", rate: 0.05, endpoint: "trades" },
  { kind: "changed-shape", change: "list-moved", rate: 0.05, endpoint: "trades" },
  { kind: "changed-shape", change: "renamed-field", rate: 0.05, endpoint: "trades" },
  { kind: "duplicate", content: "same", rate: 0.1, endpoint: "trades" },
  { kind: "out-of-order", window: 50, rate: 0.1, endpoint: "trades" },
  { kind: "stale-page", seconds: 20, rate: 0.1, endpoint: "trades" }
]

const withSandboxExchange = <A, E>(
  test: (source: ExchangeSource["Service"], sandbox: SandboxExchange["Service"]) => Effect.Effect<A, E>
) =>
  Effect.gen(function* () {
    const sandbox = yield* SandboxExchange
    const entry = { id: "sandbox", driver: "coinbaseexchange", rest: sandbox.rest }
    const layer = CcxtSources.layer([entry], { paceMs: 0, backoffMs: 2, freshMs: 0, resetTimeoutMs: 20 })
    return yield* Effect.flatMap(ExchangeSource, (source) => test(source, sandbox)).pipe(Effect.provide(layer))
  }).pipe(Effect.provide(SandboxExchange.layer({ rateLimit: "none" })))

/** Compares responses with the sandbox's journal of the same ids. */
const assertTrue = (sandbox: SandboxExchange["Service"], ...answers: ReadonlyArray<SourceTrades>) =>
  Effect.gen(function* () {
    const journal = new Map((yield* sandbox.journal(product)).map((trade) => [String(trade.trade_id), trade]))
    for (const { trades } of answers) {
      trades.forEach((trade, index) => {
        const truth = journal.get(trade.id)
        assert.strictEqual(trade.price, ExactDecimal.canonical(truth?.price ?? ""))
        assert.strictEqual(trade.size, ExactDecimal.canonical(truth?.size ?? ""))
        assert.strictEqual(trade.side, truth?.side === "buy" ? "sell" : "buy")
        assert.strictEqual(trade.timestamp, Date.parse(truth?.time ?? ""))
        assert.strictEqual(Number(trade.id), Number(trades[0]?.id) + index)
      })
    }
  })

describe("the sandbox exchange", { timeout: 180_000 }, () => {
  it.live("gives the same trades as its journal", () =>
    withSandboxExchange((source, sandbox) =>
      Effect.gen(function* () {
        const newest = yield* source.trades("sandbox", market, latest(5000))
        assert.deepStrictEqual([newest.trades.length, newest.completeness], [5000, "complete"])
        yield* assertTrue(sandbox, newest)
        const since = (yield* Clock.currentTimeMillis) - 3_600_000
        const hour = yield* source.trades("sandbox", market, from(since, 3000))
        assert.deepStrictEqual([hour.trades.length, hour.completeness], [3000, "complete"])
        yield* assertTrue(sandbox, hour)
        const before = (yield* sandbox.journal(product)).filter(({ time }) => Date.parse(time) < since).length
        assert.strictEqual(Number(hour.trades[0]?.id), before + 1)
      })
    )
  )

  it.live("never gives a wrong trade, under any fault", () =>
    withSandboxExchange((source, sandbox) =>
      Effect.gen(function* () {
        yield* source.trades("sandbox", market, latest(1))
        yield* sandbox.faults.set({ seed: 7, faults })
        const answers: Array<SourceTrades> = []
        for (let call = 0; call < 150; call++) {
          const since = (yield* Clock.currentTimeMillis) - 30_000 * (call + 1)
          const request = call % 2 === 0 ? latest(150) : from(since, 200)
          const result = yield* Effect.result(source.trades("sandbox", market, request))
          if (Result.isSuccess(result)) answers.push(result.success)
        }
        assert.isAbove(answers.length, 50)
        yield* assertTrue(sandbox, ...answers)
        const { faults: struck } = yield* sandbox.faults.get
        for (const { kind, hits } of struck) assert.isAbove(hits, 0, kind)
      })
    )
  )
})
