/** The largest batch that a node takes, as far as it is known. */
export interface BatchLimit {
  /** The largest batch that is sent to it; 0 if it takes single calls only. */
  batchSize: number
  /** The largest batch that it took, and the smallest that it refused: the limit is searched between them. */
  takenBatch: number
  refusedBatch: number
}

const largestBatch = 100

export const unknownBatchLimit: Readonly<BatchLimit> = {
  batchSize: largestBatch,
  takenBatch: 0,
  refusedBatch: largestBatch + 1
}

const bisectBatch = (limit: BatchLimit): void => {
  limit.batchSize = Math.floor((limit.takenBatch + limit.refusedBatch) / 2)
}

export const acceptBatch = (limit: BatchLimit, calls: number): void => {
  if (limit.batchSize === 0 || calls <= limit.takenBatch || calls >= limit.refusedBatch) return
  limit.takenBatch = calls
  if (calls === limit.batchSize) bisectBatch(limit)
}

export const refuseBatch = (limit: BatchLimit, calls: number): void => {
  if (calls <= limit.takenBatch) limit.takenBatch = 0
  limit.refusedBatch = Math.min(limit.refusedBatch, calls)
  bisectBatch(limit)
}
