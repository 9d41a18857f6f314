import { Clock, Effect, Result } from "effect"
import { SqlClient } from "effect/sql"
import { maxListed } from "../../cex/dumps/Differences.ts"
import type { DumpMarket } from "../../cex/dumps/DumpRows.ts"
import { makeImporter } from "../../cex/dumps/Importer.ts"
import type { ImportCounts, Importer } from "../../cex/dumps/Importer.ts"
import type { MarketName } from "../../cex/ExchangeSource.ts"
import type { Gap } from "../../cex/tape/ledger/Coverage.ts"
import * as SqlTape from "../../cex/tape/store/SqlTape.ts"
import type { SequenceRange } from "../../cex/tape/Tape.ts"
import { groupDigits } from "../../internal/groupDigits.ts"
import { enlargeHeap } from "../../internal/process/heapGrowth.ts"
import { Lease, take } from "../../ownership/Lease.ts"
import { toFailure } from "../terminal/CommandError.ts"
import { Progress } from "../terminal/Progress.ts"
import { checkFiles } from "./CheckFiles.ts"
import type { CheckedFiles } from "./CheckFiles.ts"
import { fillGaps } from "./FillGaps.ts"
import type { ImportTarget } from "./ImportTarget.ts"

export interface ImportRequest {
  readonly target: ImportTarget
  readonly market: MarketName
  readonly files: ReadonlyArray<string>
  /** Whether missing trades are requested from the exchange. */
  readonly isFilled: boolean
}

/** The result of an import. */
export interface ImportReport {
  /** The differences include those that earlier runs found in the same files. */
  readonly counts: ImportCounts
  readonly checked: CheckedFiles
  /** The lowest and the highest id of the files. */
  readonly span: SequenceRange | undefined
  /** The ids between them that the tape lacks. */
  readonly gaps: ReadonlyArray<Gap>
  /** Trades that came from the exchange, and why no more did. */
  readonly filled: number
  readonly fillFailure: string | undefined
}

const toSpan = ({ spans }: CheckedFiles): ImportReport["span"] =>
  spans.length === 0
    ? undefined
    : {
        from: spans.reduce((least, { from }) => Math.min(least, from), Infinity),
        to: spans.reduce((most, { to }) => Math.max(most, to), 0)
      }

const importRows = Effect.fnUntraced(function* (importer: Importer, { files }: CheckedFiles) {
  const progress = yield* Progress
  const total = files.reduce((sum, { file }) => sum + file.rows, 0)
  const done = files.reduce((sum, one) => sum + one.done, 0)
  yield* progress.begin({ since: 0, until: total, position: done, rows: done, unit: "trades" })
  if (done > 0) yield* progress.say(`Continuing after ${groupDigits(done)} rows that are imported.`)
  let rows = done
  for (const one of files) {
    yield* importer.importFile(one.file, one.done, (added) => progress.advance((rows += added), rows))
  }
})

const runLeased = Effect.fnUntraced(function* (
  importer: Importer,
  checked: CheckedFiles,
  { isFilled, market, target }: ImportRequest
) {
  const progress = yield* Progress
  yield* importRows(importer, checked).pipe(
    Effect.onError(() => progress.say("The same command continues after the rows that are imported so far."))
  )
  const span = toSpan(checked)
  const findGaps = span === undefined ? Effect.succeed([]) : importer.findGaps(span.from, span.to)
  const gaps = yield* findGaps
  let filled = 0
  const filling = fillGaps(importer, target.entry, market, gaps, (trades) => (filled += trades))
  const result = isFilled && gaps.length > 0 ? yield* Effect.result(filling) : Result.succeed(undefined)
  const { counts } = importer
  return {
    counts: {
      ...counts,
      different: checked.different + counts.different,
      differences: [...checked.differences, ...counts.differences].slice(0, maxListed)
    },
    checked,
    span,
    gaps: yield* findGaps,
    filled,
    fillFailure: Result.isFailure(result) ? result.failure.message : undefined
  } satisfies ImportReport
})

/** Imports files into the tape of a store. Nothing is changed if one of them cannot be imported. */
export const runImport = Effect.fn("ImportRun.run")(
  function* (request: ImportRequest) {
    const { files, market, target } = request
    const sql = yield* SqlClient.SqlClient
    const now = yield* Clock.currentTimeMillis
    const expected: DumpMarket = {
      exchange: target.entry.id,
      driver: target.driver,
      hasConsecutiveIds: target.firstId !== undefined,
      market,
      now
    }
    const importer = yield* makeImporter(expected, target.firstId ?? null)
    const checked = yield* checkFiles(files, expected, yield* importer.known, target.retentionDays)
    const name = `${market.base}/${market.quote}`
    const lease = yield* take(sql, `import ${target.entry.id} ${name}`, String(now))
    return yield* runLeased(importer, checked, request).pipe(
      Effect.provideService(Lease, lease),
      // Rows may be stored by then.
      Effect.catchTag("DumpError", ({ message }) => toFailure(message)),
      Effect.catchTag("LeaseLostError", () =>
        toFailure(
          `Another import of ${name} on ${target.entry.id} has begun, and this one has ended: wait for the other one, and give ` +
            "the command again."
        )
      )
    )
  },
  (effect) => Effect.acquireUseRelease(Effect.sync(enlargeHeap), () => effect, Effect.sync),
  (effect) =>
    Effect.provide(effect, SqlTape.layer).pipe(
      Effect.catchTag("DumpError", ({ message }) => toFailure(message, "refused"))
    )
)
