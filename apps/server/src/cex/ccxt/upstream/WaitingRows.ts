import type { ParsedRow } from "../class/CcxtStream.ts"

/** A bounded queue of a stream's rows between the socket and the reader. */
export interface WaitingRows {
  readonly offer: (row: ParsedRow) => void
  /** Up to `max` rows in order of arrival, and how many directly before the first of them were dropped. */
  readonly take: (max: number) => { readonly rows: ReadonlyArray<ParsedRow>; readonly dropped: number }
  readonly isEmpty: () => boolean
}

/** When full, all queued rows are dropped: the newest trades are of more use, and there is a single gap. */
export const makeWaitingRows = (bound: number): WaitingRows => {
  let rows: Array<ParsedRow> = []
  let from = 0
  let dropped = 0
  return {
    offer: (row) => {
      if (rows.length - from >= bound) {
        dropped += rows.length - from
        rows = []
        from = 0
      }
      rows.push(row)
    },
    take: (max) => {
      const taken = { rows: rows.slice(from, from + max), dropped }
      from += taken.rows.length
      dropped = 0
      if (from === rows.length || from > bound) {
        rows = rows.slice(from)
        from = 0
      }
      return taken
    },
    isEmpty: () => rows.length === 0
  }
}
