import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, Schedule, Schema } from "effect"
import { FetchHttpClient } from "effect/http"
import type { ConfigFile } from "../../src/Config.ts"
import { Deployments } from "../../src/dex/Deployments.ts"
import * as Dexes from "../../src/Dexes.ts"
import { SourceHealth } from "../../src/sources/SourceHealth.ts"
import * as Database from "../../src/store/Database.ts"
import { aloneOnStore } from "../ownership/TestOwnership.ts"
import { keyed, plain, RunningService } from "../RunningService.ts"
import { readExpected, readScenario, replay } from "./index/ScenarioChain.ts"
import type { ExpectedLine } from "./index/ScenarioChain.ts"

type Fields = ExpectedLine["fields"]

const Rows = Schema.fromJsonString(Schema.Array(Schema.Record(Schema.String, Schema.Unknown)))
const Trades = Schema.fromJsonString(
  Schema.Struct({
    burns: Schema.Array(Schema.Record(Schema.String, Schema.Unknown)),
    mints: Schema.Array(Schema.Record(Schema.String, Schema.Unknown)),
    swaps: Schema.Array(Schema.Record(Schema.String, Schema.Unknown))
  })
)
const Status = Schema.fromJsonString(
  Schema.Struct({ indexes: Schema.Array(Schema.Struct({ lag: Schema.NullOr(Schema.Int) })) })
)

const base = "/v2/dex/uniswap-v3/recorded"

const readRows = Effect.fnUntraced(function* (path: string) {
  const { body, status } = yield* keyed(path)
  assert.strictEqual(status, 200, body)
  return yield* Schema.decodeUnknownEffect(Rows)(body)
})

const byId = (rows: ReadonlyArray<Fields>) => [...rows].toSorted((a, b) => (String(a["id"]) < String(b["id"]) ? -1 : 1))

/** The token inside a pool is that of the list without one field. */
const asNested = ({ totalValueLockedUSDUntracked: _, ...token }: Fields) => token

/** What the lines up to a block say: for each entity its last line. */
const stateAt = (lines: ReadonlyArray<ExpectedLine>, block: number) => {
  const last = new Map<string, ExpectedLine>()
  for (const line of lines) if (line.block <= block) last.set(`${line.type} ${line.id}`, line)
  const of = (type: ExpectedLine["type"]) => [...last.values()].filter((line) => line.type === type)
  const tokens = new Map(of("token").map(({ fields, id }) => [id, fields]))
  const nestedToken = (id: unknown) => asNested(tokens.get(String(id)) ?? {})
  return {
    deployments: of("factory").map(({ fields }) => fields),
    tokens: byId([...tokens.values()]),
    pools: byId(
      of("pool").map(({ fields }) => ({
        ...fields,
        tick: fields["tick"] ?? "",
        token0: nestedToken(fields["token0"]),
        token1: nestedToken(fields["token1"])
      }))
    )
  }
}

const newestFirst = (lines: ReadonlyArray<ExpectedLine>) =>
  lines
    .toSorted((a, b) => b.block - a.block || Number(b.id.split("#")[1]) - Number(a.id.split("#")[1]))
    .map(({ fields }) => fields)

const compareTrades = Effect.fnUntraced(function* (lines: ReadonlyArray<ExpectedLine>, block: number) {
  const records = lines.filter((line) => line.pool !== undefined && line.block <= block)
  for (const pool of new Set(records.map((line) => line.pool))) {
    const { body } = yield* keyed(`${base}/pool/${pool}/trades?block=${block}&limit=1000`)
    const { burns, mints, swaps } = yield* Schema.decodeUnknownEffect(Trades)(body)
    const ofKind = (kind: string) => newestFirst(records.filter((line) => line.pool === pool && line.type === kind))
    assert.deepStrictEqual(burns, ofKind("burn"), `burns of ${pool} at ${block}`)
    assert.deepStrictEqual(mints, ofKind("mint"), `mints of ${pool} at ${block}`)
    assert.deepStrictEqual(swaps, ofKind("swap"), `swaps of ${pool} at ${block}`)
  }
})

const compareAll = Effect.fnUntraced(function* (lines: ReadonlyArray<ExpectedLine>, first: number, head: number) {
  for (let block = first; block <= head; block++) {
    const expected = stateAt(lines, block)
    const at = `?block=${block}`
    assert.deepStrictEqual(yield* readRows(`${base}${at}`), expected.deployments, `totals at ${block}`)
    assert.deepStrictEqual(
      byId(yield* readRows(`${base}/tokens${at}&limit=1000`)),
      expected.tokens,
      `tokens at ${block}`
    )
    assert.deepStrictEqual(byId(yield* readRows(`${base}/pools${at}&limit=1000`)), expected.pools, `pools at ${block}`)
    if (block % 16 === 0 || block === head) yield* compareTrades(lines, block)
  }
})

const indexed = plain("/status").pipe(
  Effect.flatMap(({ body }) => Schema.decodeUnknownEffect(Status)(body)),
  Effect.filterOrFail(
    ({ indexes }) => indexes.every(({ lag }) => lag === 0),
    () => "behind"
  ),
  Effect.retry(Schedule.spaced("50 millis").pipe(Schedule.upTo({ duration: "2 minutes" })))
)

const service = (config: ConfigFile, dataDir: string) => {
  const dexes = Dexes.layer(config).pipe(
    Layer.provide(aloneOnStore),
    Layer.provide(Database.layer({ url: undefined, dataDir }))
  )
  const deployments = Deployments.layer(Dexes.deploymentsOf(config)).pipe(
    Layer.provide(SourceHealth.layer([])),
    Layer.provideMerge(dexes)
  )
  return RunningService.layer({ config, overrides: deployments })
}

const scenarios = [
  ["basic", "basic.expected.jsonl"],
  ["market", "market.expected.jsonl.gz"]
] as const

describe("the recorded chains over HTTP, from the embedded store", () => {
  for (const [name, file] of scenarios) {
    it.live(
      `answer every value of "${name}" as of every block`,
      () =>
        Effect.gen(function* () {
          const files = yield* FileSystem.FileSystem
          const scenario = yield* readScenario(name)
          const lines = yield* readExpected(file)
          const rpc = yield* replay(scenario)
          const dataDir = yield* files.makeTempDirectoryScoped()
          const config: ConfigFile = {
            blockchains: [{ id: "recorded", name: "Recorded", rpc: [rpc], finality: 16 }],
            dexes: [
              {
                ...scenario.config,
                id: "uniswap-v3",
                name: "Uniswap V3",
                blockchain: "recorded",
                source: "index"
              }
            ]
          }
          yield* Effect.gen(function* () {
            yield* indexed
            yield* compareAll(lines, scenario.config.startBlock, scenario.headNumber)
          }).pipe(Effect.provide(service(config, `${dataDir}/database`)))
        }).pipe(Effect.scoped, Effect.provide([NodeServices.layer, FetchHttpClient.layer])),
      300_000
    )
  }
})
