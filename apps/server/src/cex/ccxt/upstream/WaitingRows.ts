import type { StreamRow } from "../class/CcxtStream.ts"

/** A bounded queue of a stream's rows between the socket and the reader. */
export interface WaitingRows {
  readonly offer: (row: StreamRow) => void
  /** Up to `most` rows in order of arrival, and whether rows before the first of them were dropped. */
  readonly take: (most: number) => { readonly rows: ReadonlyArray<StreamRow>; readonly hasLost: boolean }
  readonly isEmpty: () => boolean
}

/** When full, all queued rows are dropped: the newest trades are of more use, and there is a single gap. */
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
