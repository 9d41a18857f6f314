import { Clock, Data, DateTime, Effect, Option } from "effect"
import type { DexFailure } from "../DexSource.ts"

/** What went wrong, as the end of the sentence "The subgraph of X ...". It never quotes the other side, which could repeat a key. */
export interface SubgraphFailure {
  readonly reason: DexFailure
  readonly what: string
}

/** The subgraph does not have the state as of the block, or the node that answered does not have it yet. */
export class BlockNotIndexed extends Data.TaggedError("BlockNotIndexed")<{
  readonly first?: number
  readonly head?: number
}> {}

export const failureOfStatus = (status: number): SubgraphFailure | undefined => {
  if (status === 200) return undefined
  const what = `answered with status ${status}`
  if (status === 429) return { reason: "Busy", what: "limits the service" }
  if (status === 401 || status === 402 || status === 403 || status === 451) return { reason: "Refused", what }
  if (status === 408 || status === 504) return { reason: "Timeout", what }
  return { reason: status >= 500 ? "Unavailable" : "BadResponse", what }
}

// The wording of graph-node, then that of the gateways before it.
const tooNew = [/has only indexed up to block number (\d{1,15})\b/, /missing block: \d+, latest: (\d{1,15})\b/]
const tooOld = [
  /only has data starting at block number (\d{1,15})\b/,
  /before minimum `?startBlock`? of manifest (\d{1,15})\b/
]

const numberIn = (text: string, patterns: ReadonlyArray<RegExp>): number | undefined => {
  for (const pattern of patterns) {
    const found = pattern.exec(text)?.[1]
    if (found !== undefined) return Number(found)
  }
  return undefined
}

const blockNotIndexed = (text: string): BlockNotIndexed | undefined => {
  const head = numberIn(text, tooNew)
  if (head !== undefined) return new BlockNotIndexed({ head })
  const first = numberIn(text, tooOld)
  return first === undefined ? undefined : new BlockNotIndexed({ first })
}

const known: ReadonlyArray<readonly [RegExp, SubgraphFailure]> = [
  [
    /\bindexing_error\b/,
    { reason: "BadResponse", what: "stopped at an error of its own indexing, so that its data cannot be trusted" }
  ],
  [/rate.?limit|too many requests|throttl/i, { reason: "Busy", what: "limits the service" }],
  [
    /auth error|unauthori[sz]ed|forbidden|api key|payment required|missing authorization/i,
    { reason: "Refused", what: "refused the service's key" }
  ],
  [/time(d )?.?out/i, { reason: "Timeout", what: "ran out of time" }],
  [
    /bad indexers|no indexers|store error|database unavailable|internal (server )?error|overloaded|service unavailable/i,
    { reason: "Unavailable", what: "cannot answer now" }
  ]
]

/** What the errors inside an answer with status 200 mean. */
export const failureOfErrors = (messages: ReadonlyArray<string>): SubgraphFailure | BlockNotIndexed => {
  const text = messages.join("\n")
  const range = blockNotIndexed(text)
  if (range !== undefined) return range
  for (const [pattern, failure] of known) if (pattern.test(text)) return failure
  return { reason: "BadResponse", what: "answered with an error that the service does not know" }
}

/** A longer wait than a day is a mistake of the sender. */
const longestWait = 86_400_000
const defaultWait = 1000

/** The wait that a `Retry-After` header asks for, in seconds or as a date. */
export const retryAfterMs = (header: string | undefined): Effect.Effect<number> =>
  Effect.map(Clock.currentTimeMillis, (now) => {
    const text = header?.trim() ?? ""
    if (/^\d{1,9}$/.test(text)) return Math.min(Number(text) * 1000, longestWait)
    if (!/^[A-Za-z]{3}, /.test(text)) return defaultWait
    return Option.match(DateTime.make(text), {
      onNone: () => defaultWait,
      onSome: (date) => Math.min(Math.max(DateTime.toEpochMillis(date) - now, 0), longestWait)
    })
  })
