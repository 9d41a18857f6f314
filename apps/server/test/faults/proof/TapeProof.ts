import type { JournalTrade } from "@chaintape/sandbox"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

const Row = Schema.Struct({
  sequence: Schema.Int,
  timestamp: Schema.Int,
  id: Schema.String,
  price: Schema.String,
  size: Schema.String,
  buy: Schema.Boolean
})
export type TapeRow = typeof Row.Type
const decodeRows = Schema.decodeUnknownEffect(Schema.Array(Row))

const Run = Schema.Struct({ from: Schema.Int, to: Schema.Int })
/** Sequences, both inclusive, that the tape claims to hold completely. */
export type TapeRun = typeof Run.Type
const decodeRuns = Schema.decodeUnknownEffect(Schema.Array(Run))

export interface StoredTape {
  readonly rows: ReadonlyArray<TapeRow>
  readonly coverage: ReadonlyArray<TapeRun>
}

/** The stored part of a market, up to a sequence. */
export const readTape = Effect.fnUntraced(function* (market: string, to: number) {
  const sql = yield* SqlClient.SqlClient
  const rows: Array<TapeRow> = []
  for (;;) {
    const after = rows.at(-1)
    const page = yield* Effect.flatMap(
      sql`select sequence::float8 as sequence, timestamp::float8 as timestamp, id, price::text as price,
          size::text as size, is_buy as buy
        from tape_trade where series = (select id from tape_series where market = ${market})
          and (sequence, timestamp) > (${after?.sequence ?? -1}::bigint, ${after?.timestamp ?? -1}::bigint)
          and sequence <= ${to}::bigint
        order by sequence, timestamp limit 20000`,
      decodeRows
    )
    if (page.length === 0) break
    rows.push(...page)
  }
  const coverage = yield* Effect.flatMap(
    sql`select from_sequence::float8 as from, to_sequence::float8 as to from tape_coverage
      where series = (select id from tape_series where market = ${market}) order by 1`,
    decodeRuns
  )
  return { rows, coverage } satisfies StoredTape
})

const asRow = ({ price, side, size, time, trade_id }: JournalTrade): TapeRow => ({
  sequence: trade_id,
  timestamp: Date.parse(`${time.slice(0, 23)}Z`),
  id: String(trade_id),
  price,
  size,
  buy: side === "sell"
})

/** The error of the exchange's clock in milliseconds when it published the trade. */
type Offsets = ReadonlyArray<number>

const isSame = (row: TapeRow, truth: TapeRow, offsets: Offsets) =>
  row.id === truth.id &&
  row.price === truth.price &&
  row.size === truth.size &&
  row.buy === truth.buy &&
  offsets.includes(row.timestamp - truth.timestamp)

const maxReported = 10

/** The differences between a tape and the exchange's journal, up to a trade. */
export const differencesOfTape = (
  { coverage, rows }: StoredTape,
  journal: ReadonlyArray<JournalTrade>,
  offsets: Offsets = [0]
): ReadonlyArray<string> => {
  const truth = new Map(journal.map((trade) => [trade.trade_id, asRow(trade)]))
  const last = journal.at(-1)?.trade_id ?? 0
  const [whole, ...others] = coverage.filter(({ from }) => from <= last)
  const found: Array<string> = others.map(({ from }) => `The coverage has a gap before trade ${from}.`)
  if (whole === undefined || whole.to < last)
    found.push(`The coverage ends with ${whole?.to ?? "nothing"}, not ${last}.`)
  const stored = new Set<number>()
  for (const row of rows) {
    const right = truth.get(row.sequence)
    if (stored.has(row.sequence)) found.push(`Trade ${row.sequence} is stored twice.`)
    else if (right === undefined) found.push(`The exchange knows no trade ${row.sequence}.`)
    else if (!isSame(row, right, offsets)) {
      found.push(`Trade ${row.sequence} is ${JSON.stringify(row)} in place of ${JSON.stringify(right)}.`)
    }
    stored.add(row.sequence)
  }
  for (const id of truth.keys()) {
    if (id >= (whole?.from ?? 1) && !stored.has(id)) found.push(`Trade ${id} is not stored.`)
  }
  return found.length > maxReported
    ? [...found.slice(0, maxReported), `… and ${found.length - maxReported} more`]
    : found
}
