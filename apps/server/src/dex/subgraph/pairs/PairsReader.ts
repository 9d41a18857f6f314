import { Array as Arr, Effect, Option, Result, Schema } from "effect"
import type { PoolQuery, TokenQuery } from "../../DexQueries.ts"
import { UnknownValueError } from "../../DexSource.ts"
import { inIdOrder, toResponseSchema } from "../query/PinnedReads.ts"
import { getOrder, readEntities, readFactory, toIdFilter, toTokenFilter } from "../query/SubgraphEntities.ts"
import type { SubgraphContext, SubgraphReader } from "../query/SubgraphReader.ts"
import { factoryTable, toDeployment, toPairFee, toPairTable, toPool, toToken, toTokenTable } from "./PairEntities.ts"
import type { PairFee } from "./PairEntities.ts"
import { BundleRecord, factoryFields, pairFields, tokenFields } from "./PairRecords.ts"
import type { TokenRecord } from "./PairRecords.ts"
import { pairTradeReaders } from "./PairSwaps.ts"

const bundleResponse = toResponseSchema(BundleRecord)

/** The price of the native coin in USD as of the block; undefined before the first pair. */
const readNativeUSD = Effect.fnUntraced(function* ({ reads, schema }: SubgraphContext) {
  yield* schema.require("Bundle", ["ethPrice"])
  const [bundle] = yield* reads.collection({
    entity: "Bundle",
    selection: "id ethPrice",
    response: bundleResponse,
    where: {},
    ...inIdOrder,
    first: 1
  })
  return bundle?.ethPrice
})

const Pairs = Schema.Array(Schema.Struct({ id: Schema.String }))
const countResponse = toResponseSchema(Schema.Struct({ id: Schema.String, pairBase: Pairs, pairQuote: Pairs }))

/** The most of a list inside an entity: a list of this length may have an end that was cut off. */
const maxListed = 1000
/** With the longest lists, a page of these many tokens is near the limit of a response. */
const tokensPerPage = 100

const countPage = Effect.fnUntraced(function* ({ endpoint, reads }: SubgraphContext, ids: ReadonlyArray<string>) {
  const rows = yield* reads.collection({
    entity: "Token",
    selection: `id pairBase(first: ${maxListed}) { id } pairQuote(first: ${maxListed}) { id }`,
    response: countResponse,
    where: { id_in: ids },
    ...inIdOrder,
    first: ids.length
  })
  if (rows.length < ids.length) return yield* endpoint.failed("BadResponse", "lacks a token of its pairs")
  const counts: Array<readonly [string, string]> = []
  for (const { id, pairBase, pairQuote } of rows) {
    if (pairBase.length >= maxListed || pairQuote.length >= maxListed) {
      return yield* endpoint.failed(
        "BadResponse",
        `lacks the field "poolCount" of its type "Token", and the token "${id}" has too many pairs to count them`
      )
    }
    counts.push([id.toLowerCase(), String(pairBase.length + pairQuote.length)])
  }
  return counts
})

/** The number of pairs of each token: no field of the schema has it, but each token lists its pairs. */
const countPools = Effect.fnUntraced(function* (context: SubgraphContext, tokens: Iterable<string>) {
  const { schema } = context
  if (!schema.has("Token", "pairBase") || !schema.has("Token", "pairQuote")) {
    return yield* schema.lacks("Token", "poolCount")
  }
  const pages = Arr.chunksOf(new Set(tokens), tokensPerPage)
  const counts = yield* Effect.forEach(pages, (page) => countPage(context, page), { concurrency: "unbounded" })
  return new Map(counts.flat())
})

/** A function that converts the tokens with these ids, with what their records lack. */
const makeTokenConverter = Effect.fnUntraced(function* (
  context: SubgraphContext,
  fee: PairFee,
  nativeUSD: string | undefined,
  ids: ReadonlyArray<string>
) {
  if (nativeUSD === undefined && ids.length > 0) {
    return yield* context.endpoint.failed("BadResponse", "has tokens, and no price of the native coin")
  }
  const counts = yield* countPools(context, ids)
  // Without a price there is no token, and every token is counted.
  return (row: typeof TokenRecord.Type) =>
    toToken(row, { fee, nativeUSD: nativeUSD ?? "0", poolCount: counts.get(row.id) ?? "0" })
})

const readTokens = Effect.fnUntraced(function* (context: SubgraphContext, fee: PairFee, query: TokenQuery) {
  yield* context.schema.require("Token", tokenFields)
  const nativeUSD = yield* readNativeUSD(context)
  const table = toTokenTable(fee, nativeUSD ?? "0")
  const rows = yield* readEntities(context, table, toTokenFilter(context, query), {
    ...query,
    ...getOrder(query.order)
  })
  const ids = rows.map(({ id }) => id)
  return rows.map(yield* makeTokenConverter(context, fee, nativeUSD, ids))
})

const readPairs = Effect.fnUntraced(function* (context: SubgraphContext, fee: PairFee, query: PoolQuery) {
  yield* context.schema.require("Token", tokenFields)
  yield* context.schema.require("Pair", [...pairFields, "token0", "token1"])
  const rows = yield* readEntities(
    context,
    toPairTable(fee),
    { where: toIdFilter(query) },
    { ...query, ...getOrder(query.order) }
  )
  const ids = rows.flatMap(({ token0, token1 }) => [token0.id, token1.id])
  const token = yield* makeTokenConverter(context, fee, yield* readNativeUSD(context), ids)
  return rows.map((row) => toPool(row, fee, token))
})

const noTicks = (pool: string) =>
  new UnknownValueError({ message: `The pool "${pool}" has no ticks: its protocol has no concentrated liquidity.` })

/** In millionths. */
const standardFee = 3000

/** The schema of Uniswap V2: pools are pairs. */
export const makePairsReader = (context: SubgraphContext, statedFee: number | undefined): SubgraphReader => {
  const fee = toPairFee(statedFee ?? standardFee)
  return {
    poolEntity: "Pair",
    deployment: Effect.andThen(
      context.schema.require("UniswapFactory", factoryFields),
      Effect.map(
        readFactory(context, factoryTable),
        Option.map((row) => toDeployment(row, fee))
      )
    ),
    tokens: (query) => readTokens(context, fee, query),
    pools: (query) => readPairs(context, fee, query),
    trades: pairTradeReaders(context),
    ticks: (pool) => Effect.succeed(Result.fail(noTicks(pool)))
  }
}
