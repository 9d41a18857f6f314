import { cpSync } from "node:fs"
import { Devnet } from "@chaintape/sandbox"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Context, Effect, FileSystem, Layer, Schema, Scope } from "effect"
import type { Path } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { SqlClient } from "effect/sql"
import * as Database from "../../../src/store/Database.ts"
import { answer, base, configOf, indexedService, Rows, toRows, untilIndexed } from "../../dex/IndexedService.ts"
import type { Row } from "../../dex/IndexedService.ts"
import { chaintape } from "../CommandRun.ts"

const head = 45
/** Eight blocks a day, of which the newest are not final. */
const blockTime = 10_800
const finality = 8

const Trades = Schema.Struct({ pool: Schema.String, swaps: Rows, mints: Rows, burns: Rows })
const decodeTrades = Schema.decodeUnknownEffect(Trades)

/** A trade of an answer, with its kind and its pool. */
export interface AnsweredTrade {
  readonly kind: string
  readonly pool: string
  readonly row: Row
}

/** The trades of every pool, and the blocks, as the service answers them. */
const readAnswers = Effect.gen(function* () {
  const trades: Array<AnsweredTrade> = []
  for (const { id } of yield* toRows(`${base}/pools?limit=1000&block=${head}`)) {
    const path = `${base}/pool/${String(id)}/trades?limit=1000&block=${head}`
    const { burns, mints, pool, swaps } = yield* Effect.flatMap(answer(path), decodeTrades)
    for (const [kind, rows] of [["swap", swaps] as const, ["mint", mints] as const, ["burn", burns] as const])
      trades.push(...rows.map((row) => ({ kind, pool, row })))
  }
  return { trades, blocks: yield* toRows("/v2/blocks/devnet?limit=100") }
})

const temporary = Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped())

const Block = Schema.fromJsonString(Schema.Struct({ result: Schema.Struct({ hash: Schema.String }) }))

/** The hashes of the blocks as the node states them. */
const readHashes = Effect.fnUntraced(function* (rpc: string) {
  const hashes = new Map<number, string>()
  for (let number = 0; number <= head; number++) {
    const params = [`0x${number.toString(16)}`, false]
    const request = HttpClientRequest.post(rpc).pipe(
      HttpClientRequest.bodyJsonUnsafe({ jsonrpc: "2.0", id: 1, method: "eth_getBlockByNumber", params })
    )
    const text = yield* Effect.flatMap(HttpClient.execute(request), (response) => response.text)
    hashes.set(number, (yield* Schema.decodeUnknownEffect(Block)(text)).result.hash)
  }
  return hashes
}, Effect.provide(FetchHttpClient.layer))

/** The store of a service that has indexed a devnet for some days, and what the service answered. */
export class IndexWorld extends Context.Service<
  IndexWorld,
  {
    /** A copy of the data directory. */
    readonly copy: Effect.Effect<IndexFolder>
    readonly trades: ReadonlyArray<AnsweredTrade>
    /** Those of `/v2/blocks/devnet`. */
    readonly blocks: ReadonlyArray<Row>
    /** By number, as the node states them. */
    readonly hashes: ReadonlyMap<number, string>
  }
>()("@chaintape/server/test/cli/archive/IndexWorld") {
  static readonly layer = Layer.effect(
    IndexWorld,
    Effect.gen(function* () {
      const scope = yield* Effect.scope
      const devnet = yield* Devnet
      const dataDir = yield* temporary
      const service = indexedService(configOf(devnet, [devnet.rpc], finality), `${dataDir}/database`)
      const answers = yield* Effect.andThen(untilIndexed(head), readAnswers).pipe(
        Effect.provide(service),
        Effect.scoped
      )
      const hashes = yield* readHashes(devnet.rpc)
      const files = yield* FileSystem.FileSystem
      const copy = Effect.gen(function* () {
        const cwd = yield* files.makeTempDirectoryScoped()
        cpSync(`${dataDir}/database`, `${cwd}/data/database`, { recursive: true })
        return toFolder(cwd)
      })
      return IndexWorld.of({ ...answers, hashes, copy: Effect.orDie(Effect.provideService(copy, Scope.Scope, scope)) })
    })
  ).pipe(
    Layer.provide(
      Devnet.layer({ mode: "manual", seed: "still", prefill: 40, blockTime, genesisTimestamp: 1_700_000_000 })
    ),
    Layer.provideMerge(NodeServices.layer)
  )
}

const toFolder = (cwd: string) => {
  const surroundings = { cwd, environment: { CHAINTAPE_DATA_DIR: `${cwd}/data` } }
  const database = Database.layer({ url: undefined, dataDir: `${cwd}/data/database` })
  return {
    cwd,
    run: (words: string) => chaintape(words.split(" "), surroundings),
    /** Runs on the store: faster than commands, each of which opens it. */
    inStore: <A, E>(use: Effect.Effect<A, E, SqlClient.SqlClient | FileSystem.FileSystem | Path.Path>) =>
      use.pipe(Effect.provide([database, NodeServices.layer]), Effect.scoped)
  }
}

export type IndexFolder = ReturnType<typeof toFolder>

/** Changes the store by hand. */
export const change = (statement: string) => Effect.flatMap(SqlClient.SqlClient, (sql) => sql.unsafe(statement))
