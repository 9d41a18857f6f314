import type {
  ChainEvent,
  FactoryEvent,
  PoolEvent,
  PairBurn,
  PairEvent,
  PairMint,
  PairSwap,
  SupplyChange,
  Sync
} from "./ChainEvents.ts"

/** One call of a pair that sets its reserves: the logs from its first change of the supply to its last one. */
export interface PairCall {
  readonly event: "PairCall"
  readonly pool: string
  readonly reserves: Sync
  /** Of LP tokens: to the receiver of fees, then of the mint or burn itself. */
  readonly supplyChanges: ReadonlyArray<SupplyChange>
  /** Undefined for `sync()`. */
  readonly cause: PairMint | PairBurn | PairSwap | undefined
}

export type AccountedEvent = FactoryEvent | PoolEvent | PairCall

interface GroupedEvents {
  readonly events: ReadonlyArray<AccountedEvent>
  /** Completes a sentence that begins with the node; undefined if the logs are those of whole calls. */
  readonly contradiction: string | undefined
}

type Cause = PairMint | PairBurn | PairSwap

const isCause = (event: ChainEvent | undefined): event is Cause =>
  event?.event === "PairMint" || event?.event === "PairBurn" || event?.event === "PairSwap"

/** Whether the supply changed as such a call changes it. */
const hasSupply = (cause: Cause | undefined, supplyChanges: ReadonlyArray<SupplyChange>): boolean => {
  const last = supplyChanges.at(-1)
  if (cause?.event === "PairMint") return last !== undefined && last.change >= 0n
  if (cause?.event === "PairBurn") return last !== undefined && last.change <= 0n
  return last === undefined
}

const toContradiction = ({ blockNumber, pool }: PairEvent) =>
  `answered with logs of pool "${pool}" in block ${blockNumber} that are not those of whole calls`

/**
 * Groups the logs of a block by the calls that emit them. A call of a pair emits its changes of the supply, then the
 * reserves, and directly after them the mint, burn or swap: nothing can come in between. Other events stay as they are.
 */
export const groupPairCalls = (events: ReadonlyArray<ChainEvent>): GroupedEvents => {
  const grouped: Array<AccountedEvent> = []
  const changes = new Map<string, Array<SupplyChange>>()
  let before: Sync | undefined
  for (const [index, event] of events.entries()) {
    if (event.event === "SupplyChange") {
      const ofPool = changes.get(event.pool)
      if (ofPool === undefined) changes.set(event.pool, [event])
      else ofPool.push(event)
    } else if (event.event === "Sync") {
      const next = events[index + 1]
      const cause = isCause(next) && next.pool === event.pool ? next : undefined
      const supplyChanges = changes.get(event.pool) ?? []
      if (!hasSupply(cause, supplyChanges)) return { events: grouped, contradiction: toContradiction(event) }
      changes.delete(event.pool)
      grouped.push({ event: "PairCall", pool: event.pool, reserves: event, supplyChanges, cause })
    } else if (isCause(event)) {
      if (before?.pool !== event.pool) return { events: grouped, contradiction: toContradiction(event) }
    } else grouped.push(event)
    before = event.event === "Sync" ? event : undefined
  }
  const [left] = changes.values()
  return { events: grouped, contradiction: left?.[0] && toContradiction(left[0]) }
}
