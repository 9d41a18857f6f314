import type { StreamRow } from "./internal/CcxtStream.ts"

/** Rows of a stream between the socket and those who take them, up to a bound. */
export interface WaitingRows {
  readonly offer: (row: StreamRow) => void
  /** Up to `most` rows in the order in which they came, and whether some were dropped before the first of them. */
  readonly take: (most: number) => { readonly rows: ReadonlyArray<StreamRow>; readonly hasLost: boolean }
  readonly isEmpty: () => boolean
}

/** When it is full, all that waits is dropped: the newest trades are of more use, and the gap is one. */
export const makeWaitingRows = (bound: number): WaitingRows => {
  let rows: Array<StreamRow> = []
  let from = 0
  let hasLost = false
  return {
    offer: (row) => {
      if (rows.length - from >= bound) {
        rows = []
        from = 0
        hasLost = true
      }
      rows.push(row)
    },
    take: (most) => {
      const taken = { rows: rows.slice(from, from + most), hasLost }
      from += taken.rows.length
      hasLost = false
      if (from === rows.length || from > bound) {
        rows = rows.slice(from)
        from = 0
      }
      return taken
    },
    isEmpty: () => rows.length === 0
  }
}
