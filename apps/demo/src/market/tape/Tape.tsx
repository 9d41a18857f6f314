import type { Trade } from "@chaintape/core"
import * as DateTime from "effect/DateTime"
import { Fragment, memo, useState } from "react"
import { Figure } from "../../parts/Figure.tsx"
import { Time } from "../../parts/time/Time.tsx"
import type { Listing } from "../../proof/Claim.ts"
import { Proven } from "../../proof/Proven.tsx"
import { useFocusPause } from "../../proof/useFocusPause.ts"
import { toTradeClaim } from "../claims/MarketClaims.ts"
import type { SeenGap } from "../feed/Gaps.ts"
import { gapSentence } from "../feed/Gaps.ts"
import "./tape.css"

/** More rows than the tape has room for. Those below are drawn once the tape is scrolled, or if they may be next to a gap. */
const rowsInView = 30

const isNumber = (id: string) => /^\d{1,15}$/.test(id)

const toMillis = ({ timestamp }: Trade) => DateTime.toEpochMillis(timestamp)

/** Whether a gap is between two trades. Without the older one, the gap must end directly before the newer one. */
const isBetween = (
  { from, fromTime, missing, to, toTime }: SeenGap,
  newer: Trade,
  older: Trade | undefined
): boolean => {
  // The sequences of this gap are not ids. Where its times are the same, several trades may be next to it.
  if (missing === undefined)
    return older !== undefined && fromTime < toTime && toMillis(newer) >= toTime && toMillis(older) <= fromTime
  if (!isNumber(newer.id)) return false
  return older === undefined
    ? Number(newer.id) === to + 1
    : Number(newer.id) > to && (!isNumber(older.id) || Number(older.id) < from)
}

/** The gap between a trade and the previous one, which is unknown after the last row. */
export const gapBetween = (gaps: ReadonlyArray<SeenGap>, newer: Trade, older: Trade | undefined): SeenGap | undefined =>
  gaps.find((gap) => gap.state !== "filled" && isBetween(gap, newer, older))

/** A number for the style sheet, which draws the bars: a new largest size renders no row again. */
const toSizeStyle = (name: "--size" | "--largest", size: number): Record<string, number> => ({ [name]: size })

interface RowOf {
  readonly listing: Listing
  readonly trade: Trade
  readonly decimals: number
}

/** Memoized, because a trade never changes: only new trades are rendered. */
const Row = memo(
  ({ decimals, listing, trade }: RowOf) => (
    <tr className={trade.side}>
      <td>
        <Time millis={DateTime.toEpochMillis(trade.timestamp)} />
      </td>
      <td className="price">
        <Proven of="this trade" claim={() => toTradeClaim(listing, trade)}>
          <Figure value={trade.price} as="grouped" decimals={decimals} />
        </Proven>
      </td>
      <td className="size" style={toSizeStyle("--size", Number(trade.size))}>
        <Figure value={trade.size} as="grouped" />
      </td>
      <td>{trade.side}</td>
    </tr>
  ),
  (before, now) => before.trade.id === now.trade.id && before.decimals === now.decimals
)

const Gap = ({ gap }: { readonly gap: SeenGap }) => (
  <tr className="gap" data-gap={gap.state}>
    <td colSpan={4}>
      <strong>
        Gap <Time millis={gap.fromTime} /> to <Time millis={gap.toTime} />.
      </strong>{" "}
      {gapSentence(gap)}
    </td>
  </tr>
)

/**
 * The newest trades, newest first, with the gaps between them. Rows stay where they are, and take the next trade: rows that
 * moved would count as a shift of the layout.
 */
export const Tape = ({
  decimals,
  gaps,
  listing,
  trades
}: {
  readonly listing: Listing
  readonly trades: ReadonlyArray<Trade>
  readonly gaps: ReadonlyArray<SeenGap>
  /** The decimals of every price. */
  readonly decimals: number
}) => {
  const { items, props } = useFocusPause(trades)
  const [isScrolled, setScrolled] = useState(false)
  const isWhole = isScrolled || gaps.some(({ state }) => state !== "filled")
  const shown = isWhole ? items : items.slice(0, rowsInView)
  return (
    <div
      className="scroll tape"
      tabIndex={0}
      role="region"
      aria-label="Trades, newest first"
      onScroll={() => setScrolled(true)}
      {...props}
    >
      <table>
        <thead>
          <tr>
            <th scope="col">Time</th>
            <th scope="col">Price</th>
            <th scope="col">Size</th>
            <th scope="col">Side</th>
          </tr>
        </thead>
        <tbody style={toSizeStyle("--largest", Math.max(...shown.map(({ size }) => Number(size))))}>
          {shown.map((trade, index) => {
            const gap = gapBetween(gaps, trade, items[index + 1])
            return (
              <Fragment key={index}>
                <Row listing={listing} trade={trade} decimals={decimals} />
                {gap === undefined ? null : <Gap gap={gap} />}
              </Fragment>
            )
          })}
        </tbody>
      </table>
    </div>
  )
}
