import type { DexStream } from "@chaintape/dex"

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
