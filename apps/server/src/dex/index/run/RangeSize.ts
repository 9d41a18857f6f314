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
/** Batches of a refused size are tried again after this many others: the limit may depend on the blocks. */
const batchesBelowLimit = 32

/** The number of blocks of the next batch: fewer after a failure or many logs, more after few. */
export interface RangeSize {
  readonly blocks: number
  /** The largest batch that the node is believed to take. */
  readonly limit: number
  /** Batches since the node refused one. */
  readonly batches: number
}

export const startWith = (blocks: number): RangeSize => ({ blocks, limit: largest, batches: 0 })

export const firstSize: RangeSize = startWith(initial)

const within = ({ batches, limit }: RangeSize, blocks: number): RangeSize => {
  const isOver = batches + 1 >= batchesBelowLimit
  return {
    blocks: Math.max(1, Math.min(limit, Math.floor(blocks))),
    limit: isOver ? Math.min(largest, limit * 2) : limit,
    batches: isOver ? 0 : batches + 1
  }
}

/** After a batch of this many blocks failed. */
export const afterFailure = (size: RangeSize, blocks: number): RangeSize =>
  within(size, Math.min(size.blocks, blocks) / 4)

/** After the node refused a batch of this many blocks, and perhaps suggested another number. */
export const afterRefusal = (size: RangeSize, blocks: number, suggested: number | undefined): RangeSize => {
  const limit = Math.max(1, suggested !== undefined && suggested < blocks ? suggested : Math.floor(blocks / 2))
  return { blocks: Math.min(size.blocks, limit), limit, batches: 0 }
}

/** After a full batch; a smaller one, at the head, carries no information. */
export const afterSuccess = (size: RangeSize, blocks: number, logs: number): RangeSize => {
  if (logs > 2 * wantedLogs) return within(size, (blocks * wantedLogs) / logs)
  return blocks >= size.blocks && logs < wantedLogs ? within(size, size.blocks * 2) : size
}

export const linkedBlocks = ({ blocks }: RangeSize): number => Math.min(blocks, largestLinked)
