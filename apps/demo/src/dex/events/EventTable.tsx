import { Decimal } from "@chaintape/core"
import * as DateTime from "effect/DateTime"
import { toShortAddress } from "../../format/ShortAddress.ts"
import { Figure } from "../../parts/Figure.tsx"
import { Cell, Head, Row, Table } from "../../parts/table/Table.tsx"
import { Time } from "../../parts/time/Time.tsx"
import type { Claim } from "../../proof/Claim.ts"
import { Proven } from "../../proof/Proven.tsx"
import { useFocusPause } from "../../proof/useFocusPause.ts"
import { transactionHref } from "../../route/Route.ts"
import type { Moment } from "../moment/Deployment.ts"
import { toName } from "../moment/Deployment.ts"
import { TokenLink } from "../name/TokenLink.tsx"
import { TokenName } from "../name/TokenName.tsx"
import type { Event } from "./Event.ts"

/** The name of an event from the view of its sender. Positive amounts go into the pool. */
const What = ({ event: { amount0, amount1, kind, pool } }: { readonly event: Event }) => {
  if (kind !== "swap") {
    const isEmpty = Decimal.isZero(amount0) && Decimal.isZero(amount1)
    return kind === "burn" && isEmpty ? (
      <span title="A burn of no liquidity credits the fees of a position">fees credited</span>
    ) : (
      kind
    )
  }
  const [paid, got] = Decimal.toNumber(amount0) < 0 ? [pool.token1, pool.token0] : [pool.token0, pool.token1]
  return (
    <>
      swap <TokenName token={paid} /> → <TokenName token={got} />
    </>
  )
}

const isUnpriced = ({ amount0, amount1, amountUSD }: Event): boolean =>
  Decimal.isZero(amountUSD) && !(Decimal.isZero(amount0) && Decimal.isZero(amount1))

const toTransactionHref = ({ pool, timestamp, transactionId }: Event, { block, deployment }: Moment): string =>
  transactionHref(
    toName(deployment),
    {
      hash: transactionId,
      time: DateTime.toEpochMillis(timestamp) / 1000,
      tokens: [pool.token0.id, pool.token1.id]
    },
    block
  )

const EventRow = ({
  event,
  moment,
  toClaim
}: {
  readonly event: Event
  readonly moment: Moment
  readonly toClaim: (event: Event) => Claim
}) => (
  <Row>
    <Cell label="Time">
      <Time millis={DateTime.toEpochMillis(event.timestamp)} />
    </Cell>
    <Cell label="Event" className="text">
      <What event={event} />
    </Cell>
    <Cell label="Token 0, into the pool">
      <Figure value={event.amount0} /> <TokenLink token={event.pool.token0} moment={moment} />
    </Cell>
    <Cell label="Token 1, into the pool">
      <Figure value={event.amount1} /> <TokenLink token={event.pool.token1} moment={moment} />
    </Cell>
    <Cell label="Worth">
      <Proven of={`this ${event.kind}`} claim={() => toClaim(event)}>
        {isUnpriced(event) ? (
          <span className="quiet">no USD price</span>
        ) : (
          <Figure value={event.amountUSD} as="dollars" />
        )}
      </Proven>
    </Cell>
    <Cell label="Sent by">
      <code title={event.origin}>{toShortAddress(event.origin)}</code>
    </Cell>
    <Cell label="Transaction">
      <a href={toTransactionHref(event, moment)}>
        <code title={event.transactionId}>{event.transactionId.slice(0, 10)}…</code>
      </a>
    </Cell>
  </Row>
)

/** Swaps, mints and burns, newest first. */
export const EventTable = ({
  events,
  moment,
  toClaim
}: {
  readonly events: ReadonlyArray<Event>
  readonly moment: Moment
  readonly toClaim: (event: Event) => Claim
}) => {
  const { items, props } = useFocusPause(events)
  return events.length === 0 ? (
    <p className="quiet">There is no event up to this block.</p>
  ) : (
    <Table
      label="Events, newest first"
      isBroad
      head={
        <>
          <Head>Time</Head>
          <Head className="text">Event</Head>
          <Head>Token 0, into the pool</Head>
          <Head>Token 1, into the pool</Head>
          <Head>Worth</Head>
          <Head>Sent by</Head>
          <Head>Transaction</Head>
        </>
      }
      {...props}
    >
      {items.map((event, index) => (
        <EventRow key={index} event={event} moment={moment} toClaim={toClaim} />
      ))}
    </Table>
  )
}
