import { Effect, Option } from "effect"
import type { CallLimits } from "../../../src/cex/ccxt/calls/CallLimits.ts"
import * as CcxtSources from "../../../src/cex/ccxt/CcxtSources.ts"
import type { SourceTrades } from "../../../src/cex/ExchangeSource.ts"
import { ExchangeSource } from "../../../src/cex/ExchangeSource.ts"
import { coinbaseStub } from "./CoinbaseStub.ts"
import type { Tape } from "./CoinbaseStub.ts"
import type { Answer, Stub } from "./StubExchange.ts"
import { stubExchange } from "./StubExchange.ts"

export const market = { base: "BTC", quote: "USD" }

export const start = Date.UTC(2026, 0, 1)

/** A trade every second. */
export const evenTape = (last: number): Tape => ({ last, getTime: (id) => start + id * 1000 })

/**
 * Runs a test against the adapter over a server with Coinbase Exchange's REST protocol; no rate limit, short delays.
 */
export const withSandbox = <A, E>(
  tape: Tape,
  test: (source: ExchangeSource["Service"], stub: Stub) => Effect.Effect<A, E>,
  options: {
    readonly over?: (...request: Parameters<Answer>) => ReturnType<Answer> | undefined
    readonly limits?: Partial<CallLimits>
  } = {}
): Effect.Effect<A, E> =>
  Effect.gen(function* () {
    const stub = yield* stubExchange(coinbaseStub(tape, options.over))
    const sandbox = { id: "sandbox", driver: "coinbaseexchange", rest: stub.rest }
    const layer = CcxtSources.layer([sandbox], { paceMs: 0, backoffMs: 2, ...options.limits })
    return yield* Effect.flatMap(ExchangeSource, (source) => test(source, stub)).pipe(Effect.provide(layer))
  }).pipe(Effect.scoped)

/** The same with the protocol of another exchange and one market, BTC/USD. */
export const withExchange = <A, E>(
  driver: string,
  marketId: string,
  answer: Answer,
  test: (source: ExchangeSource["Service"], stub: Stub) => Effect.Effect<A, E>
): Effect.Effect<A, E> =>
  Effect.gen(function* () {
    const stub = yield* stubExchange(answer)
    const known = { symbol: "BTC/USD", id: marketId, base: "BTC", quote: "USD", baseId: "BTC", quoteId: "USD" }
    const entry = { id: "timed", driver, rest: stub.rest, markets: [known] }
    const layer = CcxtSources.layer([entry], { paceMs: 0, attempts: 1, freshMs: 0 })
    return yield* Effect.flatMap(ExchangeSource, (source) => test(source, stub)).pipe(Effect.provide(layer))
  }).pipe(Effect.scoped)

export const ids = ({ trades }: SourceTrades): ReadonlyArray<number> => trades.map(({ id }) => Number(id))

export const latest = (limit: number) => ({ limit, since: Option.none(), before: Option.none() })

export const from = (since: number, limit: number) => ({ limit, since: Option.some(since), before: Option.none() })

export const range = (first: number, last: number): ReadonlyArray<number> =>
  Array.from({ length: Math.max(last - first + 1, 0) }, (_, index) => first + index)
