import { formatCount, groupDigits } from "../../internal/groupDigits.ts"
import { toIso } from "../terminal/TimeArgument.ts"
import type { ImportReport } from "./ImportRun.ts"

const maxLines = 20

const toGaps = ({ gaps, span }: ImportReport): string => {
  if (span === undefined) return ""
  const ids = gaps.reduce((sum, { from, to }) => sum + to - from + 1, 0)
  return ids === 0
    ? ` No id from ${span.from} to ${span.to} is missing.`
    : ` From ${span.from} to ${span.to}, ${formatCount(ids, "id")} ${ids === 1 ? "is" : "are"} missing in ${formatCount(gaps.length, "gap")}.`
}

const toTimes = ({ checked }: ImportReport): string => {
  const ids = checked.files.flatMap(({ file }) => file.ids ?? [])
  if (ids.length === 0) return ""
  const from = ids.reduce((least, { fromTime }) => Math.min(least, fromTime), Infinity)
  return `, ${toIso(from)} to ${toIso(ids.reduce((most, { toTime }) => Math.max(most, toTime), 0))}`
}

/** The rows read, the new ones among them, and the missing ones, in one line. */
export const toSummary = (report: ImportReport, exchange: string, market: string): string => {
  const { checked, counts, filled } = report
  const { complete, files, verified } = checked
  const unusable = files.reduce((sum, { file }) => sum + file.unusable, 0)
  const rows = files.reduce((sum, { file }) => sum + file.rows, 0)
  const resumed = files.reduce((sum, { done }) => sum + done, 0)
  const parts = [
    `${groupDigits(counts.added - filled)} added`,
    ...(resumed === 0 ? [] : [`${groupDigits(resumed)} imported before`]),
    ...(counts.known === 0 ? [] : [`${groupDigits(counts.known)} already stored`]),
    ...(counts.different === 0 ? [] : [`${groupDigits(counts.different)} different`]),
    ...(unusable === 0 ? [] : [`${groupDigits(unusable)} without a price or a size`])
  ]
  return (
    [
      `${formatCount(rows, "row")} of ${market} on ${exchange}${toTimes(report)}, in ${formatCount(files.length, "file")}: ${parts.join(", ")}.`,
      verified === 0
        ? "No file has a published checksum beside it."
        : `${groupDigits(verified)} of ${formatCount(files.length + complete, "file")} agree with a published checksum.`,
      ...(complete === 0 ? [] : [`${formatCount(complete, "file")} had been imported before.`]),
      ...(filled === 0 ? [] : [`${formatCount(filled, "missing trade")} came from the exchange.`])
    ].join(" ") + toGaps(report)
  )
}

/** The differences and the gaps, one per line. */
export const toDetails = ({ counts, fillFailure, gaps }: ImportReport): ReadonlyArray<string> => [
  ...counts.differences.map(
    ({ found, path, sequence, stored }) =>
      `Different: trade ${sequence} is "${found}" in "${path}", and "${stored ?? "at another time"}" in the tape, which stays.`
  ),
  ...gaps
    .slice(0, maxLines)
    .map(
      ({ from, fromTime, to, toTime }) =>
        `Missing: ${from === to ? from : `${from} to ${to}`}, between ${toIso(fromTime)} and ${toIso(toTime)}.`
    ),
  ...(gaps.length > maxLines ? [`Missing: ${groupDigits(gaps.length - maxLines)} more gaps.`] : []),
  ...(fillFailure === undefined ? [] : [`The exchange did not give the missing trades: ${fillFailure}`])
]
