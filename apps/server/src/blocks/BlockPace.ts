import type { SourceBlock } from "./SourceBlock.ts"

const minMs = 200
const maxMs = 2000
const untilKnownMs = 1000

/** Blocks from whose times the block time is estimated. */
const counted = 16

/** How often a chain is polled for its next block. */
export interface BlockPace {
  /** Called with each new block, or each new head. */
  readonly observe: (block: Pick<SourceBlock, "number" | "timestamp">) => void
  readonly waitMs: () => number
}

/** Waits for a share of the block time, which is estimated from the newest blocks. */
export const makeBlockPace = (share: number): BlockPace => {
  let seen: ReadonlyArray<Pick<SourceBlock, "number" | "timestamp">> = []
  return {
    observe: ({ number, timestamp }) => {
      seen = [...seen.filter((one) => one.number < number), { number, timestamp }].slice(-counted)
    },
    waitMs: () => {
      const [first] = seen
      const last = seen.at(-1)
      if (first === undefined || last === undefined || last.number === first.number) return untilKnownMs
      const blockMs = ((last.timestamp - first.timestamp) * 1000) / (last.number - first.number)
      return Math.max(minMs, Math.min(maxMs, blockMs * share))
    }
  }
}
