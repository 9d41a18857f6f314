import { Effect, Option, Schema } from "effect"
import type { Redacted } from "effect"
import type { HttpClient } from "effect/http"
import { BlockOutOfRangeError, UnknownValueError } from "../DexSource.ts"
import type { DexAsOf, DexSource, DexSourceError, DexView } from "../DexSource.ts"
import { makePairsReader } from "./pairs/PairsReader.ts"
import { makePoolsReader } from "./pools/PoolsReader.ts"
import { checkErrors, getHash, inIdOrder, makePinnedReads, State, toResponseSchema } from "./query/PinnedReads.ts"
import type { PinnedBlock, PinnedReads, Where } from "./query/PinnedReads.ts"
import { makeSubgraphEndpoint, SubgraphRequest } from "./query/SubgraphEndpoint.ts"
import type { SubgraphEndpoint } from "./query/SubgraphEndpoint.ts"
import { BlockNotIndexedError } from "./query/SubgraphFailure.ts"
import type { SubgraphReader } from "./query/SubgraphReader.ts"
import { cacheSchema } from "./query/SubgraphSchema.ts"
import type { Entity } from "./query/SubgraphSchema.ts"

/** A deployment that is read from a subgraph of the schema of Uniswap V3, Algebra or Uniswap V2. */
export interface SubgraphDeployment {
  readonly key: string
  readonly url: string
  readonly apiKey?: Redacted.Redacted
  /** The fee of all pairs in millionths, which a schema of Uniswap V2 does not state; by default that of Uniswap V2. */
  readonly fee?: number
}

const deadline = "10 seconds"

const idResponse = toResponseSchema(Schema.Struct({ id: Schema.String }))

const NumberedState = Schema.Struct({
  ...State.fields,
  block: Schema.Struct({ ...State.fields.block.fields, number: Schema.Int })
})
const state = "{ block { number hash } deployment hasIndexingErrors }"

const newest = new SubgraphRequest({
  document: `query Newest { head: _meta ${state} }`,
  variables: {},
  data: Schema.Struct({ head: NumberedState })
})

const asOf = (number: number) =>
  new SubgraphRequest({
    document: `query AsOf($block: Block_height!) { head: _meta ${state} at: _meta(block: $block) ${state} }`,
    variables: { block: { number } },
    data: Schema.Struct({ head: NumberedState, at: NumberedState })
  })

const toPinnedBlock = (endpoint: SubgraphEndpoint, state: typeof NumberedState.Type) =>
  Effect.as(checkErrors(endpoint, state), {
    number: state.block.number,
    hash: getHash(state),
    deployment: state.deployment
  })

const newestBlock = (endpoint: SubgraphEndpoint): Effect.Effect<PinnedBlock, DexSourceError> =>
  endpoint.send(newest).pipe(
    Effect.catchTag("BlockNotIndexedError", () => endpoint.failed("Unavailable", "has no block yet")),
    Effect.flatMap(({ head }) => toPinnedBlock(endpoint, head)),
    endpoint.retried
  )

/** Some servers answer as of another block, such as their head, where they do not have the block. */
const checkNumber = (
  endpoint: SubgraphEndpoint,
  block: number,
  at: number,
  head: number
): Effect.Effect<void, DexSourceError | BlockNotIndexedError> => {
  if (at === block) return Effect.void
  return head < block
    ? Effect.fail(new BlockNotIndexedError({ head }))
    : Effect.fail(endpoint.failed("BadResponse", "answered as of another block than it was asked for"))
}

/** Hashes of blocks below the newest are known only if the subgraph returns them. */
const blockAt = (endpoint: SubgraphEndpoint, block: number) =>
  endpoint.send(asOf(block)).pipe(
    Effect.tap(({ at, head }) => checkNumber(endpoint, block, at.block.number, head.block.number)),
    Effect.flatMap(({ at, head }) =>
      Effect.map(toPinnedBlock(endpoint, at), ({ deployment, hash }) => ({
        number: block,
        deployment,
        hash: hash ?? (head.block.number === block ? getHash(head) : undefined)
      }))
    ),
    endpoint.retried,
    Effect.catchTag("BlockNotIndexedError", ({ first, head }) =>
      (head === undefined ? Effect.map(newestBlock(endpoint), ({ number }) => number) : Effect.succeed(head)).pipe(
        // A subgraph reports its first block only in the error for an earlier one.
        Effect.flatMap((head) => new BlockOutOfRangeError({ block, first: first ?? 0, head }))
      )
    )
  )

const hasRow = (reads: PinnedReads, entity: Entity, where: Where) =>
  reads
    .collection({
      entity,
      selection: "id",
      response: idResponse,
      where,
      ...inIdOrder,
      first: 1
    })
    .pipe(Effect.map((rows) => rows.length > 0))

type CachedSchema = Effect.Success<ReturnType<typeof cacheSchema>>

/**
 * Whether the subgraph has deleted its older states. It then states the first block that it still has in the words in
 * which others state where they begin, but it has pools from before that block.
 */
const isPruned = (endpoint: SubgraphEndpoint, [getSchema]: CachedSchema, first: number) =>
  Effect.flatMap(endpoint.retried(getSchema), ({ kind }) =>
    hasRow(
      makePinnedReads(endpoint, { number: first, hash: undefined, deployment: undefined }),
      kind === "pairs" ? "Pair" : "Pool",
      {
        createdAtBlockNumber_lt: String(first)
      }
    )
  )

/** The reads as of a block before the deployment. */
const nothing: PinnedReads = { collection: () => Effect.succeed([]) }

const makeView = (
  endpoint: SubgraphEndpoint,
  [getSchema, forgetSchema]: CachedSchema,
  block: Pick<DexAsOf, "number" | "hash">,
  reads: PinnedReads,
  fee: number | undefined
): DexView => {
  const withReader = <A>(read: (reader: SubgraphReader) => Effect.Effect<A, DexSourceError>) =>
    endpoint.retried(getSchema).pipe(
      Effect.map((schema) => {
        const context = { endpoint, reads, schema }
        return schema.kind === "pairs" ? makePairsReader(context, fee) : makePoolsReader(context)
      }),
      Effect.flatMap(read),
      // The subgraph may have been replaced by one with another schema.
      Effect.tapError(({ reason }) => (reason === "BadResponse" ? forgetSchema : Effect.void)),
      withDeadline(endpoint)
    )
  return {
    // A subgraph does not report which blocks are final, and a wrong "final" would be cached forever.
    asOf: { ...block, finalized: false, proven: undefined },
    deployment: withReader(({ deployment }) => deployment),
    tokens: (query) => withReader(({ tokens }) => tokens(query)),
    pools: (query) => withReader(({ pools }) => pools(query)),
    hasToken: (token) => withDeadline(endpoint)(hasRow(reads, "Token", { id: token.toLowerCase() })),
    hasPool: (pool) => withReader(({ poolEntity }) => hasRow(reads, poolEntity, { id: pool.toLowerCase() })),
    trades: (kind, scope, query) => withReader(({ trades }) => trades[kind](scope, query)),
    candles: () =>
      Effect.fail(
        new UnknownValueError({
          message:
            `The subgraph of "${endpoint.key}" has no exact candles: ask for the swaps of the pool, or for a deployment ` +
            "that the service indexes."
        })
      ),
    ticks: (pool, page) =>
      Effect.flatMap(
        withReader(({ ticks }) => ticks(pool, page)),
        Effect.fromResult
      )
  }
}

const withDeadline =
  (endpoint: SubgraphEndpoint) =>
  <A, E>(read: Effect.Effect<A, E>): Effect.Effect<A, E | DexSourceError> =>
    Effect.timeoutOrElse(read, {
      duration: deadline,
      orElse: () => Effect.fail(endpoint.failed("Timeout", `did not answer within ${deadline}`))
    })

const makeDeployment = Effect.fnUntraced(function* (deployment: SubgraphDeployment) {
  const endpoint = yield* makeSubgraphEndpoint(deployment)
  const schema = yield* cacheSchema(endpoint)
  return Effect.fn("SubgraphDexSource.view", { attributes: { deployment: deployment.key } })(function* (
    block: Option.Option<number>
  ) {
    const open = (at: Pick<DexAsOf, "number" | "hash">, reads: PinnedReads) =>
      makeView(endpoint, schema, at, reads, deployment.fee)
    const found: Effect.Effect<PinnedBlock, DexSourceError | BlockOutOfRangeError> = Option.match(block, {
      onNone: () => newestBlock(endpoint),
      onSome: (number) => blockAt(endpoint, number)
    })
    return yield* found.pipe(
      Effect.map((pinned) =>
        open({ number: pinned.number, hash: pinned.hash ?? "" }, makePinnedReads(endpoint, pinned))
      ),
      Effect.catchTag("BlockOutOfRangeError", (error) =>
        error.block < error.first
          ? Effect.flatMap(isPruned(endpoint, schema, error.first), (pruned) =>
              pruned ? Effect.fail(error) : Effect.succeed(open({ number: error.block, hash: undefined }, nothing))
            )
          : Effect.fail(error)
      ),
      withDeadline(endpoint)
    )
  })
})

/** Reads deployments from subgraphs: a hosted gateway or a self-hosted server. */
export const makeSubgraphView = Effect.fnUntraced(function* (
  deployments: ReadonlyArray<SubgraphDeployment>
): Effect.fn.Return<DexSource["Service"]["view"], never, HttpClient.HttpClient> {
  const views = new Map(
    yield* Effect.forEach(deployments, (one) => Effect.map(makeDeployment(one), (view) => [one.key, view] as const))
  )
  return (deployment, block) => {
    const view = views.get(deployment)
    return view === undefined ? Effect.die(new Error(`"${deployment}" has no subgraph configured`)) : view(block)
  }
})
