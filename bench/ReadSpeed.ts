/** The top 100 of pools and of tokens as of a block, by each sort field. */
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { DexSource, poolFields, tokenFields } from "../apps/server/src/dex/DexSource.ts"
import type { DexView } from "../apps/server/src/dex/DexSource.ts"
import type { IndexedBlock } from "../apps/server/src/dex/index/IndexedBlock.ts"
import * as SqlDexView from "../apps/server/src/dex/index/read/SqlDexView.ts"
import { EntityStore } from "../apps/server/src/dex/index/store/EntityStore.ts"
import * as SqlEntityStore from "../apps/server/src/dex/index/store/SqlEntityStore.ts"
import { Lease, take } from "../apps/server/src/ownership/Lease.ts"
import * as Database from "../apps/server/src/store/Database.ts"
import { median, percentile } from "./Measure.ts"
import { syntheticBlocks } from "./reading/SyntheticPools.ts"

const key = "uniswap-v3/devnet"
const size = { pools: 4000, tokens: 3000, versions: 100_000, poolsPerBlock: 40 }
const blocksPerWrite = 50
const rounds = 21

const lease = Layer.effect(
  Lease,
  Effect.flatMap(SqlClient.SqlClient, (sql) => take(sql, "bench", "bench"))
)

const storeIn = (dataDir: string) =>
  Layer.mergeAll(SqlEntityStore.layer, SqlDexView.layer, lease).pipe(
    Layer.provide(Database.layer({ url: undefined, dataDir }))
  )

/** Writes the blocks as an indexer does, and returns their number and the number of token versions. */
const fill = Effect.gen(function* () {
  const store = yield* EntityStore
  let waiting: Array<IndexedBlock> = []
  let head = 0
  let tokens = 0
  for (const block of syntheticBlocks(size)) {
    waiting.push(block)
    head = block.number
    tokens += block.tokens.length
    if (waiting.length < blocksPerWrite) continue
    yield* store.append(key, waiting, head)
    waiting = []
  }
  if (waiting.length > 0) yield* store.append(key, waiting, head)
  return { head, tokens }
})

const page = { limit: 100, skip: 0, id: Option.none<string>() }

/** Reads as one request does: a view of the block, and the page. */
const read = (block: number, run: (view: DexView) => Effect.Effect<ReadonlyArray<unknown>, unknown>) =>
  Effect.gen(function* () {
    const source = yield* DexSource
    const rows = yield* Effect.flatMap(source.view(key, Option.some(block)), run)
    if (rows.length !== page.limit) return yield* Effect.die(`The page has ${rows.length} rows.`)
  })

const timed = Effect.fnUntraced(function* <E, R>(work: Effect.Effect<unknown, E, R>) {
  const start = performance.now()
  yield* work
  return performance.now() - start
})

const descending = <Field extends string>(field: Field) => Option.some({ field, direction: "desc" as const })

const poolReads = [...poolFields, "token0" as const, "token1" as const].map((field) => ({
  name: `pools by ${field}`,
  run: (view: DexView) => view.pools({ ...page, order: descending(field) })
}))
const none = { symbol: Option.none<string>(), name: Option.none<string>() }
const tokenReads = tokenFields.map((field) => ({
  name: `tokens by ${field}`,
  run: (view: DexView) => view.tokens({ ...page, ...none, order: descending(field) })
}))

const row = (name: string, places: ReadonlyArray<ReadonlyArray<number>>) =>
  [
    `  ${name.padEnd(38)}`,
    ...places.map((times) => median(times).toFixed(1).padStart(8)),
    percentile(places.flat(), 0.99).toFixed(1).padStart(8)
  ].join(" ")

/** All reads in turn, so that a drift of the machine's speed affects all of them. */
const measure = Effect.fnUntraced(function* (head: number) {
  const blocks = [0.15, 0.5, 0.9].map((part) => Math.floor(head * part))
  const reads = [...poolReads, ...tokenReads].map((one) => ({ ...one, places: blocks.map((): Array<number> => []) }))
  for (let round = -2; round < rounds; round++) {
    for (const { places, run } of reads) {
      for (const [at, block] of blocks.entries()) {
        const ms = yield* timed(read(block + round * 5, run))
        if (round >= 0) places[at]?.push(ms)
      }
    }
  }
  console.log(`  ${"".padEnd(38)} ${["early", "middle", "late", "p99"].map((name) => name.padStart(8)).join(" ")}`)
  for (const { name, places } of reads) console.log(row(name, places))
  const medians = reads.flatMap(({ places }) => places.map(median))
  console.log(`  ${medians.filter((ms) => ms < 10).length} of ${medians.length} medians are below 10 ms`)
})

/** Reads with an open store and cold caches. */
const measureFirst = (block: number) =>
  Effect.gen(function* () {
    const [pools] = poolReads
    if (pools === undefined) return
    yield* DexSource
    const ms = yield* timed(read(block, (view) => view.pools({ ...page, order: Option.none() })))
    console.log(`  first read after opening               ${ms.toFixed(1).padStart(8)}`)
  })

export const readSpeed = async (): Promise<void> => {
  console.log(
    `\nTop 100 as of a block, among ${size.versions} versions of ${size.pools} pools\n` +
      "  Embedded database; view and page, with both tokens of each pool. Medians in ms; HTTP is not measured."
  )
  const folder = mkdtempSync(join(tmpdir(), "chaintape-bench-"))
  try {
    const run = <E>(work: Effect.Effect<number | void, E, DexSource | EntityStore | Lease>) =>
      Effect.runPromise(Effect.scoped(Effect.provide(work, storeIn(join(folder, "pg")))))
    let head = 0
    await run(
      Effect.map(fill, (filled) => {
        head = filled.head
        console.log(`  ${filled.head} blocks, ${filled.tokens} versions of ${size.tokens} tokens`)
      })
    )
    await run(Effect.andThen(measureFirst(Math.floor(head * 0.4)), measure(head)))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
