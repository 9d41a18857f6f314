import { Data, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { readEvents, readWords } from "../../dex/ChainTruth.ts"

const Trade = Schema.Struct({ block: Schema.Int, id: Schema.String, kind: Schema.String, pool: Schema.String })
/** An event with a record: `id` is transaction hash, `#`, log index. */
export type IndexTrade = typeof Trade.Type

const Pool = Schema.Struct({
  id: Schema.String,
  sqrtPrice: Schema.String,
  tick: Schema.String,
  liquidity: Schema.String,
  observationIndex: Schema.String,
  feeGrowth0: Schema.String,
  feeGrowth1: Schema.String,
  transactions: Schema.Int
})
/** The state of a pool from its contract, and how many of its events count as transactions. */
export type IndexPool = typeof Pool.Type

export interface IndexState {
  readonly trades: ReadonlyArray<IndexTrade>
  readonly pools: ReadonlyArray<IndexPool>
}

const Count = Schema.Tuple([Schema.Struct({ count: Schema.Int })])
const Newest = Schema.Tuple([Schema.Struct({ number: Schema.NullOr(Schema.Int) })])

/** The newest block of the index. */
export const newestIndexed = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [{ number }] = yield* Effect.flatMap(
    sql`select max(number) as number from dex_block`,
    Schema.decodeUnknownEffect(Newest)
  )
  return number ?? 0
})

/** The content of the index as of a block, and how many versions of an entity are valid at once. */
export const readIndex = Effect.fnUntraced(function* (block: number) {
  const sql = yield* SqlClient.SqlClient
  const trades = yield* Effect.flatMap(
    sql`select block_number as block, transaction_id || '#' || log_index as id, kind, pool
      from dex_trade where block_number <= ${block} order by block_number, log_index`,
    Schema.decodeUnknownEffect(Schema.Array(Trade))
  )
  const pools = yield* Effect.flatMap(
    sql`select id, sqrt_price::text as "sqrtPrice", coalesce(tick, 0)::text as tick, liquidity::text as liquidity,
        observation_index::text as "observationIndex", fee_growth_global0_x128::text as "feeGrowth0",
        fee_growth_global1_x128::text as "feeGrowth1", tx_count::int as transactions
      from dex_pool where valid_from <= ${block} and valid_to > ${block} order by id`,
    Schema.decodeUnknownEffect(Schema.Array(Pool))
  )
  const [{ count }] = yield* Effect.flatMap(
    sql`select count(*)::int as count from (
        select valid_to, lead(valid_from) over (partition by deployment, id order by valid_from, valid_to) as next
        from (select deployment, id, valid_from, valid_to from dex_pool
          union all select deployment, id, valid_from, valid_to from dex_token) as versions
      ) as pairs where valid_to > next`,
    Schema.decodeUnknownEffect(Count)
  )
  return { trades, pools, overlapping: count }
})

const kinds = new Map([
  ["Swap", "swap"],
  ["Mint", "mint"],
  ["Burn", "burn"]
])
const counted = new Set([...kinds.keys(), "Collect"])

const toPool = (word: bigint | undefined) => `0x${(word ?? 0n).toString(16).padStart(40, "0")}`

/** A node that has the state of a block returns words for `slot0`, and otherwise may return nothing. */
class StateMissing extends Data.TaggedError("StateMissing")<{ readonly message: string }> {}

/** The state of the chain itself as of a block. */
export const readChain = Effect.fnUntraced(function* (rpc: string, factory: string, block: number) {
  const created = (yield* readEvents(rpc, [factory])).filter((event) => event.name === "PoolCreated")
  const ids = created.filter((event) => event.block <= block).map(({ words }) => toPool(words[1]))
  const events = (yield* readEvents(rpc, ids)).filter((event) => event.block <= block)
  const trades = events.flatMap(({ address, block, id, name }): ReadonlyArray<IndexTrade> => {
    const kind = kinds.get(name)
    return kind === undefined ? [] : [{ block, id, kind, pool: address }]
  })
  const names = ["slot0", "liquidity", "feeGrowthGlobal0X128", "feeGrowthGlobal1X128"] as const
  const pools = yield* Effect.forEach(ids.toSorted(), (id) =>
    Effect.map(
      readWords(
        rpc,
        block,
        names.map((name) => ({ to: id, name }))
      ).pipe(
        Effect.filterOrFail(
          (words) => words.every(({ length }) => length > 0),
          () => new StateMissing({ message: `The node has no state of the pool ${id} in block ${block}.` })
        )
      ),
      ([slot0 = [], liquidity = [], growth0 = [], growth1 = []]): IndexPool => ({
        id,
        sqrtPrice: String(slot0[0]),
        tick: String(BigInt.asIntN(256, slot0[1] ?? 0n)),
        observationIndex: String(slot0[2]),
        liquidity: String(liquidity[0]),
        feeGrowth0: String(growth0[0]),
        feeGrowth1: String(growth1[0]),
        transactions: events.filter(({ address, name }) => address === id && counted.has(name)).length
      })
    )
  )
  return { trades, pools } satisfies IndexState
})

const fieldsOfPool = [
  "id",
  "sqrtPrice",
  "tick",
  "liquidity",
  "observationIndex",
  "feeGrowth0",
  "feeGrowth1",
  "transactions"
] as const satisfies ReadonlyArray<keyof IndexPool>

const asLines = ({ pools, trades }: IndexState): ReadonlyArray<string> => [
  ...trades.map(({ block, id, kind, pool }) => `The ${kind} ${id} of ${pool} in block ${block}`),
  ...pools.map((pool) => `The pool ${fieldsOfPool.map((field) => `${field} ${pool[field]}`).join(", ")}`)
]

const maxReported = 10

/** The differences between an index and its chain. */
export const differencesOfIndex = (index: IndexState, chain: IndexState): ReadonlyArray<string> => {
  const [stored, stated] = [asLines(index), asLines(chain)]
  const [inIndex, onChain] = [new Set(stored), new Set(stated)]
  const found = [
    ...stated.filter((line) => !inIndex.has(line)).map((line) => `${line} is not in the index.`),
    ...stored.filter((line) => !onChain.has(line)).map((line) => `${line} is not on the chain.`),
    ...(stored.length > inIndex.size ? [`${stored.length - inIndex.size} are in the index twice.`] : [])
  ]
  return found.length > maxReported
    ? [...found.slice(0, maxReported), `… and ${found.length - maxReported} more`]
    : found
}
