import { expectTypeOf } from "@effect/vitest"
import type * as DateTime from "effect/DateTime"
import * as Duration from "effect/Duration"
import type * as Effect from "effect/Effect"
import * as BlocksOperations from "../../src/api/BlocksOperations.ts"
import * as Operations from "../../src/api/CexOperations.ts"
import * as System from "../../src/api/SystemOperations.ts"
import type { BlockchainNotFound, BlockNotFound } from "../../src/blocks/BlocksProblem.ts"
import type { ExchangeNotFound, MarketNotFound, NoData, OperationNotSupported } from "../../src/cex/CexProblem.ts"
import type { Market } from "../../src/cex/Market.ts"
import type { Trades } from "../../src/cex/Trade.ts"
import type { Client } from "../../src/client/Client.ts"
import type { Answer } from "../../src/operation/Answer.ts"
import * as RetryPolicy from "../../src/options/RetryPolicy.ts"
import type { RequestTimeout, TransportError, UnexpectedResponse } from "../../src/problem/ClientError.ts"
import type * as Problem from "../../src/problem/Problem.ts"

type Transport = TransportError | RequestTimeout | UnexpectedResponse
type Keyed =
  | Transport
  | Problem.InvalidParameter
  | Problem.MissingApiKey
  | Problem.InvalidApiKey
  | Problem.KeyNotAllowed
  | Problem.RateLimited
  | Problem.QuotaExceeded
  | Problem.Internal
  | Problem.NotReady
  | Problem.Overloaded
type Upstream = Problem.UpstreamFailed | Problem.UpstreamBusy | Problem.UpstreamTimeout
type InMarket = Keyed | Upstream | ExchangeNotFound | MarketNotFound | OperationNotSupported

declare const client: Client["Service"]
declare const market: Market
declare const since: DateTime.Utc

const exchange = "kraken"

const ping = client.call(System.ping, {})
expectTypeOf<Effect.Error<typeof ping>>().toEqualTypeOf<
  Transport | Problem.InvalidParameter | Problem.RateLimited | Problem.Internal
>()

const exchanges = client.call(Operations.exchanges, {})
expectTypeOf<Effect.Error<typeof exchanges>>().toEqualTypeOf<Keyed>()

const one = client.call(Operations.exchange, { exchange })
expectTypeOf<Effect.Error<typeof one>>().toEqualTypeOf<Keyed | ExchangeNotFound>()

const trades = client.call(Operations.trades, { exchange, market, since, limit: 5 })
expectTypeOf<Effect.Error<typeof trades>>().toEqualTypeOf<InMarket>()
expectTypeOf<Effect.Success<typeof trades>>().toEqualTypeOf<Answer<Trades>>()
expectTypeOf<Effect.Services<typeof trades>>().toEqualTypeOf<never>()

const lastTrade = client.call(Operations.lastTrade, { exchange, market })
expectTypeOf<Effect.Error<typeof lastTrade>>().toEqualTypeOf<InMarket | NoData>()

const lastCandle = client.call(Operations.lastCandle, { exchange, market, timeframe: "1h" })
expectTypeOf<Effect.Error<typeof lastCandle>>().toEqualTypeOf<InMarket | NoData>()

const patient = client.call(
  Operations.lastTrade,
  { exchange, market },
  { deadline: Duration.minutes(1), retry: { attempts: 9, rateLimit: false } }
)
expectTypeOf<Effect.Error<typeof patient>>().toEqualTypeOf<InMarket | NoData>()

// A complete policy is also valid for a single call.
export const once = client.call(Operations.lastTrade, { exchange, market }, { retry: RetryPolicy.none })

const blockchains = client.call(BlocksOperations.blockchains, {})
expectTypeOf<Effect.Error<typeof blockchains>>().toEqualTypeOf<Keyed>()

const blocks = client.call(BlocksOperations.blocks, { blockchain: "ethereum", orderBy: "gasUsed" })
expectTypeOf<Effect.Error<typeof blocks>>().toEqualTypeOf<Keyed | Upstream | BlockchainNotFound | BlockNotFound>()

export const refused = [
  // @ts-expect-error the budget is that of all calls
  () => client.call(Operations.exchanges, {}, { retry: { retryBudget: 5 } }),

  // @ts-expect-error a path parameter is missing
  () => client.call(Operations.trades, { exchange }),

  // @ts-expect-error a market is written BASE/QUOTE by its constructor, not by any text
  () => client.call(Operations.trades, { exchange, market: "BTC-USD" }),

  // @ts-expect-error a time is no bigint
  () => client.call(Operations.trades, { exchange, market, since: 1_700_000_000n }),

  // @ts-expect-error no such parameter
  () => client.call(Operations.trades, { exchange, market, from: since }),

  // @ts-expect-error no such field
  () => client.call(BlocksOperations.blocks, { blockchain: "ethereum", orderBy: "hash" }),

  // @ts-expect-error no such timeframe
  () => client.call(Operations.lastCandle, { exchange, market, timeframe: "7m" })
]
