import { createServer } from "node:http"
import type { Server } from "node:http"
import type { Socket } from "node:net"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodePath from "@effect/platform-node/NodePath"
import { Clock, Context, Data, Duration, Effect, Layer, Schedule, Scope } from "effect"
import { HttpServer } from "effect/http"
import type { HttpServerError } from "effect/http"
import { makeExchangeHttpApp } from "./ExchangeHttpApp.ts"
import type { FaultSet, FaultState } from "./faults/Fault.ts"
import { FaultBoard } from "./faults/FaultBoard.ts"
import { Feed } from "./feed/Feed.ts"
import { lockJournals } from "./market/JournalLock.ts"
import { JournalStore } from "./market/JournalStore.ts"
import type { JournalStoreError } from "./market/JournalStoreError.ts"
import { Markets } from "./market/Markets.ts"
import { defaultProducts } from "./market/Product.ts"
import type { Product } from "./market/Product.ts"
import { zero } from "./rest/Counters.ts"
import type { Counters } from "./rest/Counters.ts"
import { journalTrade } from "./rest/Wire.ts"
import type { JournalTrade } from "./rest/Wire.ts"
import { TokenBuckets } from "./TokenBuckets.ts"
import type { RateLimit } from "./TokenBuckets.ts"

export interface SandboxExchangeOptions {
  /** The tape depends only on it and on the clock. Default 1. */
  readonly seed?: number | undefined
  /** 0, the default, takes any free port. */
  readonly port?: number | undefined
  /** Default: BTC-USD, ETH-USD and SHIB-USD. */
  readonly products?: ReadonlyArray<Product> | undefined
  /** Of each product. Default 20. */
  readonly tradesPerSecond?: number | undefined
  /** How far the tape reaches back at the first start. Default two hours. */
  readonly history?: Duration.Input | undefined
  /** Of each product, in the time before the first start. Default 2. */
  readonly historyTradesPerSecond?: number | undefined
  /** Retained trades of each product. Default 500,000. */
  readonly retain?: number | undefined
  /** The folder in which the tape survives restarts. Default: none. */
  readonly journalDir?: string | undefined
  /** Per address. Default 10 requests a second with bursts of 15. */
  readonly rateLimit?: RateLimit | "none" | undefined
  /** Default 100. */
  readonly subscriptionsPerSocket?: number | undefined
  /** When a connection without a subscription is closed. Default 5 seconds. */
  readonly subscribeWithin?: Duration.Input | undefined
  /** Bytes that may be queued for a slow reader of the stream. Default 1 MiB. */
  readonly maxBufferedBytes?: number | undefined
  /** How often the agents trade. Default 50 ms. */
  readonly tick?: Duration.Input | undefined
}

export class UnknownProductError extends Data.TaggedError("UnknownProductError")<{
  readonly product: string
  readonly message: string
}> {}

/** The faults of the running exchange. */
export interface FaultControl {
  readonly get: Effect.Effect<{ readonly seed: number; readonly faults: ReadonlyArray<FaultState> }>
  /** Replaces all faults; their counters start at zero. */
  readonly set: (faults: FaultSet) => Effect.Effect<void>
  readonly reset: Effect.Effect<void>
}

/**
 * A complete exchange in this process: agents that trade, a tape, REST and stream in the protocol of Coinbase Exchange.
 */
export class SandboxExchange extends Context.Service<
  SandboxExchange,
  {
    readonly products: ReadonlyArray<Product>
    /** `http://host:port` */
    readonly rest: string
    /** `ws://host:port` */
    readonly websocket: string
    /** Every retained trade, oldest first, unaltered by faults. */
    readonly journal: (product: string) => Effect.Effect<ReadonlyArray<JournalTrade>, UnknownProductError>
    readonly faults: FaultControl
    readonly counters: Effect.Effect<Counters>
  }
>()("@chaintape/sandbox/exchange/SandboxExchange") {
  static readonly layer = (
    options: SandboxExchangeOptions = {}
  ): Layer.Layer<SandboxExchange, HttpServerError.ServeError | JournalStoreError> =>
    Layer.effect(SandboxExchange, make(options)).pipe(Layer.provide([NodeFileSystem.layer, NodePath.layer]))
}

const make = Effect.fnUntraced(function* (options: SandboxExchangeOptions) {
  const markets = yield* openMarkets(options)
  const counters = zero()
  const board = new FaultBoard()
  const feed = new Feed({
    markets,
    board,
    counters,
    subscriptionsPerSocket: options.subscriptionsPerSocket ?? 100,
    subscribeWithin: options.subscribeWithin ?? "5 seconds",
    maxBufferedBytes: options.maxBufferedBytes ?? 1_048_576
  })
  const halt: Halt = { reason: undefined }
  const limit = options.rateLimit ?? { requestsPerSecond: 10, burst: 15 }
  const buckets = limit === "none" ? undefined : new TokenBuckets(limit)
  const authority = yield* listen(
    options,
    makeExchangeHttpApp({ markets, board, feed, counters, buckets, halted: () => halt.reason })
  )
  const trade = Clock.currentTimeMillis.pipe(
    Effect.flatMap((now) =>
      markets.advanceTo(now * 1000, (listing, trades) => {
        counters.trades += trades.length
        feed.publish(listing, trades)
      })
    ),
    haltOnFailure(halt),
    Effect.delay(options.tick ?? "50 millis"),
    Effect.forever
  )
  yield* Effect.forkScoped(trade)
  return SandboxExchange.of({
    products: markets.products,
    rest: `http://${authority}`,
    websocket: `ws://${authority}`,
    journal: makeJournal(markets),
    faults: faultControl(board),
    counters: Effect.sync(() => ({ ...counters }))
  })
})

/** Why the exchange does not trade. */
interface Halt {
  reason: string | undefined
}

const appendRetries = Schedule.min([Schedule.exponential("200 millis"), Schedule.spaced("10 seconds")])

/** Without its journal the exchange must halt: clients would otherwise see trades that are gone after a restart. */
const haltOnFailure =
  (halt: Halt) =>
  (step: Effect.Effect<void, JournalStoreError>): Effect.Effect<void> => {
    const note = Effect.fnUntraced(function* ({ message }: JournalStoreError) {
      if (halt.reason !== message) yield* Effect.logError(`${message} It halts until it can.`)
      halt.reason = message
    })
    const resume = Effect.gen(function* () {
      if (halt.reason === undefined) return
      halt.reason = undefined
      yield* Effect.logInfo("The sandbox exchange writes its journal again, and continues.")
    })
    // The schedule never ends.
    return step.pipe(Effect.tapError(note), Effect.retry(appendRetries), Effect.andThen(resume), Effect.ignore)
  }

const openMarkets = Effect.fnUntraced(function* (options: SandboxExchangeOptions) {
  const retain = options.retain ?? 500_000
  if (options.journalDir !== undefined) yield* lockJournals(options.journalDir)
  const store = options.journalDir === undefined ? undefined : yield* JournalStore.open(options.journalDir, retain)
  const now = yield* Clock.currentTimeMillis
  return yield* Markets.open(
    {
      products: options.products ?? defaultProducts,
      seed: options.seed ?? 1,
      tradesPerSecond: options.tradesPerSecond ?? 20,
      historyTradesPerSecond: options.historyTradesPerSecond ?? 2,
      history: Duration.toMillis(options.history ?? "2 hours") * 1000,
      retain,
      store
    },
    now * 1000
  )
})

const makeJournal = (markets: Markets) =>
  Effect.fn("SandboxExchange.journal")(function* (
    product: string
  ): Effect.fn.Return<ReadonlyArray<JournalTrade>, UnknownProductError> {
    const listing = markets.get(product)
    if (listing === undefined) {
      return yield* new UnknownProductError({
        product,
        message: `The sandbox exchange does not list the product "${product}".`
      })
    }
    return listing.journal.from(listing.journal.first).map((trade) => journalTrade(listing.product, trade))
  })

const faultControl = (board: FaultBoard): FaultControl => ({
  get: Effect.sync(() => board.state),
  set: (faults) => Effect.map(Clock.currentTimeMillis, (now) => board.set(faults, now * 1000)),
  reset: Effect.sync(() => board.reset())
})

const maxFrameBytes = 65_536

/** Serves until the scope closes, and returns `host:port`. */
const listen = Effect.fnUntraced(function* (
  options: SandboxExchangeOptions,
  app: ReturnType<typeof makeExchangeHttpApp>
) {
  const node = createServer()
  // Finalizers run in reverse order: serving ends, open connections are closed, and then the server, which waits for
  // its connections, releases the port. It needs its own scope because it adds finalizers while it serves.
  const serverScope = yield* Scope.fork(yield* Effect.scope)
  const server = yield* NodeHttpServer.make(() => node, {
    host: "127.0.0.1",
    port: options.port ?? 0,
    disablePreemptiveShutdown: true,
    websocket: { maxPayload: maxFrameBytes }
  }).pipe(Scope.provide(serverScope))
  yield* cutConnectionsAtTheEnd(node)
  yield* server.serve(app)
  return HttpServer.formatAddress(server.address).replace(/^\w+:\/\//, "")
})

const cutConnectionsAtTheEnd = (node: Server) => {
  const sockets = new Set<Socket>()
  const note = (socket: Socket) => {
    sockets.add(socket)
    socket.once("close", () => sockets.delete(socket))
  }
  return Effect.acquireRelease(
    Effect.sync(() => node.on("connection", note)),
    () => Effect.sync(() => sockets.forEach((socket) => socket.destroy()))
  )
}
