import { Data, Effect } from "effect"
import type { BlockSourceError } from "../../../blocks/BlockSource.ts"
import {
  blockCall,
  chainIdCall,
  isCallFailure,
  RpcFault,
  toFailureText,
  toQuantity
} from "../../../blocks/rpc/RpcCall.ts"
import type { CallFailure, NodeMemory, RpcCall } from "../../../blocks/rpc/RpcCall.ts"
import { findSuggestedBlocks } from "../../../blocks/rpc/RpcRefusal.ts"
import type { BlockIdentity } from "../decode/ChainFacts.ts"
import { compareLogs, readLogs } from "../decode/RpcLog.ts"
import type { BlockLog } from "../decode/RpcLog.ts"
import { findUnlinked } from "./HeaderReads.ts"
import type { HeaderReads, LinkedRange } from "./HeaderReads.ts"
import type { NodeRead, ReadParts } from "./ProvableReads.ts"

/** The most queries for the logs of one range. */
const queriesPerRange = 20
/** Larger queries are tried again after this many: what a node refuses may depend on the blocks. */
const queriesUntilLarger = 600

/** The range takes too many queries of the node: a range of this many blocks may succeed. */
export class LogRangeError extends Data.TaggedError("LogRangeError")<{ readonly suggested: number }> {
  override get message(): string {
    return `The node limits the logs of a query, so that this range takes too many: read ${this.suggested} blocks.`
  }
}

interface Blocks {
  readonly from: number
  /** Inclusive. */
  readonly to: number
}

const logsCall =
  (topics: ReadonlyArray<string>) =>
  ({ from, to }: Blocks): RpcCall => ({
    method: "eth_getLogs",
    params: [{ fromBlock: toQuantity(from), toBlock: toQuantity(to), topics: [topics] }],
    mayFail: true
  })

const split = ({ from, to }: Blocks, size: number): ReadonlyArray<Blocks> =>
  Array.from({ length: Math.ceil((to - from + 1) / size) }, (_, at) => ({
    from: from + at * size,
    to: Math.min(to, from + (at + 1) * size - 1)
  }))

const toQueries = (node: NodeMemory, ranges: ReadonlyArray<Blocks>) => {
  const queries = ranges.flatMap((range) => split(range, node.logBlocks))
  return queries.length <= queriesPerRange
    ? Effect.succeed(queries)
    : Effect.fail(new LogRangeError({ suggested: queriesPerRange * node.logBlocks }))
}

/** A query of this many blocks fails. */
const limitQueries = (node: NodeMemory, blocks: number, failure: CallFailure): void => {
  const suggested = failure instanceof RpcFault ? findSuggestedBlocks(failure.message) : undefined
  const max = suggested !== undefined && suggested < blocks ? suggested : Math.floor(blocks / 2)
  node.logBlocks = Math.min(node.logBlocks, max)
  node.logQueries = 0
}

const countQueries = (node: NodeMemory, queries: number): void => {
  node.logQueries += queries
  if (node.logQueries < queriesUntilLarger) return
  node.logBlocks = Math.min(node.logBlocks * 2, Number.MAX_SAFE_INTEGER)
  node.logQueries = 0
}

/** Decodes the logs of a range. */
const logsIn = (bad: ReadParts["bad"], reply: unknown, { from, to }: Blocks) =>
  isCallFailure(reply)
    ? Effect.fail(bad(toFailureText(reply)))
    : Effect.mapError(Effect.fromResult(readLogs(reply, from, to)), bad)

/** A node, and how its wrong responses become errors. */
interface LogNode extends Pick<NodeRead, "node" | "send">, Pick<ReadParts, "bad"> {}

/** The logs to read: those of a range of blocks with one of the first topics. */
interface LogRequest {
  readonly range: Blocks
  readonly topics: ReadonlyArray<string>
}

/** Calls that are sent with the first queries. `check` reads their replies before the logs are used. */
interface Guard<A> {
  readonly calls: ReadonlyArray<RpcCall>
  readonly check: (replies: ReadonlyArray<unknown>) => Effect.Effect<A, BlockSourceError>
}

/** Reads the logs of a range from a node, by as many queries as it needs. */
export const readLogsOfRange = Effect.fnUntraced(function* <A>(
  { bad, node, send }: LogNode,
  { range, topics }: LogRequest,
  guard: Guard<A>
): Effect.fn.Return<{ readonly checked: A; readonly logs: ReadonlyArray<BlockLog> }, BlockSourceError | LogRangeError> {
  let queries: ReadonlyArray<Blocks> = yield* toQueries(node, [range])
  const first = yield* send([...guard.calls, ...queries.map(logsCall(topics))])
  const checked = yield* guard.check(first.slice(0, guard.calls.length))
  let replies: ReadonlyArray<unknown> = first.slice(guard.calls.length)
  const found: Array<ReadonlyArray<BlockLog>> = []
  for (;;) {
    // Adjacent ones are one range, which is divided again.
    const refused: Array<Blocks> = []
    let answered = 0
    for (const [index, query] of queries.entries()) {
      const reply = replies[index]
      const blocks = query.to - query.from + 1
      if (isCallFailure(reply) && blocks > 1) {
        limitQueries(node, blocks, reply)
        const before = refused.at(-1)?.to === query.from - 1 ? refused.pop() : undefined
        refused.push({ from: before?.from ?? query.from, to: query.to })
      } else {
        found.push(yield* logsIn(bad, reply, query))
        answered += 1
      }
    }
    countQueries(node, answered)
    if (refused.length === 0) break
    queries = yield* toQueries(node, refused)
    replies = yield* send(queries.map(logsCall(topics)))
  }
  const logs = found.flat().sort(compareLogs)
  return { checked, logs }
})

interface LogReadsOptions extends Pick<ReadParts, "bad" | "readProvable">, Pick<HeaderReads, "existing"> {
  readonly calls: <A>(
    calls: ReadonlyArray<RpcCall>,
    decode: (replies: ReadonlyArray<unknown>) => Effect.Effect<A, BlockSourceError>
  ) => Effect.Effect<A, BlockSourceError>
  readonly checkChain: (reply: unknown) => Effect.Effect<void, BlockSourceError>
  /** The topics of all events of the index. */
  readonly signatures: ReadonlyArray<string>
}

/** Reads logs with one of the first topics `signatures`. */
export const makeLogReads = ({ readProvable, bad, calls, checkChain, existing, signatures }: LogReadsOptions) => ({
  logsOfRange: ({ from, next, parent, to }: LinkedRange) =>
    readProvable(({ node, report, send }) => {
      // In one request, because a node that lags behind returns no logs for blocks that it does not have yet.
      const guardCalls = [chainIdCall, blockCall(from), blockCall(to), ...(next ? [blockCall(to + 1)] : [])]
      const check = Effect.fnUntraced(function* ([id, begin, end, following]: ReadonlyArray<unknown>) {
        yield* checkChain(id)
        const first = yield* existing(begin, report, from)
        const last = yield* existing(end, report, to)
        const links = next ? [last, yield* existing(following, report, to + 1)] : [last]
        const fault = findUnlinked([first], parent) ?? findUnlinked(links, undefined)
        return fault === undefined ? last : yield* bad(fault)
      })
      return readLogsOfRange(
        { bad, node, send },
        { range: { from, to }, topics: signatures },
        { calls: guardCalls, check }
      ).pipe(Effect.map(({ checked, logs }) => ({ last: checked, logs })))
    }),
  logsOfBlocks: (blocks: ReadonlyArray<BlockIdentity>) =>
    calls(
      blocks.map(({ hash }) => ({
        method: "eth_getLogs",
        params: [{ blockHash: hash, topics: [signatures] }],
        mayFail: true
      })),
      (replies) =>
        Effect.forEach(blocks, ({ hash, number }, index) =>
          logsIn(bad, replies[index], { from: number, to: number }).pipe(
            Effect.filterOrFail(
              (found) => found.every((log) => log.blockHash === hash),
              () => bad(`answered with logs of another branch for block ${number}`)
            )
          )
        ).pipe(Effect.map((logs) => logs.flat()))
    )
})
