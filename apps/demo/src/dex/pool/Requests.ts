import type { PoolAddress, Timeframe } from "@chaintape/core"
import type { Moment } from "../moment/Deployment.ts"
import { at } from "../moment/Deployment.ts"

/** The request of the pool, and of its ticks. */
export const toPoolRequest = (moment: Moment, pool: PoolAddress) => ({ ...at(moment), pool })

export const toCandlesRequest = (moment: Moment, pool: PoolAddress, timeframe: Timeframe) => ({
  ...toPoolRequest(moment, pool),
  timeframe,
  limit: 1000
})

export const eventsShown = 20

/** So many swaps, mints and burns each. */
export const toEventsRequest = (moment: Moment, pool: PoolAddress) => ({
  ...toPoolRequest(moment, pool),
  limit: eventsShown
})
