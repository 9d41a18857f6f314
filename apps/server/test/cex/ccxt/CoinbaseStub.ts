import type { Answer } from "./StubExchange.ts"
import { json } from "./StubExchange.ts"

/** A trade as the exchange sends it: `side` is the maker's. */
export interface CoinbaseTrade {
  readonly trade_id: number
  readonly side: "buy" | "sell"
  readonly size: string
  readonly price: string
  readonly time: string
}

/** A tape of ids 1 to `last`, without those in `left`; a trade's values are derived from its id. */
export interface Tape {
  readonly last: number
  readonly left?: ReadonlySet<number>
  /** Unix milliseconds; never decreases with the id. */
  readonly getTime: (id: number) => number
}

export const coinbaseTrade = (tape: Tape, id: number): CoinbaseTrade => ({
  trade_id: id,
  side: id % 3 === 0 ? "buy" : "sell",
  size: `0.${String((id % 9973) + 1).padStart(8, "0")}`,
  price: `${20_000 + (id % 1000)}.${String(id % 100).padStart(2, "0")}000000`,
  time: `${new Date(tape.getTime(id)).toISOString().slice(0, -1)}${String(id % 1000).padStart(3, "0")}Z`
})

const product = (id: string) => ({
  id,
  base_currency: id.split("-")[0],
  quote_currency: id.split("-")[1],
  base_increment: "0.00000001",
  quote_increment: "0.01",
  display_name: id.replace("-", "/"),
  min_market_funds: "1",
  margin_enabled: false,
  status: "online",
  trading_disabled: false
})

const currency = (id: string) => ({
  id,
  name: id,
  min_size: "0.00000001",
  status: "online",
  max_precision: "0.00000001",
  convertible_to: [],
  details: { type: id === "USD" ? "fiat" : "crypto" },
  default_network: "",
  supported_networks: [],
  display_name: id
})

const tradesPage = (tape: Tape, query: URLSearchParams): ReadonlyArray<CoinbaseTrade> => {
  const limit = Number(query.get("limit") ?? 1000)
  const below = Math.min(Number(query.get("after") ?? tape.last + 1), tape.last + 1)
  const page: Array<CoinbaseTrade> = []
  for (let id = below - 1; id >= 1 && page.length < limit; id--) {
    if (tape.left?.has(id) !== true) page.push(coinbaseTrade(tape, id))
  }
  return page
}

/** Coinbase Exchange's REST over a synthetic tape, the same for every product; `over` may respond first. */
export const coinbaseStub =
  (
    tape: Tape,
    over: (path: string, query: URLSearchParams) => ReturnType<Answer> | undefined = () => undefined
  ): Answer =>
  (path, query) => {
    const first = over(path, query)
    if (first !== undefined) return first
    if (path === "/products") return json(["BTC-USD", "ETH-USD"].map(product))
    if (path === "/currencies") return json(["BTC", "ETH", "USD"].map(currency))
    if (path.endsWith("/trades")) return json(tradesPage(tape, query))
    return { status: 404, body: '{"message":"NotFound"}' }
  }
