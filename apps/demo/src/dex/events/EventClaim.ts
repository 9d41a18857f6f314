import type { Answer } from "@chaintape/core"
import type { Operation } from "@chaintape/core/operations"
import type * as Effect from "effect/Effect"
import type { Claim, Values } from "../../proof/Claim.ts"
import { toClaim } from "../../proof/Claim.ts"
import type { Packages } from "../../service/Session.tsx"
import { toShownRequest } from "../../service/ShownRequests.ts"
import { toSubject } from "../claims/DexClaims.ts"
import type { Moment } from "../moment/Deployment.ts"
import { toSymbol } from "../name/TokenName.tsx"
import type { Event } from "./Event.ts"

const toValues = ({ amount0, amount1, amountUSD, origin, pool, transactionId }: Event): Values => [
  [`Amount, ${toSymbol(pool.token0)}`, amount0],
  [`Amount, ${toSymbol(pool.token1)}`, amount1],
  ["Worth, USD", amountUSD],
  ["Sent by", origin],
  ["Transaction", transactionId]
]

/** Events in the same second, at most. */
export const maxAtOneTime = 1000

/** An event, from those of its time. `toEvents` returns the events of the response. */
export const toEventClaim = <A, E>({
  event,
  moment,
  operation,
  read,
  request,
  toEvents
}: {
  readonly event: Event
  readonly moment: Moment
  readonly operation: Operation.Any
  readonly request: object
  readonly read: Effect.Effect<Answer<A>, E, Packages>
  readonly toEvents: (value: A) => ReadonlyArray<Event>
}): Claim =>
  toClaim({
    title: event.kind,
    subject: toSubject({ moment }, `Pool ${toSymbol(event.pool.token0)} / ${toSymbol(event.pool.token1)}`),
    values: toValues(event),
    request: toShownRequest(operation, request),
    read,
    find: (value) => {
      const found = toEvents(value).find(({ id }) => id === event.id)
      return found === undefined ? undefined : toValues(found)
    },
    blockchain: moment.deployment.blockchain
  })
