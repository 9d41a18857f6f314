import { DateTime, Option } from "effect"
import { HttpServerResponse } from "effect/http"
import { formatCount, groupDigits } from "../internal/groupDigits.ts"
import type { SourceState } from "../sources/SourceHealth.ts"
import type { Incident } from "../status/Incidents.ts"
import type { IndexStatus } from "../status/IndexStatuses.ts"
import type { InstanceStatus } from "../status/Instance.ts"
import type { RecordingStatus } from "../status/RecordingStatuses.ts"
import type { RetentionStatus } from "../status/TapeRetention.ts"
import { html } from "../web/layout/Html.ts"
import type { Html } from "../web/layout/Html.ts"
import { page } from "../web/layout/Page.ts"
import { wideStyle } from "../web/layout/Styles.ts"
import { toTable } from "../web/layout/Table.ts"
import { countMissing, formatMissing } from "./MissingTrades.ts"
import type { Status } from "./Status.ts"

type Cell = Html | string

/** The first cell is the header of the row. */
type Row = readonly [Cell, ...ReadonlyArray<Cell>]

const none = html`<span class="quiet">none</span>`

const getText = (value: string | null): Cell => value ?? none

const count = (value: number | null): Cell => (value === null ? none : groupDigits(value))

/** A point in time, to the second. */
const time = (ms: number | null): Cell => {
  if (ms === null) return none
  const iso = DateTime.formatIso(DateTime.makeUnsafe(ms))
  return html`<time datetime="${iso}">${iso.slice(0, 19).replace("T", " ")}</time>`
}

const span = (ms: number): string => {
  if (ms < 60_000) return `${Math.max(0, Math.floor(ms / 1000))} s`
  const minutes = Math.floor(ms / 60_000)
  const [days, hours] = [Math.floor(minutes / 1440), Math.floor(minutes / 60) % 24]
  if (days > 0) return `${days} d ${hours} h`
  return hours > 0 ? `${hours} h ${minutes % 60} min` : `${minutes} min`
}

/** How long ago it was, and on demand when. */
const toAgeCell = (ms: number | null, now: number): Cell => {
  if (ms === null) return none
  const iso = DateTime.formatIso(DateTime.makeUnsafe(ms))
  return html`<time datetime="${iso}" title="${iso}">${span(now - ms)} ago</time>`
}

const table = (caption: string, columns: ReadonlyArray<string>, rows: ReadonlyArray<Row>): Html | undefined =>
  toTable(
    caption,
    columns,
    rows.map(
      ([name, ...cells]) =>
        html`<tr>
          <th scope="row">${name}</th>
          ${cells.map((cell) => html`<td>${cell}</td>`)}
        </tr>`
    )
  )

const sourceRow = (
  { configured, head, id, kind, lastError, lastErrorAt, lastSuccessAt, state }: SourceState,
  now: number
): Row => [
  getText(id),
  getText(configured ? kind : `${kind}, on demand`),
  getText(state),
  count(head),
  toAgeCell(lastSuccessAt, now),
  lastError === null ? none : html`${toAgeCell(lastErrorAt, now)}: ${lastError}`
]

const progress = (head: number | null, indexed: number | null): Cell => {
  if (head === null || indexed === null || head === 0) return none
  const part = Math.floor((Math.min(indexed, head) / head) * 1000) / 10
  return html`<progress max="100" value="${part}" aria-label="${part} % of the chain">${part} %</progress> ${part} %`
}

const indexRow = ({ head, indexed, key, lag, lastError, proven, reorgs, state, unproven }: IndexStatus): Row => [
  getText(key),
  getText(state),
  count(indexed),
  count(head),
  count(lag),
  progress(head, indexed),
  progress(indexed, proven),
  count(reorgs),
  getText(lastError ?? unproven)
]

const toTitle = ({ exchange, market }: RecordingStatus) => `${exchange} ${market}`

const recordingRow = (recording: RecordingStatus, now: number, missing = countMissing(recording)): Row => [
  getText(toTitle(recording)),
  getText(recording.state),
  getText(recording.transport),
  getText(recording.continuity),
  count(recording.disconnects),
  time(recording.from),
  toAgeCell(recording.to, now),
  count(recording.stored),
  formatMissing(missing),
  missing.history === undefined ? "not known" : count(missing.history),
  count(recording.gapCount),
  getText(recording.lastError)
]

const gapRows = (recording: RecordingStatus) =>
  recording.gaps.map(({ from, fromTime, state, to, toTime }): Row => [
    getText(toTitle(recording)),
    getText(state),
    time(fromTime),
    time(toTime),
    html`${count(from)} to ${count(to)}`
  ])

const incidentRow = ({ at, detail, kind, subject }: Incident): Row => [time(at), subject, kind, detail]

const incidentTable = (incidents: Option.Option<ReadonlyArray<Incident>>): Html | undefined =>
  Option.match(incidents, {
    onNone: () => html`<p class="quiet">The incidents cannot be read: the store does not answer.</p>`,
    onSome: (found) =>
      table("Incidents, newest first", columns.incidents, found.map(incidentRow)) ??
      html`<p class="quiet">No incident is recorded.</p>`
  })

const retentionText = (retention: RetentionStatus | null): Cell => {
  if (retention === null) return "All recorded trades are kept."
  const { days, dropped, lastError, lastRunAt } = retention
  const last = lastRunAt === null ? undefined : html` Last run at ${time(lastRunAt)}: deleted ${count(dropped)} trades.`
  return html`Recorded trades are kept for ${days} days.${last} ${lastError ?? undefined}`
}

const instanceText = ({ id, owns, roles }: InstanceStatus): string => {
  const work = owns.length === 0 ? "no work that only one instance does" : owns.join(", ")
  return `Answered by ${id} (${roles.join(", ")}), which does: ${work}.`
}

const are = (number: number): string => (number === 1 ? "is" : "are")

/** The trades that are missing in gaps, in sentences: their number where it is known, else the number of gaps. */
const toGapTexts = (recordings: Status["recordings"]): ReadonlyArray<string> => {
  const withGaps = recordings.flatMap((recording) =>
    recording.gapCount === 0 ? [] : [{ recording, ...countMissing(recording) }]
  )
  const counted = withGaps.filter(({ inGaps }) => inGaps > 0)
  const uncounted = withGaps.filter(({ inGaps }) => inGaps === 0)
  const missing = counted.reduce((sum, { inGaps }) => sum + inGaps, 0)
  const where =
    counted.length === 1
      ? counted.map(({ recording }) => toTitle(recording)).join("")
      : formatCount(counted.length, "market")
  const atLeast = counted.some(({ isAtLeast }) => isAtLeast) ? "At least " : ""
  return [
    ...uncounted.map(({ recording }) => `${toTitle(recording)} has ${formatCount(recording.gapCount, "gap")}.`),
    ...(missing === 0 ? [] : [`${atLeast}${formatCount(missing, "trade")} ${are(missing)} missing in ${where}.`])
  ]
}

/** The current faults, in sentences. */
const toTroubleTexts = ({ indexes, recordings }: Status): ReadonlyArray<string> => [
  ...toGapTexts(recordings),
  ...indexes.flatMap(({ key, lastError }) => (lastError === null ? [] : [`Index ${key}: ${lastError}`]))
]

/** The trades before the recordings that are still to be read: none of them is a fault. */
const toHistoryTexts = ({ recordings }: Status): ReadonlyArray<string> =>
  recordings.flatMap((recording) => {
    const { history = 0 } = countMissing(recording)
    const [trades, where] = [formatCount(history, "trade"), toTitle(recording)]
    return history === 0 ? [] : [`${trades} of the history of ${where} ${are(history)} still to be read.`]
  })

const summary = (status: Status, unreadyReason: string | undefined): Html => {
  const troubles = toTroubleTexts(status)
  const history = toHistoryTexts(status)
  if (unreadyReason !== undefined)
    return html`<strong>Not ready.</strong> ${[unreadyReason, ...troubles, ...history].join(" ")}`
  return troubles.length === 0
    ? html`<strong>Ready.</strong> ${["Nothing is known to be missing.", ...history].join(" ")}`
    : html`<strong>Ready, with problems.</strong> ${[...troubles, ...history].join(" ")}`
}

const columns = {
  sources: ["Source", "Kind", "State", "Head", "Last success", "Last error"],
  indexes: ["Index", "State", "Indexed", "Head", "Lag", "Progress", "Proven", "Reorgs", "Last error"],
  recordings: [
    "Market",
    "State",
    "By",
    "Proof",
    "Disconnects",
    "Since",
    "Newest trade",
    "Stored",
    "Missing",
    "History to read",
    "Gaps",
    "Last error"
  ],
  gaps: ["Market", "State", "From", "To", "Sequences"],
  incidents: ["Time, UTC", "Of", "Incident", "Detail"]
}

/** The JSON of /status as a page. It refreshes every ten seconds. */
export const statusPage = (
  status: Status,
  unreadyReason: string | undefined,
  incidents: Option.Option<ReadonlyArray<Incident>>
): HttpServerResponse.HttpServerResponse => {
  const { indexes, instance, now, recordings, retention, sources, startedAt } = status
  const body = html`<h1>Status</h1>
    <p role="status">${summary(status, unreadyReason)}</p>
    <p class="quiet">${time(now)} UTC, up for ${span(now - startedAt)}. Refreshes every 10 s.</p>
    ${sources.length === 0 ? html`<p class="quiet">No source is configured.</p>` : undefined}
    ${table(
      "Sources",
      columns.sources,
      sources.map((source) => sourceRow(source, now))
    )}
    ${table("Indexes", columns.indexes, indexes.map(indexRow))}
    ${table(
      "Recordings",
      columns.recordings,
      recordings.map((recording) => recordingRow(recording, now))
    )}
    ${table("Gaps in recordings", columns.gaps, recordings.flatMap(gapRows))} ${incidentTable(incidents)}
    <p class="quiet">
      Disconnects and reorgs are counted since an instance took the work over, at its start at the earliest.
    </p>
    <p class="quiet">${retentionText(retention)}</p>
    <p class="quiet">${instanceText(instance)}</p>
    <p><a href="/">Start</a></p>`
  return HttpServerResponse.setHeaders(page("Status of Chaintape", body, { style: wideStyle }), {
    refresh: "10",
    "cache-control": "no-store"
  })
}
