import type { PoolAddress } from "@chaintape/core"
import type { DexStream } from "@chaintape/dex"
import { useState } from "react"
import { Card } from "../../parts/Card.tsx"
import { Choice } from "../../parts/choice/Choice.tsx"
import { Loaded } from "../../parts/Loaded.tsx"
import type { Kind } from "../events/Event.ts"
import { kinds } from "../events/Event.ts"
import { EventTable } from "../events/EventTable.tsx"
import { eventsShown, MoreEvents } from "../events/MoreEvents.tsx"
import type { Moment } from "../moment/Deployment.ts"
import { useAt } from "../moment/useAt.ts"
import { toPoolEventClaim } from "./PoolClaims.ts"
import { toEventsRequest } from "./request/Requests.ts"
import { toPoolEvents } from "./Swaps.ts"

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
  const [limit, setLimit] = useState(eventsShown)
  const request = toEventsRequest(moment, pool, limit)
  const live = useAt(moment, `events ${pool} ${limit}`, (dex) => dex.withResponse.poolTrades(request))
  return (
    <Card title="Events" aside={<Choice label="Kind of event" choices={kinds} value={chosen} onChoose={choose} />}>
      <Loaded live={live} waiting="The events are being read.">
        {(answer) => {
          const events = toPoolEvents(answer, { swaps }, chosen).slice(0, limit)
          return (
            <>
              <EventTable
                key={`${chosen} ${limit} ${moment.block}`}
                events={events}
                moment={moment}
                toClaim={(event) => toPoolEventClaim(moment, pool, event)}
              />
              <MoreEvents count={events.length} limit={limit} isReading={live.isStale} onMore={setLimit} />
            </>
          )
        }}
      </Loaded>
    </Card>
  )
}
