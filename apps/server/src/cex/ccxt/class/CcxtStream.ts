import { CcxtError, classNames, shortMessage } from "./CcxtError.ts"
import type { CcxtExchangeOptions } from "./CcxtOptions.ts"
import { failure, withOrigin } from "./RawExchange.ts"
import type { Raw, RawClient, RawStream, RawStreamClass } from "./RawExchange.ts"
import { makeAddressGuard } from "./StreamAddress.ts"
import { boundFrames, frameBounds } from "./StreamBounds.ts"
import { pageBounds, transfer } from "./Transfer.ts"

/** A row of the exchange: as the class parsed it, if it did, and raw. */
export interface ParsedRow {
  readonly parsed: unknown
  readonly raw: unknown
}

export interface StreamRequest {
  readonly symbol: string
  /** The exchange's own, of the subscription. */
  readonly params?: Readonly<Record<string, unknown>> | undefined
  /** Whether a frame is a trade in REST's format; any other frame is parsed by the class. */
  readonly isTrade?: ((frame: unknown) => boolean) | undefined
  /** Milliseconds: for the handshake, and between two pings. */
  readonly connectMs: number
  readonly pingMs: number
  readonly pace: (weight: number) => Promise<void>
  readonly onRow: (row: ParsedRow) => void
  /** Called on any frame of the exchange. */
  readonly onFrame: () => void
  /** Called once, when the connection is unusable. */
  readonly onLost: (failure: CcxtError) => void
}

export interface CcxtStream {
  /** Closes the connection. Nothing is reported afterwards. */
  readonly close: () => void
}

/** Replaces the class's cache of trades, which evicts older ones: everything that is appended is a row. */
class Tap extends Array<unknown> {
  readonly append: (trade: unknown) => void
  constructor(onRow: StreamRequest["onRow"]) {
    super()
    this.append = (trade) =>
      onRow({ parsed: trade, raw: typeof trade === "object" && trade !== null && "info" in trade ? trade.info : trade })
  }
  getLimit(): number {
    return 0
  }
  // A derived array is a plain array.
  static override get [Symbol.species]() {
    return Array
  }
}

/** Some classes look up a market's cache, others create one: in both cases the hook receives what is appended. */
const makeTap = (tap: Tap): Record<string, unknown> =>
  new Proxy<Record<string, unknown>>(
    {},
    {
      get: (_, name) => (typeof name === "string" ? tap : undefined),
      has: () => true,
      deleteProperty: () => true,
      set: (_, _name, cache: unknown) => {
        if (cache === tap || !Array.isArray(cache)) return true
        for (const trade of cache) tap.append(trade)
        Object.assign(cache, { append: tap.append })
        return true
      }
    }
  )

const handshakeStatus = (message: string): number | undefined => {
  const status = /Unexpected server response: (\d{3})/.exec(message)?.[1]
  return status === undefined ? undefined : Number(status)
}

const toFailure = (error: unknown): CcxtError => {
  if (error instanceof CcxtError) return error
  const message = shortMessage(error)
  const status = handshakeStatus(message)
  const names = status !== undefined && status < 300 ? ["BadBody"] : classNames(error)
  return new CcxtError({ names, status, retryAfter: undefined, message })
}

const looksLikeJson = /^\s*[[{]/

/** The connections of a stream, and what happens on them. */
interface StreamHooks {
  readonly request: StreamRequest
  readonly addresses: ReturnType<typeof makeAddressGuard>
  readonly clients: Set<RawClient>
  /** Whether nothing is reported any more. */
  readonly isOver: () => boolean
  readonly lost: (error: unknown) => void
}

/** Watches a connection of the class, which does not handle its failures. */
const watchClient = (client: RawClient, { clients, lost, request }: StreamHooks): RawClient => {
  clients.add(client)
  boundFrames(client, lost)
  const send = client.send.bind(client)
  const reject = client.reject.bind(client)
  const onPong = client.onPong.bind(client)
  client.log = () => {}
  // The class does not handle failures of what it sends after the connection opened.
  client.send = (message) => send(message).catch(lost)
  client.reject = (error, hash) => {
    // The same for messages that were not requested through these.
    for (const future of Object.values(client.futures)) future.catch(() => {})
    lost(error)
    return reject(error, hash)
  }
  client.onPong = () => {
    request.onFrame()
    onPong()
  }
  return client
}

/** The class with its frames, its failures and its connections reported to the hooks. */
const tapClass = (Base: RawStreamClass, hooks: StreamHooks): RawStreamClass => {
  const { addresses, clients, isOver, lost, request } = hooks
  return class Tapped extends Base {
    override handleMessage(client: RawClient, message: unknown): unknown {
      if (isOver()) return undefined
      request.onFrame()
      if (request.isTrade?.(message) === true) return request.onRow({ parsed: undefined, raw: message })
      if (typeof message === "string" && looksLikeJson.test(message)) {
        return lost(failure("BadBody", "a frame is not JSON"))
      }
      try {
        const handled = super.handleMessage(client, message)
        if (handled instanceof Promise) handled.catch(lost)
        return handled
      } catch (error) {
        return lost(error)
      }
    }
    // Some classes leave promises without a handler: without this a rejection would end the process.
    override watch(...args: ReadonlyArray<unknown>): Promise<unknown> {
      const future = super.watch(...args)
      future.catch(() => {})
      return future
    }
    override watchMultiple(...args: ReadonlyArray<unknown>): Promise<unknown> {
      const future = super.watchMultiple(...args)
      future.catch(() => {})
      return future
    }
    override client(url: string): RawClient {
      addresses.check(url)
      const client = super.client(url)
      return clients.has(client) ? client : watchClient(client, hooks)
    }
    // The class converts text with an exponent to a double.
    override parseNumber(value: unknown, fallback?: unknown): unknown {
      return typeof value === "string" ? value : super.parseNumber(value, fallback)
    }
  }
}

/** The options of the class. */
const toClassOptions = (
  { connectMs, pace, pingMs }: StreamRequest,
  requestTimeoutMs: number,
  addresses: StreamHooks["addresses"],
  signal: AbortSignal
) => ({
  number: String,
  enableRateLimit: false,
  timeout: requestTimeoutMs,
  // The subscriber, who receives every frame, decides whether the exchange is silent.
  options: {
    ws: {
      connectionTimeout: connectMs,
      keepAlive: pingMs,
      maxPingPongMisses: Infinity,
      options: { maxPayload: frameBounds.bytes, lookup: addresses.lookup }
    }
  },
  fetchImplementation: async (url: string, init: RequestInit) => {
    await pace(1)
    return transfer(url, init, { signal, bounds: pageBounds, status: undefined, retryAfter: undefined })
  }
})

/** Directs a stream to the addresses of the configuration. */
const redirect = (stream: RawStream, { rest, websocket }: CcxtExchangeOptions): void => {
  if (rest !== undefined) stream.urls["api"] = withOrigin(stream.urls["api"], rest, "http")
  if (websocket === undefined) return
  // Some classes store the addresses of their streams outside `api`.
  for (const [name, urls] of Object.entries(stream.urls)) {
    stream.urls[name] = withOrigin(urls, websocket, "ws")
  }
}

/** Opens a connection and subscribes. It never reconnects by itself. */
export const openCcxtStream = async (
  Base: RawStreamClass,
  rest: Raw,
  options: CcxtExchangeOptions,
  request: StreamRequest
): Promise<CcxtStream> => {
  const clients = new Set<RawClient>()
  const abort = new AbortController()
  const addresses = makeAddressGuard()
  let isOver = false
  const lost = (error: unknown): void => {
    if (isOver) return
    isOver = true
    request.onLost(toFailure(error))
  }

  const Tapped = tapClass(Base, { request, addresses, clients, isOver: () => isOver, lost })
  const stream: RawStream = new Tapped(toClassOptions(request, options.requestTimeoutMs, addresses, abort.signal))
  redirect(stream, options)
  addresses.trust(stream)
  stream.setMarketsFromExchange(rest)
  stream.newUpdates = false
  stream.trades = makeTap(new Tap(request.onRow))
  await stream.loadHttpProxyAgent()
  // The first trade resolves it, and nothing else is used; a failure arrives through the connection, or before there is
  // one.
  stream.watchTrades(request.symbol, undefined, undefined, { ...request.params }).catch(lost)

  return {
    close: () => {
      isOver = true
      abort.abort()
      for (const client of clients) {
        client.clearConnectionTimeout()
        client.clearPingInterval()
        client.connection?.terminate?.()
      }
    }
  }
}
