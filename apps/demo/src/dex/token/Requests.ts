import type { TokenAddress } from "@chaintape/core"
import { eventsShown } from "../events/MoreEvents.tsx"
import type { Moment } from "../moment/Deployment.ts"
import { at } from "../moment/Deployment.ts"

export const toTokenRequest = (moment: Moment, token: TokenAddress) => ({ ...at(moment), tokenId: token })

/** Pools of one response at most. */
export const maxPools = 1000

/** No operation lists the pools of a token: those with the most value are read, and the others left out. */
export const toPoolsRequest = (moment: Moment) =>
  ({ ...at(moment), orderBy: "totalValueLockedUSD", orderDirection: "desc", limit: maxPools }) as const

/** So many swaps, mints and burns each, with the token as token 0 and as token 1. */
export const toEventsRequest = (moment: Moment, token: TokenAddress, limit = eventsShown) => ({
  ...at(moment),
  token,
  limit
})
