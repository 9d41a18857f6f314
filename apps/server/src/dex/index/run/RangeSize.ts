/** Blocks of the first batch. */
export const standardFirstBlocks = 50
const mostBlocks = 50_000
/**
 * Logs per batch, including those of other deployments: few enough that transactions stay short for other users of the
 * store.
 */
const wantedLogs = 1000
/** Blocks within reach of a reorg are read one by one. */
const mostLinked = 100

const within = (blocks: number): number => Math.max(1, Math.min(mostBlocks, Math.floor(blocks)))

/** The number of blocks of the next batch, after a batch of `blocks` failed. */
export const afterFailure = (size: number, blocks: number): number => within(Math.min(size, blocks) / 4)

/** After a full batch: more blocks after few logs, fewer after many. A smaller batch, at the head, says nothing. */
export const afterSuccess = (size: number, blocks: number, logs: number): number => {
  if (logs > 2 * wantedLogs) return within((blocks * wantedLogs) / logs)
  return blocks >= size && logs < wantedLogs ? within(size * 2) : size
}

export const linkedBlocks = (size: number): number => Math.min(size, mostLinked)
