import { Dex } from "@chaintape/dex"
import * as Effect from "effect/Effect"
import { countRequests } from "../../service/Budget.ts"
import type { Deployment } from "../moment/Deployment.ts"

/** The value locked at blocks from the first pool to the newest block. */
export interface TotalsHistory {
  /** The block of the first pool. */
  readonly first: number
  readonly points: ReadonlyArray<{ readonly block: number; readonly usd: number }>
}

export const maxIntervals = 24

/** One for ten blocks of a young deployment. */
const countIntervals = (blocks: number) => Math.min(maxIntervals, Math.max(4, Math.ceil(blocks / 10)))

/** Blocks spread from the first to the newest one, both included. */
export const spreadBlocks = (first: number, head: number): ReadonlyArray<number> => {
  const intervals = countIntervals(head - first)
  const blocks = Array.from({ length: intervals + 1 }, (_, index) =>
    Math.round(first + ((head - first) * index) / intervals)
  )
  return [...new Set(blocks)]
}

/** The block of the first pool: no block before it has a value. Undefined without a pool. */
const readFirst = Effect.fnUntraced(function* (deployment: Deployment) {
  const dex = yield* Dex
  const request = { ...deployment, orderBy: "createdAtBlockNumber", orderDirection: "asc", limit: 1 } as const
  const { value } = yield* countRequests(dex.withResponse.pools(request))
  return value[0] === undefined ? undefined : Number(value[0].createdAtBlockNumber)
})

const readPoint = Effect.fnUntraced(
  function* (deployment: Deployment, block: number) {
    const dex = yield* Dex
    const { value } = yield* countRequests(dex.withResponse.deployments({ ...deployment, block }))
    const usd = value.reduce((sum, { totalValueLockedUSD }) => sum + Number(totalValueLockedUSD), 0)
    return value.length === 0 ? [] : [{ block, usd }]
  },
  // The service may read the deployment only from a later block on.
  Effect.catchTag("BlockNotFound", () => Effect.succeed([]))
)

/** Reads the value locked as of blocks spread over the history of a deployment: one request for each block. */
export const readTotals = Effect.fnUntraced(function* (deployment: Deployment, head: number) {
  const first = yield* readFirst(deployment)
  if (first === undefined || first >= head) return { first: head, points: [] } satisfies TotalsHistory
  const points = yield* Effect.forEach(spreadBlocks(first, head), (block) => readPoint(deployment, block), {
    concurrency: 4
  })
  return { first, points: points.flat() } satisfies TotalsHistory
})
