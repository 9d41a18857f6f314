import type { Burn, Mint, PoolAddress, PoolTrades, Swap } from "@chaintape/core"
import type { DexStream } from "@chaintape/dex"
import * as DateTime from "effect/DateTime"
import { useState } from "react"
import { Card } from "../../parts/Card.tsx"
import { Choice } from "../../parts/Choice.tsx"
import { Figure } from "../../parts/Figure.tsx"
import { Loaded } from "../../parts/Loaded.tsx"
import { Time } from "../../parts/Time.tsx"
import { Proven } from "../../proof/Proven.tsx"
import type { Moment } from "../Deployment.ts"
import { TokenName } from "../TokenName.tsx"
import { useAt } from "../useAt.ts"
import { toEventClaim } from "./PoolClaims.ts"
import { eventsShown, toEventsRequest } from "./Requests.ts"

const kinds = ["all", "swaps", "mints", "burns"] as const
type Kind = (typeof kinds)[number]

type Event = { readonly kind: "swap" | "mint" | "burn" } & (Swap | Mint | Burn)

/** The events that were read, and the swaps since. */
const getEvents = (
  { burns = [], mints = [], swaps = [] }: PoolTrades,
  live: ReadonlyArray<DexStream.NewSwap>
): ReadonlyArray<Event> => {
  const read = new Set(swaps.map(({ id }) => id))
  const since = live.flatMap(({ swap }) => (read.has(swap.id) ? [] : [swap]))
  return [
    ...[...since, ...swaps].map((swap) => ({ kind: "swap" as const, ...swap })),
    ...mints.map((mint) => ({ kind: "mint" as const, ...mint })),
    ...burns.map((burn) => ({ kind: "burn" as const, ...burn }))
  ].toSorted(
    (one, other) =>
      DateTime.toEpochMillis(other.timestamp) - DateTime.toEpochMillis(one.timestamp) ||
      Number(other.logIndex) - Number(one.logIndex)
  )
}

const Row = ({
  event,
  moment,
  pool
}: {
  readonly event: Event
  readonly moment: Moment
  readonly pool: PoolAddress
}) => (
  <tr>
    <td>
      <Time millis={DateTime.toEpochMillis(event.timestamp)} />
    </td>
    <td className="text">{event.kind}</td>
    <td>
      <Figure value={event.amount0} /> <TokenName token={event.pool.token0} />
    </td>
    <td>
      <Figure value={event.amount1} /> <TokenName token={event.pool.token1} />
    </td>
    <td>
      <Proven of={`this ${event.kind}`} claim={() => toEventClaim(moment, pool, event.kind, event)}>
        <Figure value={event.amountUSD} as="dollars" />
      </Proven>
    </td>
    <td>
      <code title={event.transactionId}>{event.transactionId.slice(0, 10)}…</code>
    </td>
  </tr>
)

/** Swaps, mints and burns of a pool, newest first. */
export const PoolEvents = ({
  moment,
  pool,
  swaps
}: {
  readonly moment: Moment
  readonly pool: PoolAddress
  /** The swaps of the stream. */
  readonly swaps: ReadonlyArray<DexStream.NewSwap>
}) => {
  const [chosen, choose] = useState<Kind>("all")
  const request = toEventsRequest(moment, pool)
  const live = useAt(moment, `events ${pool}`, (dex) => dex.withResponse.poolTrades(request))
  return (
    <Card title="Events" aside={<Choice label="Kind of event" choices={kinds} value={chosen} onChoose={choose} />}>
      <Loaded live={live} waiting="The events are being read.">
        {({ value }) => {
          const events = getEvents(value, swaps)
            .filter(({ kind }) => chosen === "all" || chosen === `${kind}s`)
            .slice(0, eventsShown)
          return events.length === 0 ? (
            <p className="quiet">There is none up to this block.</p>
          ) : (
            <div className="scroll" tabIndex={0} role="region" aria-label="Events, newest first">
              <table>
                <thead>
                  <tr>
                    <th scope="col">Time</th>
                    <th scope="col" className="text">
                      Event
                    </th>
                    <th scope="col">Token 0</th>
                    <th scope="col">Token 1</th>
                    <th scope="col">Worth</th>
                    <th scope="col">Transaction</th>
                  </tr>
                </thead>
                <tbody>
                  {events.map((event) => (
                    <Row key={event.id} event={event} moment={moment} pool={pool} />
                  ))}
                </tbody>
              </table>
            </div>
          )
        }}
      </Loaded>
    </Card>
  )
}
