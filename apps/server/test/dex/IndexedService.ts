import { Devnet } from "@chaintape/sandbox"
import { NodeServices } from "@effect/platform-node"
import { assert } from "@effect/vitest"
import { Data, Effect, FileSystem, Layer, Schedule, Schema } from "effect"
import type { SqlClient } from "effect/sql"
import { Deployments } from "../../src/dex/Deployments.ts"
import type { ConfigFile } from "../../src/program/Config.ts"
import * as Dexes from "../../src/program/Dexes.ts"
import { SourceHealth } from "../../src/sources/SourceHealth.ts"
import { embeddedIn } from "../OwnDatabase.ts"
import { aloneOnStore } from "../ownership/TestOwnership.ts"
import { keyed, plain, RunningService } from "../RunningService.ts"

/** The address of the index of a devnet. */
export const base = "/v2/dex/uniswap-v3/devnet"

/** A configuration that indexes a devnet through these nodes. */
export const configOf = (
  { config }: Pick<Devnet["Service"], "config">,
  rpc: readonly [string, ...Array<string>],
  finality = 16
): ConfigFile => ({
  blockchains: [{ id: "devnet", name: "Devnet", rpc, finality }],
  dexes: [{ ...config, id: "uniswap-v3", name: "Uniswap V3", blockchain: "devnet", source: "index" }]
})

/** A service that builds the index of its configuration in this store. */
export const indexedServiceOn = (
  config: ConfigFile,
  store: Layer.Layer<SqlClient.SqlClient, unknown>,
  isUncached = false
): Layer.Layer<RunningService, unknown> =>
  RunningService.layer({
    config,
    isUncached,
    overrides: Deployments.layer(Dexes.toDeployments(config)).pipe(
      Layer.provide(SourceHealth.layer([])),
      Layer.provideMerge(Dexes.layer(config)),
      Layer.provide(aloneOnStore),
      Layer.provide(store)
    )
  })

/** A service that builds the index of its configuration in an embedded store. */
export const indexedService = (config: ConfigFile, dataDir: string): Layer.Layer<RunningService, unknown> =>
  indexedServiceOn(config, embeddedIn(dataDir))

/** A service over the index of a devnet, which has the devnet's blocks from the beginning. */
const devnetService = Layer.unwrap(
  Effect.gen(function* () {
    const devnet = yield* Devnet
    const files = yield* FileSystem.FileSystem
    const dataDir = yield* files.makeTempDirectoryScoped()
    return indexedService(configOf(devnet, [devnet.rpc]), `${dataDir}/database`)
  })
)

/** The newest block of `overDevnet`. */
export const devnetHead = 45

/** A service over a devnet without new blocks, indexed to its head. */
export const overDevnet = Layer.effectDiscard(Effect.suspend(() => untilIndexed(devnetHead))).pipe(
  Layer.provideMerge(devnetService),
  Layer.provideMerge(Devnet.layer({ mode: "manual", seed: "still", prefill: 40, genesisTimestamp: 1_700_000_000 })),
  Layer.provide(NodeServices.layer)
)

const Status = Schema.fromJsonString(
  Schema.Struct({
    indexes: Schema.Array(
      Schema.Struct({
        state: Schema.String,
        head: Schema.NullOr(Schema.Int),
        indexed: Schema.NullOr(Schema.Int),
        lag: Schema.NullOr(Schema.Int),
        proven: Schema.NullOr(Schema.Int),
        reorgs: Schema.Int,
        lastError: Schema.NullOr(Schema.String)
      })
    )
  })
)
export type IndexStatus = (typeof Status.Type)["indexes"][number]

/** The status of the only index. */
export const indexStatus = plain("/status").pipe(
  Effect.flatMap(({ body }) => Schema.decodeUnknownEffect(Status)(body)),
  Effect.map(({ indexes: [one] }): IndexStatus => {
    if (one === undefined) throw new Error("there is no index")
    return one
  })
)

class NotAsWanted extends Data.TaggedError("NotAsWanted")<{ readonly message: string }> {}

/** Polls the status until a condition holds. The timeout distinguishes a hang from a slow machine. */
export const untilStatus = (isWanted: (status: IndexStatus) => boolean) =>
  indexStatus.pipe(
    Effect.filterOrFail(isWanted, (status) => new NotAsWanted({ message: JSON.stringify(status) })),
    Effect.retry(Schedule.spaced("30 millis").pipe(Schedule.upTo({ duration: "2 minutes" })))
  )

/** Until the block is indexed and proven. */
export const untilIndexed = (block: number) =>
  untilStatus(
    ({ indexed, lastError, proven }) => (indexed ?? -1) >= block && (proven ?? -1) >= block && lastError === null
  )

const Body = Schema.fromJsonString(Schema.Unknown)

/** The body of a successful response. */
export const answer = Effect.fnUntraced(function* (path: string) {
  const { body, status } = yield* keyed({ path, patienceMs: 60_000 })
  if (status !== 200) return yield* Effect.die(new Error(`${path}: ${status} ${body.slice(0, 300)}`))
  return yield* Schema.decodeUnknownEffect(Body)(body)
})

export const Rows = Schema.Array(Schema.Record(Schema.String, Schema.Unknown))
export type Row = (typeof Rows.Type)[number]

export const toRows = (path: string) => Effect.flatMap(answer(path), Schema.decodeUnknownEffect(Rows))

const Trades = Schema.Record(Schema.String, Schema.Unknown)
const max = 1000

/** All responses of a service about these blocks. */
export const everything = Effect.fnUntraced(function* (blocks: ReadonlyArray<number>) {
  const answers = new Map<string, unknown>()
  const read = (path: string) => Effect.map(answer(path), (body) => void answers.set(path, body))
  for (const block of blocks) {
    yield* read(`${base}?block=${block}`)
    yield* read(`${base}/tokens?limit=${max}&block=${block}`)
    const pools = `${base}/pools?limit=${max}&block=${block}`
    yield* read(pools)
    for (const row of yield* toRows(pools)) {
      const path = `${base}/pool/${String(row["id"])}/trades?limit=${max}&block=${block}`
      const trades = yield* Effect.flatMap(answer(path), Schema.decodeUnknownEffect(Trades))
      for (const [kind, rows] of Object.entries(trades)) {
        if (Array.isArray(rows)) assert.isBelow(rows.length, max, `${kind} of ${path}`)
      }
      answers.set(path, trades)
      yield* read(`${base}/pool/${String(row["id"])}/ticks?block=${block}`)
      yield* read(`${base}/pool/${String(row["id"])}/aggregates/1m?limit=${max}&block=${block}`)
    }
  }
  return answers
})
