import type { TokenAddress } from "@chaintape/core"
import { useState } from "react"
import { Card } from "../../parts/Card.tsx"
import { Choice } from "../../parts/choice/Choice.tsx"
import { Loaded } from "../../parts/Loaded.tsx"
import type { Kind } from "../events/Event.ts"
import { kinds } from "../events/Event.ts"
import { EventTable } from "../events/EventTable.tsx"
import { eventsShown, MoreEvents } from "../events/MoreEvents.tsx"
import { toTokenEventClaim, toTokenEvents } from "../events/TokenEvent.ts"
import type { Moment } from "../moment/Deployment.ts"
import { useAt } from "../moment/useAt.ts"
import { toEventsRequest } from "./Requests.ts"

/** Swaps, mints and burns of every pool that holds a token, newest first. */
export const TokenEvents = ({ moment, token }: { readonly moment: Moment; readonly token: TokenAddress }) => {
  const [chosen, choose] = useState<Kind>("all")
  const [limit, setLimit] = useState(eventsShown)
  const request = toEventsRequest(moment, token, limit)
  const live = useAt(moment, `events ${token} ${limit}`, (dex) => dex.withResponse.tokenTrades(request))
  return (
    <Card title="Events" aside={<Choice label="Kind of event" choices={kinds} value={chosen} onChoose={choose} />}>
      <Loaded live={live} waiting="The events are being read.">
        {({ value }) => {
          const events = toTokenEvents(value, chosen).slice(0, limit)
          return (
            <>
              <EventTable
                key={`${chosen} ${limit} ${moment.block}`}
                events={events}
                moment={moment}
                toClaim={(event) => toTokenEventClaim(moment, token, event)}
              />
              <MoreEvents count={events.length} limit={limit} isReading={live.isStale} onMore={setLimit} />
            </>
          )
        }}
      </Loaded>
    </Card>
  )
}
