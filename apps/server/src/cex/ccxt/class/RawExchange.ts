import { CcxtError } from "./CcxtError.ts"

/** The members of ccxt's class that are used or replaced. Its own types of all of these are `any`. */
export interface Raw {
  rateLimit: number
  urls: Record<string, unknown>
  markets: Readonly<Record<string, unknown>> | undefined
  marketsLoading: Promise<unknown> | undefined
  fetchTrades(symbol: string, since?: number, limit?: number, params?: object): Promise<unknown>
  fetchOHLCV(symbol: string, label: string, since?: number, limit?: number, params?: object): Promise<unknown>
  loadMarkets(reload: boolean): Promise<unknown>
  setMarkets(markets: unknown, currencies?: unknown): unknown
  parseJson(text: string): unknown
  parseNumber(value: unknown, fallback?: unknown): unknown
  parseTrade(raw: unknown, market?: unknown): unknown
  parseTrades(raw: unknown, market?: unknown, since?: number, limit?: number, params?: object): unknown
  parseOHLCV(raw: unknown, market?: unknown): unknown
  handleRestResponse(response: { readonly status: number }, ...rest: ReadonlyArray<unknown>): Promise<unknown>
  market(symbol: string): unknown
  throttle(weight?: number): Promise<void>
}

/** The members of ccxt's connection that are used or replaced. */
export interface RawClient {
  futures: Readonly<Record<string, Promise<unknown>>>
  connection: { terminate?: () => void; readonly bufferedAmount?: number } | undefined
  /** Whether binary frames are compressed: as gzip, or without its header. */
  gunzip: boolean
  inflate: boolean
  log: (...words: ReadonlyArray<unknown>) => void
  send(message: unknown): Promise<unknown>
  reject(error: unknown, hash?: string): unknown
  onMessage(event: { readonly data: unknown }): void
  onPing(): void
  onPong(): void
  clearConnectionTimeout(): void
  clearPingInterval(): void
}

/** The same of ccxt's class of an exchange with streams. */
export interface RawStream extends Raw {
  has: Readonly<Record<string, unknown>>
  /** Replaces a parameter in some of its addresses. */
  hostname?: string
  trades: Record<string, unknown>
  newUpdates: boolean
  loadHttpProxyAgent(): Promise<unknown>
  setMarketsFromExchange(other: Raw): unknown
  watchTrades(symbol: string, since?: number, limit?: number, params?: object): Promise<unknown>
  watch(...args: ReadonlyArray<unknown>): Promise<unknown>
  watchMultiple(...args: ReadonlyArray<unknown>): Promise<unknown>
  handleMessage(client: RawClient, message: unknown): unknown
  client(url: string): RawClient
}

export type RawStreamClass = new (options: object) => RawStream

export type RawClass = new (options: object) => Raw

export const failure = (name: string, message: string): CcxtError =>
  new CcxtError({ names: [name], status: undefined, retryAfter: undefined, message })

const schemes = { http: /^https?:\/\/[^/]*/, ws: /^wss?:\/\/[^/]*/ }

/** The same addresses on another host: that of `address` replaces scheme, host and port if `scheme` matches. */
export const withOrigin = (value: unknown, address: string, scheme: "http" | "ws"): unknown => {
  if (typeof value === "string") return value.replace(schemes[scheme], address.replace(/\/+$/, ""))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, leaf]) => [key, withOrigin(leaf, address, scheme)]))
}
