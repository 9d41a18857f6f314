import { createRequire } from "node:module"
import path from "node:path"
import { pathToFileURL } from "node:url"

export interface CcxtTrade {
  readonly id: string
  readonly timestamp: number
  readonly side: string
  readonly price: string
  readonly amount: string
  readonly symbol: string
}

/** The part of a ccxt exchange that the tests call. */
export interface CcxtExchange {
  readonly symbols: ReadonlyArray<string>
  loadMarkets(): Promise<unknown>
  fetchTime(): Promise<number>
  fetchTrades(symbol: string, since?: number, limit?: number, params?: object): Promise<ReadonlyArray<CcxtTrade>>
  fetchOHLCV(
    symbol: string,
    frame: string,
    since?: number,
    limit?: number
  ): Promise<ReadonlyArray<ReadonlyArray<number | string>>>
  watchTrades(symbol: string): Promise<ReadonlyArray<CcxtTrade>>
  handleMessage(client: unknown, message: unknown): unknown
  loadHttpProxyAgent(): Promise<unknown>
  close(): Promise<unknown>
}

type CcxtClass = new (options: object) => CcxtExchange

const root = path.resolve(path.dirname(createRequire(import.meta.url).resolve("ccxt")), "..")

/**
 * ccxt exports only its barrel, so one class is loaded from its file; a path made at run time has no types, hence the
 * cast.
 */
export const loadCoinbase = async (directory: "js/src" | "js/src/pro"): Promise<CcxtClass> => {
  const module = await import(pathToFileURL(path.join(root, directory, "coinbaseexchange.js")).href)
  return module.default as CcxtClass
}
