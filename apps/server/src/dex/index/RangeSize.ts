/** Blocks per batch at the start. */
const initial = 500
const largest = 50_000
/** Events per batch that keep memory and transactions small. */
const wantedEvents = 2000
/** Blocks that a reorg can reach are read one by one. */
const largestLinked = 100

/** How many blocks the next batch has: fewer after a failure or many events, more after few. */
export interface RangeSize {
  readonly blocks: number
}

export const firstSize: RangeSize = { blocks: initial }

const within = (blocks: number): RangeSize => ({ blocks: Math.max(1, Math.min(largest, Math.floor(blocks))) })

/** After a batch of so many blocks failed. */
export const afterFailure = (size: RangeSize, blocks: number): RangeSize => within(Math.min(size.blocks, blocks) / 4)

/** After a batch that was as large as it should be; a smaller one, at the head, says nothing. */
export const afterSuccess = (size: RangeSize, blocks: number, events: number): RangeSize => {
  if (events > 2 * wantedEvents) return within(blocks * wantedEvents / events)
  return blocks >= size.blocks && events < wantedEvents ? within(size.blocks * 2) : size
}

export const linkedBlocks = ({ blocks }: RangeSize): number => Math.min(blocks, largestLinked)
