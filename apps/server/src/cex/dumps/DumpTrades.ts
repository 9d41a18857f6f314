import type { NewTrade } from "../tape/Tape.ts"
import { readLines } from "./DumpLines.ts"
import { recognizeLayout } from "./DumpRows.ts"
import type { DumpMarket, RecognizedLayout } from "./DumpRows.ts"

/** In UTF-8, whose bytes are read as one character each. */
const byteOrderMark = /^\u00ef\u00bb\u00bf/

/** Consecutive rows of a file. */
export interface DumpBatch {
  readonly trades: ReadonlyArray<NewTrade>
  /** The number of the last row, counted from 1 without the header. */
  readonly row: number
  /** Rows without a price or a size. */
  readonly unusable: number
  readonly layout: string
}

/** The trades of a file after its first `skip` rows, in its order. Throws what is wrong with it. */
export async function* readTrades(
  path: string,
  expected: DumpMarket,
  { rows, skip }: { readonly rows: number; readonly skip: number }
): AsyncGenerator<DumpBatch> {
  let found: RecognizedLayout | undefined
  let [row, unusable] = [0, 0]
  let trades: Array<NewTrade> = []
  for await (const lines of readLines(path, expected)) {
    for (const text of lines) {
      const line = found === undefined ? text.replace(byteOrderMark, "") : text
      if (found === undefined) {
        found = recognizeLayout(path, line, expected)
        if (found.hasHeader) continue
      }
      if (line === "") continue
      row += 1
      if (row <= skip) continue
      const parsed = found.parse(line.split(","))
      if (typeof parsed === "string") throw new Error(`row ${row}: ${parsed}`)
      if (parsed === undefined) unusable += 1
      else trades.push(parsed)
      if (trades.length < rows) continue
      yield { trades, row, unusable, layout: found.layout.name }
      trades = []
      unusable = 0
    }
  }
  if (found === undefined) throw new Error("it is empty")
  if (trades.length > 0 || unusable > 0) yield { trades, row, unusable, layout: found.layout.name }
}
