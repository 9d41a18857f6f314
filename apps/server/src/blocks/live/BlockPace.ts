import type { SourceBlock } from "../SourceBlock.ts"

const minMs = 200
const maxMs = 2000
const untilKnownMs = 1000

/** Blocks from whose times the block time is estimated. */
const counted = 16

/** How long to wait before polling again: a quarter of the block time. */
export const makeBlockPace = () => {
  let seen: Array<Pick<SourceBlock, "number" | "timestamp">> = []
  return {
    seen: ({ number, timestamp }: SourceBlock): void => {
      seen = [...seen.filter((one) => one.number < number), { number, timestamp }].slice(-counted)
    },
    waitMs: (): number => {
      const [first] = seen
      const last = seen.at(-1)
      if (first === undefined || last === undefined || last.number === first.number) return untilKnownMs
      const blockMs = ((last.timestamp - first.timestamp) * 1000) / (last.number - first.number)
      return Math.max(minMs, Math.min(maxMs, blockMs / 4))
    }
  }
}
