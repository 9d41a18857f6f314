import { Blocks } from "@chaintape/blocks"
import type { Answer } from "@chaintape/core"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import { countRequests } from "../../service/Budget.ts"
import type { Packages } from "../../service/Session.tsx"
import type { Moment } from "../moment/Deployment.ts"

/** The spans over which figures are compared. */
export const spans = [
  { name: "24 h", days: 1 },
  { name: "7 d", days: 7 }
] as const

export type Span = (typeof spans)[number]

/** A pool or a token as of a block. */
export interface State<A> {
  readonly block: bigint
  /** The time of the block, in Unix milliseconds. */
  readonly time: number
  readonly value: A
}

/** The state at the end of all spans, and that at the beginning of each; undefined where the history is shorter. */
export interface SpanStates<A> {
  readonly end: State<A>
  readonly starts: ReadonlyArray<State<A> | undefined>
}

/** Reads a pool or a token as of a block: none if it did not exist. */
export type ReadState<A, E> = (block: number | undefined) => Effect.Effect<Answer<ReadonlyArray<A>>, E, Packages>

const readBlock = (request: Parameters<Blocks["Service"]["blocks"]>[0]) =>
  Effect.flatMap(Blocks, (blocks) => countRequests(blocks.withResponse.blocks({ ...request, limit: 1 }))).pipe(
    Effect.map(({ value: [block] }) => block),
    // A deployment may be of a chain whose blocks the service does not read.
    Effect.catchTag(["BlockchainNotFound", "BlockNotFound"], () => Effect.undefined)
  )

/** The state as of the newest block of a time; undefined if there was no such block, or no such state. */
const readStart = Effect.fnUntraced(function* <A, E>(blockchain: string, time: DateTime.Utc, read: ReadState<A, E>) {
  const block = yield* readBlock({ blockchain, to: time })
  if (block === undefined) return undefined
  const [found] = yield* countRequests(read(Number(block.number))).pipe(
    Effect.map((answer) => answer.value),
    // The index may begin later than the chain.
    Effect.catchIf(Predicate.isTagged("BlockNotFound"), () => Effect.succeed<ReadonlyArray<A>>([]))
  )
  return found === undefined
    ? undefined
    : { block: block.number, time: DateTime.toEpochMillis(block.timestamp), value: found }
})

/** The state of a pool or a token now, and at the beginning of each span before. */
export const readSpanStates = Effect.fnUntraced(function* <A, E>({ block, deployment }: Moment, read: ReadState<A, E>) {
  const { blockchain } = deployment
  const answer = yield* read(block)
  const [value] = answer.value
  const asOf = Option.getOrUndefined(answer.asOf)
  const newest = asOf === undefined ? undefined : yield* readBlock({ blockchain, block: asOf.number })
  if (value === undefined || newest === undefined) return { ...answer, value: undefined }
  const end: State<A> = { block: newest.number, time: DateTime.toEpochMillis(newest.timestamp), value }
  const starts = yield* Effect.forEach(spans, ({ days }) =>
    readStart(blockchain, DateTime.subtract(newest.timestamp, { days }), read)
  )
  const states: SpanStates<A> = { end, starts }
  return { ...answer, value: states }
})
