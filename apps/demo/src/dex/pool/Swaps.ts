import type { Answer, PoolTrades } from "@chaintape/core"
import type { DexStream } from "@chaintape/dex"
import * as Option from "effect/Option"
import type { Event, Kind } from "../events/Event.ts"
import { toEvents } from "../events/Event.ts"

/** The swaps of a pool since its page was opened. */
export interface Swaps {
  /** Newest first. */
  readonly swaps: ReadonlyArray<DexStream.NewSwap>
  /** The number of reorgs. */
  readonly reorgs: number
}

const maxSwaps = 20

const addEvent = ({ reorgs, swaps }: Swaps, event: DexStream.NewSwap | DexStream.Reorg): Swaps =>
  event._tag === "Swap"
    ? { reorgs, swaps: [event, ...swaps].slice(0, maxSwaps) }
    : { reorgs: reorgs + 1, swaps: swaps.filter(({ block }) => block < event.from) }

export const addEvents = (swaps: Swaps, events: ReadonlyArray<DexStream.NewSwap | DexStream.Reorg>): Swaps =>
  events.reduce(addEvent, swaps)

/** The events of a response and the swaps since. A swap of a later block is newer than the whole response. */
export const toPoolEvents = (
  { asOf, value: { burns = [], mints = [], swaps: read = [] } }: Pick<Answer<PoolTrades>, "asOf" | "value">,
  { swaps }: Pick<Swaps, "swaps">,
  shown: Kind
): ReadonlyArray<Event> => {
  const known = new Set(read.map(({ id }) => id))
  const since = swaps.filter(({ swap }) => !known.has(swap.id))
  const isLater = ({ block }: DexStream.NewSwap) => Option.exists(asOf, ({ number }) => block > number)
  const toSwaps = (some: Swaps["swaps"]) => some.map(({ swap }) => swap)
  return [
    ...toEvents([toSwaps(since.filter(isLater))], [], [], shown),
    ...toEvents([toSwaps(since.filter((swap) => !isLater(swap))), read], [mints], [burns], shown)
  ]
}
