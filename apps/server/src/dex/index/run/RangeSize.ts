/** Blocks per batch at the start. */
const initial = 50
const largest = 50_000
/**
 * Logs per batch, including those of other deployments: few enough that transactions stay short for other users of the
 * store.
 */
const wantedLogs = 1000
/** Blocks within reach of a reorg are read one by one. */
const largestLinked = 100

/** The number of blocks of the next batch: fewer after a failure or many logs, more after few. */
export interface RangeSize {
  readonly blocks: number
}

export const firstSize: RangeSize = { blocks: initial }

const within = (blocks: number): RangeSize => ({ blocks: Math.max(1, Math.min(largest, Math.floor(blocks))) })

/** After a batch of this many blocks failed. */
export const afterFailure = (size: RangeSize, blocks: number): RangeSize => within(Math.min(size.blocks, blocks) / 4)

/** After a full batch; a smaller one, at the head, carries no information. */
export const afterSuccess = (size: RangeSize, blocks: number, logs: number): RangeSize => {
  if (logs > 2 * wantedLogs) return within((blocks * wantedLogs) / logs)
  return blocks >= size.blocks && logs < wantedLogs ? within(size.blocks * 2) : size
}

export const linkedBlocks = ({ blocks }: RangeSize): number => Math.min(blocks, largestLinked)
