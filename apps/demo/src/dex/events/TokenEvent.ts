import type { TokenAddress, TokenTrades } from "@chaintape/core"
import * as Operations from "@chaintape/core/operations/dex"
import type { Claim } from "../../proof/Claim.ts"
import { readDex } from "../claims/DexClaims.ts"
import type { Moment } from "../moment/Deployment.ts"
import { at } from "../moment/Deployment.ts"
import type { Event, Kind } from "./Event.ts"
import { toEvents } from "./Event.ts"
import { maxAtOneTime, toEventClaim } from "./EventClaim.ts"

/** The events of some arrays of a token, newest first, without those of other kinds. */
export const toTokenEvents = (
  { burnsAs0 = [], burnsAs1 = [], mintsAs0 = [], mintsAs1 = [], swapsAs0 = [], swapsAs1 = [] }: TokenTrades,
  kind: Kind
) => toEvents([swapsAs0, swapsAs1], [mintsAs0, mintsAs1], [burnsAs0, burnsAs1], kind)

/** An event of a token, from those of its time. */
export const toTokenEventClaim = (moment: Moment, token: TokenAddress, event: Event): Claim => {
  const request = { ...at(moment), token, from: event.timestamp, to: event.timestamp, limit: maxAtOneTime }
  return toEventClaim({
    event,
    moment,
    operation: Operations.tokenTrades,
    request,
    read: readDex((dex) => dex.withResponse.tokenTrades(request)),
    toEvents: (value: TokenTrades) => toTokenEvents(value, "all")
  })
}
