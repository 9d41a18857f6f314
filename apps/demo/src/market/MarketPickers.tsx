import type { ExchangeSummary } from "@chaintape/core"
import { Picker } from "../parts/choice/Picker.tsx"
import { marketHref } from "../route/Route.ts"
import type { Status } from "../service/Status.ts"

/** Offered if the service records no market: it lists exchanges, not markets. */
const usual = ["BTC/USD", "BTC/USDT", "BTC/EUR", "ETH/USD", "ETH/USDT", "ETH/BTC", "SOL/USD", "SOL/USDT"]

const getMarkets = (exchange: string, status: Status | undefined): ReadonlyArray<string> => {
  const recorded = (status?.recordings ?? []).filter((one) => one.exchange === exchange).map(({ market }) => market)
  return recorded.length === 0 ? usual : recorded
}

/** The same market on another exchange, unless that exchange is recorded without it. */
const getMarketOn = (exchange: string, market: string, status: Status | undefined): string => {
  const recorded = (status?.recordings ?? []).filter((one) => one.exchange === exchange)
  const first = recorded[0]?.market
  return first === undefined || recorded.some((one) => one.market === market) ? market : first
}

const parseMarket = (text: string): string | undefined => {
  const [, base, quote] = /^\s*([^\s/-]{1,40})[/-]([^\s/-]{1,40})\s*$/u.exec(text) ?? []
  return base === undefined || quote === undefined ? undefined : `${base}/${quote}`.toUpperCase()
}

/** This exchange first, then the recorded ones. */
const sortExchanges = (
  exchanges: ReadonlyArray<ExchangeSummary>,
  current: string,
  status: Status | undefined
): ReadonlyArray<ExchangeSummary> => {
  const recorded = new Set(status?.recordings.map(({ exchange }) => exchange))
  const rank = ({ id }: ExchangeSummary) => (id === current ? 0 : recorded.has(id) ? 1 : 2)
  return exchanges.toSorted((one, other) => rank(one) - rank(other))
}

const go = (href: string) => {
  window.location.hash = href
}

export const MarketPickers = ({
  exchange,
  exchanges,
  market,
  status,
  timeframe
}: {
  readonly exchange: string
  readonly exchanges: ReadonlyArray<ExchangeSummary>
  readonly market: string
  readonly status: Status | undefined
  readonly timeframe: string
}) => (
  <>
    <Picker
      label="Exchange"
      value={exchange}
      options={sortExchanges(exchanges, exchange, status).map(({ id, name }) => ({ value: id, text: name }))}
      onPick={(id) => go(marketHref(id, getMarketOn(id, market, status), timeframe))}
    />
    <Picker
      label="Market"
      value={market}
      options={getMarkets(exchange, status).map((name) => ({ value: name, text: name }))}
      accept={parseMarket}
      onPick={(name) => go(marketHref(exchange, name, timeframe))}
    />
  </>
)
