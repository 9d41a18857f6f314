import { DateTime } from "effect"
import { HttpServerResponse } from "effect/http"
import type { IndexStatus } from "../sources/IndexStatuses.ts"
import type { InstanceStatus } from "../sources/Instance.ts"
import type { RecordingStatus } from "../sources/RecordingStatuses.ts"
import type { SourceState } from "../sources/SourceHealth.ts"
import type { RetentionStatus } from "../sources/TapeRetention.ts"
import { escape, page } from "../web/layout/Page.ts"
import type { Status } from "./Status.ts"

/** HTML that is already escaped. */
type Cell = string

const none: Cell = '<span class="quiet">none</span>'

const textOf = (value: string | number | null): Cell => (value === null ? none : escape(String(value)))

const count = (value: number | null): Cell => (value === null ? none : value.toLocaleString("en"))

/** A point in time, to the second. */
const time = (ms: number | null): Cell => {
  if (ms === null) return none
  const iso = DateTime.formatIso(DateTime.makeUnsafe(ms))
  return `<time datetime="${iso}">${iso.slice(0, 19).replace("T", " ")}</time>`
}

const span = (ms: number): string => {
  const minutes = Math.floor(ms / 60_000)
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24]
  if (days > 0) return `${days} d ${hours} h`
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`
}

const table = (caption: string, columns: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<Cell>>): string => {
  if (rows.length === 0) return ""
  const head = columns.map((column) => `<th scope="col">${escape(column)}</th>`).join("")
  const body = rows.map(
    ([name, ...cells]) => `<tr><th scope="row">${name}</th>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`
  )
  return `<div role="region" aria-label="${escape(caption)}" tabindex="0" style="overflow-x:auto">
<table>
<caption style="text-align:left;font-weight:600;padding-top:1.5rem">${escape(caption)}</caption>
<thead><tr>${head}</tr></thead>
<tbody>
${body.join("\n")}
</tbody>
</table>
</div>`
}

const sourceRow = ({ head, id, kind, lastError, lastErrorAt, lastSuccessAt, state }: SourceState) => [
  textOf(id),
  textOf(kind),
  textOf(state),
  count(head),
  time(lastSuccessAt),
  lastError === null ? none : `${time(lastErrorAt)} ${escape(lastError)}`
]

const progress = (head: number | null, indexed: number | null): Cell => {
  if (head === null || indexed === null || head === 0) return none
  const part = Math.floor((Math.min(indexed, head) / head) * 1000) / 10
  return `<progress max="100" value="${part}" aria-label="${part} % of the chain">${part} %</progress> ${part} %`
}

const indexRow = ({ head, indexed, key, lag, lastError, reorgs, state }: IndexStatus) => [
  textOf(key),
  textOf(state),
  count(indexed),
  count(head),
  count(lag),
  progress(head, indexed),
  count(reorgs),
  textOf(lastError)
]

const nameOf = ({ exchange, market }: RecordingStatus) => `${exchange} ${market}`

const recordingRow = (recording: RecordingStatus) => [
  textOf(nameOf(recording)),
  textOf(recording.state),
  textOf(recording.transport),
  textOf(recording.continuity),
  time(recording.from),
  time(recording.to),
  count(recording.stored),
  count(recording.missing),
  count(recording.gapCount),
  textOf(recording.lastError)
]

const gapRows = (recording: RecordingStatus) =>
  recording.gaps.map(({ from, fromTime, state, to, toTime }) => [
    textOf(nameOf(recording)),
    textOf(state),
    time(fromTime),
    time(toTime),
    `${count(from)} to ${count(to)}`
  ])

const retentionText = (retention: RetentionStatus | null): string => {
  if (retention === null) return "All recorded trades are kept."
  const { days, dropped, lastError, lastRunAt } = retention
  const last = lastRunAt === null ? "" : ` Last looked at ${time(lastRunAt)}: ${count(dropped)} trades went.`
  return `Recorded trades are kept for ${days} days.${last}${lastError === null ? "" : ` ${escape(lastError)}`}`
}

const instanceText = ({ id, owns, roles }: InstanceStatus): string => {
  const work = owns.length === 0 ? "no work that only one instance does" : owns.join(", ")
  return `Answered by ${escape(id)} (${escape(roles.join(", "))}), which does: ${escape(work)}.`
}

const columns = {
  sources: ["Source", "Kind", "State", "Head", "Last success", "Last error"],
  indexes: ["Index", "State", "Indexed", "Head", "Lag", "Progress", "Reorgs", "Last error"],
  recordings: ["Market", "State", "By", "Proof", "From", "To", "Stored", "Missing", "Gaps", "Last error"],
  gaps: ["Market", "State", "From", "To", "Sequences"]
}

/** The JSON of /status as a page. It refreshes every ten seconds. */
export const statusPage = (
  status: Status,
  unreadyReason: string | undefined
): HttpServerResponse.HttpServerResponse => {
  const { indexes, instance, now, recordings, retention, sources, startedAt } = status
  const body = [
    "<h1>Status</h1>",
    `<p role="status"><strong>${unreadyReason === undefined ? "Ready." : "Not ready."}</strong> ${escape(unreadyReason ?? "")}</p>`,
    `<p class="quiet">${time(now)} UTC, up for ${span(now - startedAt)}. Refreshed every ten seconds.</p>`,
    sources.length === 0 ? '<p class="quiet">No source is configured.</p>' : "",
    table("Sources", columns.sources, sources.map(sourceRow)),
    table("Indexes", columns.indexes, indexes.map(indexRow)),
    table("Recordings", columns.recordings, recordings.map(recordingRow)),
    table("Gaps in recordings", columns.gaps, recordings.flatMap(gapRows)),
    `<p class="quiet">${retentionText(retention)}</p>`,
    `<p class="quiet">${instanceText(instance)}</p>`,
    '<p><a href="/">Start</a>, <a href="/metrics">metrics</a></p>'
  ]
  return HttpServerResponse.setHeaders(page("Status of Chaintape", body.filter((part) => part !== "").join("\n")), {
    refresh: "10",
    "cache-control": "no-store"
  })
}
