import { Effect } from "effect"
import { backoffMs } from "../../internal/backoff.ts"
import { monotonicMillis } from "../../internal/monotonic.ts"
import { BlockSourceError } from "../BlockSource.ts"
import type { BlockFailure } from "../BlockSource.ts"
import type { BatchLimit } from "./BatchLimit.ts"
import { unknownBatchLimit } from "./BatchLimit.ts"
import type { NodeMemory } from "./RpcCall.ts"

/** A JSON-RPC node with the state that decides when it is asked, and how. */
export interface Node extends NodeMemory, BatchLimit {
  readonly blockchain: string
  readonly url: string
  /** By `monotonicMillis`: until when other nodes are asked first. */
  avoidedUntil: number
  /** By `monotonicMillis`: until when nothing is sent to it, because it limits the rate. */
  pausedUntil: number
  /** Failed reads since the last successful one. */
  failures: number
  /** Its newest block when the heads were compared. */
  head: number | undefined
}

const avoidance = { firstMs: 1000, maxMs: 60_000 }
const rateLimitPause = { firstMs: 100, maxMs: 3200 }
const standardRetryAfterMs = 1000

export const makeNode = (blockchain: string, url: string): Node => ({
  blockchain,
  url,
  lacks: new Set(),
  finalized: undefined,
  logBlocks: Number.MAX_SAFE_INTEGER,
  logQueries: 0,
  ...unknownBatchLimit,
  avoidedUntil: -Infinity,
  pausedUntil: -Infinity,
  failures: 0,
  head: undefined
})

export const toNodeError = (
  { blockchain }: Pick<Node, "blockchain">,
  reason: BlockFailure,
  message: string,
  retryAfterMs?: number
): BlockSourceError =>
  new BlockSourceError({
    blockchain,
    reason,
    message: `A node of "${blockchain}" ${message}.`,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs })
  })

export const toRateLimitError = (node: Node, retryAfterMs = standardRetryAfterMs): BlockSourceError =>
  toNodeError(node, "Busy", "limits the service", retryAfterMs)

export const rememberSuccess = (node: Node): void => {
  node.failures = 0
  node.avoidedUntil = -Infinity
}

/** Other nodes are asked first, for longer after each failure in a row. */
export const rememberFailure = Effect.fnUntraced(function* (node: Node) {
  node.failures += 1
  node.avoidedUntil = (yield* monotonicMillis) + (yield* backoffMs(node.failures, avoidance))
})

/** Other nodes are asked first, for the longest time. */
export const avoid = (node: Node): Effect.Effect<void> =>
  Effect.map(monotonicMillis, (now) => {
    node.avoidedUntil = now + avoidance.maxMs
  })

/** Pauses the node, for concurrent requests too. */
export const pause = Effect.fnUntraced(function* (node: Node, attempt: number, demandedMs = 0) {
  const wait = yield* backoffMs(attempt, rateLimitPause, demandedMs)
  node.pausedUntil = Math.max(node.pausedUntil, (yield* monotonicMillis) + wait)
})

export const waitForPause = Effect.fnUntraced(function* ({ pausedUntil }: Node) {
  const rest = pausedUntil - (yield* monotonicMillis)
  if (rest > 0) yield* Effect.sleep(rest)
})
