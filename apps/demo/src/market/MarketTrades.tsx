import { Card } from "../parts/Card.tsx"
import { Waiting } from "../parts/Waiting.tsx"
import type { Listing } from "../proof/Claim.ts"
import { CoverageBadge } from "./CoverageBadge.tsx"
import type { SeenGap } from "./feed/Gaps.ts"
import type { TradeFeed } from "./feed/TradeFeed.ts"
import { Tape } from "./tape/Tape.tsx"

/** The newest trades of a market, and whether one is missing. */
export const MarketTrades = ({
  decimals,
  feed,
  gaps,
  isWaiting,
  listing,
  since
}: {
  readonly listing: Listing
  readonly feed: TradeFeed | undefined
  readonly gaps: ReadonlyArray<SeenGap>
  readonly decimals: number
  /** Whether neither trades nor a problem have come yet. */
  readonly isWaiting: boolean
  /** The time from which no trade is missing, in Unix milliseconds. */
  readonly since: number | undefined
}) => {
  const trades = feed?.trades ?? []
  return (
    <Card
      title="Trades"
      aside={<CoverageBadge listing={listing} state={feed?.coverage} trades={trades} since={since} />}
    >
      {trades.length > 0 ? (
        <Tape listing={listing} trades={trades} gaps={gaps} decimals={decimals} />
      ) : isWaiting ? (
        <Waiting>The trades are being read.</Waiting>
      ) : (
        <p className="quiet">There is no trade yet.</p>
      )}
    </Card>
  )
}
