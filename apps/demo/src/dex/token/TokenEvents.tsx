import type { TokenAddress, TokenTrades } from "@chaintape/core"
import * as Operations from "@chaintape/core/operations/dex"
import { useState } from "react"
import { Card } from "../../parts/Card.tsx"
import { Choice } from "../../parts/choice/Choice.tsx"
import { Loaded } from "../../parts/Loaded.tsx"
import type { Claim } from "../../proof/Claim.ts"
import { readDex } from "../claims/DexClaims.ts"
import type { Event, Kind } from "../events/Event.ts"
import { kinds, toEvents } from "../events/Event.ts"
import { sameTime, toEventClaim } from "../events/EventClaim.ts"
import { EventTable } from "../events/EventTable.tsx"
import { eventsShown, MoreEvents } from "../events/MoreEvents.tsx"
import type { Moment } from "../moment/Deployment.ts"
import { at } from "../moment/Deployment.ts"
import { useAt } from "../moment/useAt.ts"
import { toEventsRequest } from "./Requests.ts"

const toTokenEvents = (
  { burnsAs0 = [], burnsAs1 = [], mintsAs0 = [], mintsAs1 = [], swapsAs0 = [], swapsAs1 = [] }: TokenTrades,
  kind: Kind
) => toEvents([...swapsAs0, ...swapsAs1], [...mintsAs0, ...mintsAs1], [...burnsAs0, ...burnsAs1], kind)

const toTokenEventClaim = (moment: Moment, token: TokenAddress, event: Event): Claim => {
  const request = { ...at(moment), token, from: event.timestamp, to: event.timestamp, limit: sameTime }
  return toEventClaim({
    event,
    moment,
    operation: Operations.tokenTrades,
    request,
    read: readDex((dex) => dex.withResponse.tokenTrades(request)),
    toEvents: (value: TokenTrades) => toTokenEvents(value, "all")
  })
}

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
                events={events}
                moment={moment}
                toClaim={(event) => toTokenEventClaim(moment, token, event)}
              />
              <MoreEvents count={events.length} limit={limit} onMore={setLimit} />
            </>
          )
        }}
      </Loaded>
    </Card>
  )
}
