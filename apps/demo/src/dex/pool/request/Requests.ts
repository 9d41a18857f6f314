import type { PoolAddress, Timeframe } from "@chaintape/core"
import { eventsShown } from "../../events/MoreEvents.tsx"
import type { Moment } from "../../moment/Deployment.ts"
import { at } from "../../moment/Deployment.ts"

/** The request of the pool, and of its ticks. */
export const toPoolRequest = (moment: Moment, pool: PoolAddress) => ({ ...at(moment), pool })

export const toCandlesRequest = (moment: Moment, pool: PoolAddress, timeframe: Timeframe) => ({
  ...toPoolRequest(moment, pool),
  timeframe,
  limit: 1000
})

/** So many swaps, mints and burns each. */
export const toEventsRequest = (moment: Moment, pool: PoolAddress, limit = eventsShown) => ({
  ...toPoolRequest(moment, pool),
  limit
})
