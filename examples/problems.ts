// Every problem is a class: handle it by its tag. The client has already retried what is retryable.
import { Cex } from "@chaintape/cex"
import { Market } from "@chaintape/core"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Duration, Effect } from "effect"

// #region problems
/** The type shows that no error remains: a `Market` is well-formed, because `Market.make` validates it. */
const price: (exchange: string, market: Market) => Effect.Effect<string, never, Cex> = Effect.fn("price")(
  function* (exchange: string, market: Market) {
    const cex = yield* Cex
    const trade = yield* cex.lastTrade({ exchange, market })
    return `${trade.price}`
  },
  Effect.catchTags({
    // The requested item does not exist.
    ExchangeNotFound: ({ exchange }) => Effect.succeed(`there is no exchange ${exchange}`),
    MarketNotFound: ({ exchange, market }) => Effect.succeed(`${exchange} does not list ${market}`),
    OperationNotSupported: ({ exchange }) => Effect.succeed(`${exchange} shows no trades`),
    NoData: ({ market }) => Effect.succeed(`${market} has not traded yet`),
    InvalidParameter: ({ issues }) => Effect.succeed(issues.map(({ message }) => message).join("; ")),
    // The key is missing, invalid or restricted.
    MissingApiKey: ({ detail }) => Effect.succeed(detail),
    InvalidApiKey: ({ detail }) => Effect.succeed(detail),
    KeyNotAllowed: ({ group }) => Effect.succeed(`the key does not allow ${group}`),
    // The last attempt ended with one of these.
    RateLimited: ({ retryAfterMs }) => Effect.succeed(`the budget is used up, wait ${retryAfterMs} ms`),
    QuotaExceeded: ({ retryAfterMs }) => Effect.succeed(`the quota of the day is used up, wait ${retryAfterMs} ms`),
    UpstreamBusy: ({ retryAfterMs, source }) => Effect.succeed(`${source} is busy, wait ${retryAfterMs} ms`),
    UpstreamTimeout: ({ source }) => Effect.succeed(`${source} did not answer in time`),
    UpstreamFailed: ({ reason, source }) => Effect.succeed(`${source} failed: ${reason}`),
    Overloaded: ({ retryAfterMs }) => Effect.succeed(`the service is overloaded, wait ${retryAfterMs} ms`),
    NotReady: ({ retryAfterMs }) => Effect.succeed(`the service is starting, wait ${retryAfterMs} ms`),
    Internal: ({ requestId }) => Effect.succeed(`the service failed: its log explains request ${requestId}`),
    // Not a problem of the service: the connection to it failed, or a response could not be decoded.
    TransportError: ({ attempts, detail }) => Effect.succeed(`no connection in ${attempts} attempts: ${detail}`),
    RequestTimeout: ({ milliseconds }) => Effect.succeed(`no answer within ${milliseconds} ms`),
    UnexpectedResponse: ({ detail, status }) => Effect.succeed(`status ${status} with ${detail}`)
  })
)
// #endregion

const good = Cex.layerConfig({ retry: { attempts: 3, deadline: Duration.seconds(10) } })
const withoutKey = Cex.layerConfig({ apiKey: undefined })
const unreachable = Cex.layer({ baseUrl: "http://127.0.0.1:2", retry: { attempts: 2 } })

const market = Market.make("BTC/USD")

const program = Effect.gen(function* () {
  yield* Console.log(`BTC/USD: ${yield* price("sandbox", market).pipe(Effect.provide(good))}`)
  yield* Console.log(`an unknown exchange: ${yield* price("nowhere", market).pipe(Effect.provide(good))}`)
  yield* Console.log(`an unknown market: ${yield* price("sandbox", Market.make("BTC/XYZ")).pipe(Effect.provide(good))}`)
  yield* Console.log(`no key: ${yield* price("sandbox", market).pipe(Effect.provide(withoutKey))}`)
  yield* Console.log(`no service: ${yield* price("sandbox", market).pipe(Effect.provide(unreachable))}`)
})

NodeRuntime.runMain(program)
