import type { Trade } from "@chaintape/core"
import * as DateTime from "effect/DateTime"
import { Figure } from "../../parts/Figure.tsx"
import { Time } from "../../parts/time/Time.tsx"
import type { Listing } from "../../proof/Claim.ts"
import { Proven } from "../../proof/Proven.tsx"
import { toTradeClaim } from "../claims/MarketClaims.ts"
import "./last-trade.css"

/** The newest trade, large, with its price at this many decimals. */
export const LastTrade = ({
  decimals,
  isWaiting,
  listing,
  trade
}: {
  readonly trade: Trade | undefined
  readonly isWaiting: boolean
  readonly listing: Listing
  readonly decimals: number
}) =>
  trade === undefined && !isWaiting ? null : (
    <p className={`last ${trade?.side ?? ""}`} aria-label="Last trade">
      {trade === undefined ? (
        <span className="quiet">…</span>
      ) : (
        <>
          <strong>
            <Proven of="last trade" claim={() => toTradeClaim(listing, trade)}>
              <Figure value={trade.price} as="grouped" decimals={decimals} />
            </Proven>
          </strong>{" "}
          <span className="quiet">
            {listing.market.split("/")[1]} · <Figure value={trade.size} as="grouped" />{" "}
            {trade.side === "buy" ? "bought" : "sold"} at <Time millis={DateTime.toEpochMillis(trade.timestamp)} />
          </span>
        </>
      )}
    </p>
  )
