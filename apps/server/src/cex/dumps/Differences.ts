import { Effect, Struct } from "effect"
import type { SqlClient } from "effect/sql"
import { contains } from "../tape/ledger/Coverage.ts"
import type { Coverage } from "../tape/ledger/Coverage.ts"
import type { NewTrade, TapeEvent } from "../tape/Tape.ts"
import { DumpError } from "./DumpError.ts"
import { findStored, toContent } from "./SqlImports.ts"
import type { ImportedFile, StoredDifference } from "./SqlImports.ts"

/** Events of differing trades per transaction, and differences that are listed. */
export const maxEvents = 20

/** A trade of a file that is stored with other content. */
export interface Difference extends StoredDifference {
  readonly path: string
}

export const toEvent = (at: number, { found, sequence, stored }: Difference): TapeEvent => ({
  at,
  kind: "conflict",
  from: sequence,
  to: sequence,
  detail: `An import has trade "${sequence}" as "${found}": the stored one, "${stored ?? "at another time"}", stays.`
})

export interface Sorted {
  readonly fresh: ReadonlyArray<NewTrade>
  readonly again: ReadonlyArray<NewTrade>
}

/** Separates the trades that are not stored, each once, from the others. */
export const sortOut = (trades: ReadonlyArray<NewTrade>, coverage: Coverage): Sorted => {
  const seen = new Set<number>()
  const fresh: Array<NewTrade> = []
  const again: Array<NewTrade> = []
  for (const trade of trades) {
    if (seen.has(trade.sequence) || contains(coverage, trade.sequence)) again.push(trade)
    else {
      seen.add(trade.sequence)
      fresh.push(trade)
    }
  }
  return { fresh, again }
}

/** The differences between trades that came again and what is stored of them, or came first. */
export const compareAgain = Effect.fnUntraced(function* (
  sql: SqlClient.SqlClient,
  series: number,
  path: string,
  { again, fresh }: Sorted
) {
  if (again.length === 0) return []
  const first = new Map(fresh.map((trade) => [trade.sequence, trade]))
  const stored = yield* findStored(
    sql,
    series,
    again.filter(({ sequence }) => !first.has(sequence))
  )
  return again.flatMap((trade): ReadonlyArray<Difference> => {
    const before = first.get(trade.sequence)
    const content = before === undefined ? stored.get(trade.sequence) : toContent(before)
    const found = toContent(trade)
    return content === found ? [] : [{ path, sequence: trade.sequence, stored: content, found }]
  })
})

/** How many trades of a file are stored, and how many of them differ. */
export interface Compared {
  readonly again: number
  readonly different: number
  readonly first: Difference | undefined
}

export const toCompared = (again: number, differences: ReadonlyArray<Difference>): Compared => ({
  again,
  different: differences.length,
  first: differences[0]
})

export const nothingCompared: Compared = { again: 0, different: 0, first: undefined }

/** Most of the trades differ, and not a single one: an exchange may correct a trade. */
export const findOtherMarket = (
  path: string,
  { again, different, first }: Compared,
  where: string
): DumpError | undefined =>
  different > 1 && different > again / 2
    ? new DumpError({
        message:
          `"${path}" is of another market or exchange: ${different} of its ${again} trades${where} whose ids are stored differ, ` +
          `the first ${first?.sequence}: "${first?.found}" in the file, "${first?.stored ?? "at another time"}" in the tape.`
      })
    : undefined

/** The differences of a file so far. */
export type FileDifferences = Pick<ImportedFile, "different" | "differences">

export const addDifferences = (before: FileDifferences, differences: ReadonlyArray<Difference>): FileDifferences => ({
  different: before.different + differences.length,
  differences: [...before.differences, ...differences.map(Struct.pick(["sequence", "stored", "found"]))].slice(
    0,
    maxEvents
  )
})
