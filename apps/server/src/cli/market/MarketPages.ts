import type { Answer, Market, Timeframe } from "@chaintape/core"
import * as CexOperations from "@chaintape/core/operations/cex"
import { DateTime, Effect, Layer, Option } from "effect"
import type { Subject } from "../download/DownloadRequest.ts"
import type { Page } from "../download/Pages.ts"
import { Pages } from "../download/Pages.ts"
import type { AccessKey } from "../service/AccessKey.ts"
import { toReadErrorText, unreadable } from "../service/ReadErrorText.ts"
import type { ReadError } from "../service/ReadErrorText.ts"
import { createClient } from "../service/ServiceClient.ts"
import { toFailure } from "../terminal/CommandError.ts"
import { elementTexts } from "./ElementText.ts"

interface MarketCandles {
  readonly exchange: string
  readonly market: Market
  /** The length of candles; undefined for trades. */
  readonly timeframe?: Timeframe
}

const toMillis = DateTime.toEpochMillis

const toProven = ({ candleClosed, coverage }: Answer<unknown>, rows: Page["rows"]): Page => ({
  // The newest candle can still change.
  rows: Option.contains(candleClosed, false) ? rows.slice(0, -1) : rows,
  state: Option.match(coverage, { onNone: () => "unverifiable", onSome: ({ state }) => state }),
  from: Option.map(
    Option.flatMap(coverage, ({ from }) => from),
    toMillis
  ),
  to: Option.map(
    Option.flatMap(coverage, ({ to }) => to),
    toMillis
  ),
  gaps: Option.match(coverage, {
    onNone: () => [],
    onSome: ({ unproven }) => unproven.map(({ from, to }) => ({ from: toMillis(from), to: toMillis(to) }))
  }),
  block: Option.none()
})

/** The trades or the candles of a market, with the digits of the service's responses. */
export const marketPages =
  ({ exchange, market, timeframe }: MarketCandles, { shape }: Subject) =>
  (url: URL, key: Option.Option<AccessKey>) =>
    Layer.effect(
      Pages,
      Effect.gen(function* () {
        const service = yield* createClient(url, key)
        const { call } = service.manyRetries
        const withFailureText = Effect.mapError((error: ReadError) => toFailure(toReadErrorText(error, url, key)))

        return Pages.of({
          check: service.fewRetries.call(CexOperations.exchange, { exchange }).pipe(withFailureText, Effect.asVoid),
          read: Effect.fn("MarketPages.read")(function* ({ limit, since: from, until: to }) {
            const since = Option.getOrUndefined(Option.map(from, DateTime.makeUnsafe))
            const until = DateTime.makeUnsafe(to)
            const listing = { exchange, market, limit, since }
            const [answer, count]: readonly [Answer<unknown>, number] = yield* timeframe === undefined
              ? call(CexOperations.trades, listing).pipe(
                  withFailureText,
                  Effect.map((found) => [found, found.value.trades.length] as const)
                )
              : call(CexOperations.candles, { ...listing, timeframe, until }).pipe(
                  withFailureText,
                  Effect.map((found) => [found, found.value.candles.length] as const)
                )
            const rows = elementTexts(shape, yield* service.body)
            if (rows === undefined || rows.length !== count) return yield* unreadable(url)
            return toProven(answer, rows)
          })
        })
      })
    )
