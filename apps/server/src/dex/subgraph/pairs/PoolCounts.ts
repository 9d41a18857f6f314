import { Effect, Schema } from "effect"
import { toResponseSchema } from "../query/PinnedReads.ts"
import type { SubgraphContext } from "../query/SubgraphReader.ts"

const Pairs = Schema.Array(Schema.Struct({ id: Schema.String }))
const response = toResponseSchema(Schema.Struct({ id: Schema.String, pairBase: Pairs, pairQuote: Pairs }))

/** The most of a list inside an entity: a list of this length may have an end that was cut off. */
const maxListed = 1000
/** With the longest lists, a page of these many tokens is near the limit of a response. */
const tokensPerPage = 100

const countPage = Effect.fnUntraced(function* ({ endpoint, reads }: SubgraphContext, ids: ReadonlyArray<string>) {
  const rows = yield* reads.collection({
    entity: "Token",
    selection: `id pairBase(first: ${maxListed}) { id } pairQuote(first: ${maxListed}) { id }`,
    response,
    where: { id_in: ids },
    orderBy: "id",
    direction: "asc",
    first: ids.length,
    skip: 0
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
export const countPools = Effect.fnUntraced(function* (context: SubgraphContext, tokens: Iterable<string>) {
  const { schema } = context
  if (!schema.has("Token", "pairBase") || !schema.has("Token", "pairQuote")) {
    return yield* schema.lacks("Token", "poolCount")
  }
  const ids = [...new Set(tokens)]
  const pages = Array.from({ length: Math.ceil(ids.length / tokensPerPage) }, (_, at) =>
    ids.slice(at * tokensPerPage, (at + 1) * tokensPerPage)
  )
  const counts = yield* Effect.forEach(pages, (page) => countPage(context, page), { concurrency: "unbounded" })
  return new Map(counts.flat())
})
