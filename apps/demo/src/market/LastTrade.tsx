import type { Market, Trade } from "@chaintape/core"
import * as DateTime from "effect/DateTime"
import { Figure } from "../parts/Figure.tsx"
import { Time } from "../parts/Time.tsx"

/** The newest trade, large, with its price at this many decimals. */
export const LastTrade = ({
  decimals,
  isWaiting,
  market,
  trade
}: {
  readonly trade: Trade | undefined
  readonly isWaiting: boolean
  readonly market: Market
  readonly decimals: number
}) =>
  trade === undefined && !isWaiting ? null : (
    <p className={`last ${trade?.side ?? ""}`} aria-label="Last trade">
      {trade === undefined ? (
        <span className="quiet">…</span>
      ) : (
        <>
          <strong>
            <Figure value={trade.price} as="grouped" decimals={decimals} />
          </strong>{" "}
          <span className="quiet">
            {market.split("/")[1]} · <Figure value={trade.size} as="grouped" />{" "}
            {trade.side === "buy" ? "bought" : "sold"} at <Time millis={DateTime.toEpochMillis(trade.timestamp)} />
          </span>
        </>
      )}
    </p>
  )
