import { Data } from "effect"
import { toSourceFailure } from "../../../sources/SourceFailure.ts"
import type { DexFailure } from "../../DexSource.ts"

/**
 * The failure, as the end of the sentence "The subgraph of X ...". It never quotes the upstream, which could repeat a
 * key.
 */
export interface SubgraphFailure {
  readonly reason: DexFailure
  readonly what: string
}

/** The subgraph, or the node that responded, does not have the state as of the block. */
export class BlockNotIndexedError extends Data.TaggedError("BlockNotIndexedError")<{
  readonly first?: number
  readonly head?: number
}> {
  override get message(): string {
    return "The subgraph does not have the state as of the block."
  }
}

/** The failure that an HTTP status means; undefined for a success. */
export const toStatusFailure = (status: number): SubgraphFailure | undefined => {
  // 402: the gateway's key has no funds.
  const reason = status === 402 ? "Refused" : toSourceFailure(status)
  if (reason === undefined) return undefined
  return { reason, what: reason === "Busy" ? "limits the service" : `answered with status ${status}` }
}

// The wording of graph-node, then that of its gateways.
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

/** A gateway lists what each indexer answered: `{0xab: Unavailable(missing block: 70, latest: 62), 0xcd: Timeout}`. */
const parseIndexerHead = (text: string): number | undefined => {
  const indexers = text.match(/\b0x[0-9a-f]+: /gi) ?? []
  const heads = [...text.matchAll(/missing block: \d+, latest: (\d{1,15})\b/g)].map(([, head]) => Number(head))
  // Where one only failed, it may have the block.
  return heads.length > 0 && heads.length === indexers.length ? Math.max(...heads) : undefined
}

const blockNotIndexed = (text: string): BlockNotIndexedError | undefined => {
  if (/\bbad indexers\b/.test(text) && /\bmissing block\b/.test(text)) {
    const head = parseIndexerHead(text)
    return head === undefined ? undefined : new BlockNotIndexedError({ head })
  }
  const head = numberIn(text, tooNew)
  if (head !== undefined) return new BlockNotIndexedError({ head })
  const first = numberIn(text, tooOld)
  return first === undefined ? undefined : new BlockNotIndexedError({ first })
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

/** The patterns need no more of the errors. */
const maxErrorLength = 4000

/** Classifies the errors in a response with status 200. */
export const toErrorFailure = (messages: ReadonlyArray<string>): SubgraphFailure | BlockNotIndexedError => {
  const text = messages.slice(0, 100).join("\n").slice(0, maxErrorLength)
  const range = blockNotIndexed(text)
  if (range !== undefined) return range
  for (const [pattern, failure] of known) if (pattern.test(text)) return failure
  return { reason: "BadResponse", what: "answered with an error that the service does not know" }
}
