import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import type { NewTrade, TapeEvent } from "../tape/Tape.ts"
import { DumpError } from "./DumpError.ts"
import { findStored, toContent } from "./SqlImports.ts"
import type { ImportedFile, StoredDifference } from "./SqlImports.ts"

/** Differing trades that are listed. */
export const maxListed = 20

/** How many trades are stored with other content, and the first of them. */
export type Differences = Pick<ImportedFile, "different" | "differences">

export const addDifferences = (one: Differences, other: Differences): Differences => ({
  different: one.different + other.different,
  differences: [...one.differences, ...other.differences].slice(0, maxListed)
})

/** How many trades are stored, and those of them that differ. */
export interface Compared extends Differences {
  readonly again: number
}

export const nothingCompared: Compared = { again: 0, different: 0, differences: [] }

export const toEvent = (at: number, { found, sequence, stored }: StoredDifference): TapeEvent => ({
  at,
  kind: "conflict",
  from: sequence,
  to: sequence,
  detail: `An import has trade "${sequence}" as "${found}": the stored one, "${stored ?? "at another time"}", stays.`
})

/** Compares trades that came again with what is stored of them, or came first. */
export const compareAgain = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  series: number,
  again: ReadonlyArray<NewTrade>,
  fresh: ReadonlyArray<NewTrade>
) {
  if (again.length === 0) return nothingCompared
  const first = new Map(fresh.map((trade) => [trade.sequence, trade]))
  const stored = yield* findStored(
    sql,
    series,
    again.filter(({ sequence }) => !first.has(sequence))
  )
  const differences = again.flatMap((trade): ReadonlyArray<StoredDifference> => {
    const before = first.get(trade.sequence)
    const content = before === undefined ? stored.get(trade.sequence) : toContent(before)
    const found = toContent(trade)
    return content === found ? [] : [{ sequence: trade.sequence, stored: content, found }]
  })
  const compared: Compared = {
    again: again.length,
    different: differences.length,
    differences: differences.slice(0, maxListed)
  }
  return compared
})

/** Most of the trades differ, and not a single one: an exchange may correct a trade. */
export const findOtherMarket = (
  path: string,
  { again, different, differences: [first] }: Compared,
  where: string
): DumpError | undefined =>
  different > 1 && different > again / 2
    ? new DumpError({
        message:
          `"${path}" is of another market or exchange: ${different} of its ${again} trades${where} whose ids are stored differ, ` +
          `the first ${first?.sequence}: "${first?.found}" in the file, "${first?.stored ?? "at another time"}" in the tape.`
      })
    : undefined
