/** The largest batch that a node takes, as far as it is known. */
export interface BatchLimit {
  /** The largest batch that is sent to it; 0 if it takes single calls only. */
  batchSize: number
  /** The largest batch that it took, and the smallest that it refused: the limit is searched between them. */
  takenBatch: number
  refusedBatch: number
  /** Requests that it answered since a batch was refused, or the search was widened. */
  answered: number
}

const maxBatch = 100
/** A node that refused a batch may have failed for a moment: the search is widened after this many requests. */
const requestsUntilLarger = 600

export const unknownBatchLimit: Readonly<BatchLimit> = {
  batchSize: maxBatch,
  takenBatch: 0,
  refusedBatch: maxBatch + 1,
  answered: 0
}

const bisectBatch = (limit: BatchLimit): void => {
  limit.batchSize = Math.floor((limit.takenBatch + limit.refusedBatch) / 2)
}

/** Lets the node be sent larger batches again, up to twice the refused one. */
const widen = (limit: BatchLimit): void => {
  limit.answered = 0
  limit.refusedBatch = Math.min(2 * limit.refusedBatch, maxBatch + 1)
  bisectBatch(limit)
}

export const acceptBatch = (limit: BatchLimit, calls: number): void => {
  if (limit.refusedBatch <= maxBatch && ++limit.answered >= requestsUntilLarger) return widen(limit)
  if (limit.batchSize === 0 || calls <= limit.takenBatch || calls >= limit.refusedBatch) return
  limit.takenBatch = calls
  if (calls === limit.batchSize) bisectBatch(limit)
}

export const refuseBatch = (limit: BatchLimit, calls: number): void => {
  if (calls <= limit.takenBatch) limit.takenBatch = 0
  limit.refusedBatch = Math.min(limit.refusedBatch, calls)
  limit.answered = 0
  bisectBatch(limit)
}
