import { Effect, Option } from "effect"
import { groupDigits } from "../../internal/groupDigits.ts"
import type { CommandError } from "../terminal/CommandError.ts"
import { toFailure } from "../terminal/CommandError.ts"
import { Progress } from "../terminal/Progress.ts"
import { toIso } from "../terminal/TimeArgument.ts"
import type { DownloadRequest, Latest, Subject } from "./DownloadRequest.ts"
import { toLines } from "./FileFormat.ts"
import type { Output, DownloadProgress } from "./Output.ts"
import type { Page } from "./Pages.ts"
import { Pages } from "./Pages.ts"
import { withPage } from "./Proof.ts"
import type { Proof, Span } from "./Proof.ts"
import type { Row } from "./Row.ts"

export interface Downloaded {
  readonly rows: number
  readonly proof: Proof
  /** The times read; none if there is no row. */
  readonly span: Option.Option<Span>
  /** Whether the rows end before the range does. */
  readonly endsEarly: boolean
}

/** Pages are consecutive in time, so a page that goes back in time would leave gaps. */
const requireOrder = Effect.fnUntraced(function* (rows: ReadonlyArray<Row>, since: number) {
  let before = since
  for (const { id, time } of rows) {
    if (time < before) {
      return yield* toFailure(`The answer is out of order: "${id}" of ${toIso(time)} comes after ${toIso(before)}.`)
    }
    before = time
  }
})

/** All pages are as of the same block. */
const requireSameBlock = Effect.fnUntraced(function* ({ proof }: DownloadProgress, page: Page) {
  const pinned = proof.block
  if (pinned === null || Option.exists(page.block, ({ hash }) => hash === pinned.hash)) return
  return yield* toFailure(
    `Block ${pinned.number} (${pinned.hash}) was replaced by a reorg, so the rows read before may not be of the chain: ` +
      "remove the .part file to start again."
  )
})

const toSpan = ({ from, rows, to }: Page, since: number, until: number): Span => ({
  from: Math.max(
    Option.getOrElse(from, () => rows[0]?.time ?? since),
    since
  ),
  to: Math.min(
    Option.getOrElse(to, () => rows.at(-1)?.time ?? until),
    until
  )
})

const getLast = (reached: DownloadProgress, fresh: ReadonlyArray<Row>): DownloadProgress["last"] => {
  const timestamp = fresh.at(-1)?.time
  if (timestamp === undefined) return reached.last
  const before = reached.last?.timestamp === timestamp ? reached.last.ids : []
  return { timestamp, ids: [...before, ...fresh.filter(({ time }) => time === timestamp).map(({ id }) => id)] }
}

const tooManyAtOneTime = (time: number, page: number, { maxPage, unit }: Subject): CommandError =>
  toFailure(
    `${groupDigits(page)} ${unit} and more are of the same time, ${toIso(time)}: what follows them cannot be ` +
      `read by time, so nothing is proven.${page < maxPage ? ` Try --page ${maxPage}.` : ""}`
  )

/** The new rows of a page: those of the last time are read again where it can have more, and known ones are dropped by id. */
const addPage = (
  reached: DownloadProgress,
  page: Page,
  { since, until }: { readonly since: number; readonly until: number },
  { hasUniqueTimes }: Subject
) => {
  const { last } = reached
  const known = new Set(last?.ids)
  const isKnown = ({ id, time }: Row) => time === last?.timestamp && known.has(id)
  const fresh = page.rows.filter((row) => row.time <= until && !isKnown(row))
  const { block, gaps, state } = page
  const touches = hasUniqueTimes || last === null || page.rows.some(isKnown)
  const span = toSpan(page, since, until)
  return {
    fresh,
    next: {
      rows: reached.rows + fresh.length,
      last: getLast(reached, fresh),
      proof: withPage(reached.proof, { state, span, gaps, touches, block: Option.getOrNull(block) })
    } satisfies DownloadProgress
  }
}

/**
 * A page. Of a page that ends after `until`, the service judges all rows: if some are missing, the page is read again as far
 * as it is wanted, so that what is missing later is not taken for missing here.
 */
const readPage = Effect.fnUntraced(function* (wanted: Parameters<Pages["Service"]["read"]>[0]) {
  const { read } = yield* Pages
  const page = yield* read(wanted)
  const within = page.rows.filter(({ time }) => time <= wanted.until).length
  const isWider = page.state === "incomplete" && page.gaps.length === 0 && within + 1 < page.rows.length
  return isWider ? yield* read({ ...wanted, limit: within + 1 }) : page
})

/** Every row from `since` to `until`, page by page. */
const downloadRange = Effect.fn("Download.downloadRange")(function* (request: DownloadRequest, output: Output) {
  const progress = yield* Progress
  const { format, page: limit, subject } = request
  const { columns } = subject.shape
  const { since: first, until } = output.range
  let reached = output.reached
  yield* progress.begin({
    since: first,
    until,
    position: reached.last?.timestamp ?? first,
    rows: reached.rows,
    unit: "rows"
  })
  while (true) {
    const { last, proof } = reached
    const since = last === null ? first : last.timestamp + (subject.hasUniqueTimes ? 1 : 0)
    const whole = { rows: reached.rows, proof, span: Option.some({ from: first, to: until }), endsEarly: false }
    if (since > until) return whole
    const block = Option.map(Option.fromNullOr(proof.block), ({ number }) => number)
    const page = yield* readPage({ since: Option.some(since), until, limit, block })
    yield* requireOrder(page.rows, since)
    yield* requireSameBlock(reached, page)
    const newest = page.rows.at(-1)?.time ?? since
    const isFull = page.rows.length >= limit
    if (isFull && !subject.hasUniqueTimes && newest === since && newest <= until) {
      return yield* tooManyAtOneTime(newest, limit, subject)
    }
    const { fresh, next } = addPage(reached, page, { since, until }, subject)
    yield* output.append(toLines(format, columns, fresh), next)
    if (reached.rows === 0) yield* progress.found(fresh[0]?.time ?? first)
    reached = next
    yield* progress.advance(Math.min(newest, until), reached.rows)
    const { rows } = reached
    if (newest > until || (subject.isBounded && !isFull)) return { ...whole, rows, proof: reached.proof }
    if (fresh.length > 0) continue
    const to = rows === 0 ? until : newest
    return { rows, proof: reached.proof, span: Option.some({ from: first, to }), endsEarly: true }
  }
})

const downloadLatest = Effect.fn("Download.downloadLatest")(function* (
  request: DownloadRequest,
  range: Latest,
  output: Output
) {
  const pages = yield* Pages
  const { format, subject } = request
  const { count: limit, until } = range
  const page = yield* pages.read({ since: Option.none(), until, limit, block: Option.none() })
  const [oldest] = page.rows
  const newest = page.rows.at(-1)
  if (oldest === undefined || newest === undefined) {
    return { rows: 0, proof: output.reached.proof, span: Option.none(), endsEarly: false }
  }
  const span = { from: oldest.time, to: newest.time }
  const { next } = addPage(output.reached, page, { since: span.from, until: span.to }, subject)
  yield* output.append(toLines(format, subject.shape.columns, page.rows), next)
  return { rows: next.rows, proof: next.proof, span: Option.some(span), endsEarly: false }
})

/** Reads the requested rows into the output. */
export const download = (
  request: DownloadRequest,
  output: Output
): Effect.Effect<Downloaded, CommandError, Pages | Progress> =>
  request.range._tag === "Latest" ? downloadLatest(request, request.range, output) : downloadRange(request, output)
