import { Cex } from "@chaintape/cex"
import { Market, Timeframe } from "@chaintape/core"
import * as Operations from "@chaintape/core/operations/cex"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { useEffect } from "react"
import { Loaded } from "../parts/Loaded.tsx"
import { Waiting } from "../parts/Waiting.tsx"
import type { Route } from "../route/Route.ts"
import { marketHref } from "../route/Route.ts"
import { useShowRequests, toShownRequest } from "../service/ShownRequests.ts"
import { readStatus } from "../service/Status.ts"
import { usePolling } from "../service/usePolling.ts"
import { MarketPage } from "./MarketPage.tsx"

const decodeMarket = Schema.decodeUnknownOption(Market)
const decodeTimeframe = Schema.decodeUnknownOption(Timeframe)

const readExchanges = Effect.flatMap(Cex, (cex) => cex.exchanges({}))

/** The default of a route is the first market that the service records, in the timeframe of the last market page. */
export const MarketView = ({
  lastTimeframe,
  onTimeframe,
  route
}: {
  readonly lastTimeframe: Timeframe
  readonly onTimeframe: (timeframe: Timeframe) => void
  readonly route: Extract<Route, { view: "market" }>
}) => {
  const exchanges = usePolling("exchanges", readExchanges, undefined)
  const status = usePolling("status", readStatus, undefined)
  useShowRequests([toShownRequest(Operations.exchanges, {})])
  const [first] = status.value?.recordings ?? []
  const exchange = route.exchange ?? first?.exchange ?? exchanges.value?.[0]?.id
  const ofExchange = status.value?.recordings.find((recording) => recording.exchange === exchange)
  const market = decodeMarket(route.market ?? ofExchange?.market ?? "BTC/USD")
  const timeframe = decodeTimeframe(route.timeframe ?? lastTimeframe)
  useEffect(() => Option.match(timeframe, { onNone: () => {}, onSome: onTimeframe }))
  const isUnknown = route.exchange === undefined && status.value === undefined && status.problem === undefined
  return (
    <Loaded live={exchanges} waiting="The exchanges are being read.">
      {(all) =>
        isUnknown ? (
          <Waiting>The markets are being read.</Waiting>
        ) : exchange === undefined ? (
          <p className="quiet">This service reads no exchange.</p>
        ) : Option.isNone(market) ? (
          <p className="problem">“{route.market}” is no market: write it as BASE-QUOTE, such as BTC-USD.</p>
        ) : Option.isNone(timeframe) ? (
          <p className="problem">
            “{route.timeframe}” is no timeframe: the timeframes are {Timeframe.literals.join(", ")}.{" "}
            <a href={marketHref(exchange, market.value)}>Open {market.value}</a>
          </p>
        ) : (
          <MarketPage
            key={`${exchange} ${market.value}`}
            exchanges={all}
            exchange={exchange}
            market={market.value}
            timeframe={timeframe.value}
            status={status.value}
          />
        )
      }
    </Loaded>
  )
}
