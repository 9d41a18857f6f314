import { Devnet } from "@chaintape/sandbox"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, FileSystem, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { startFaultyNode } from "../dex/FaultyNode.ts"
import type { FaultyNode, RpcReply } from "../dex/FaultyNode.ts"
import { configOf, indexedServiceOn, untilIndexed } from "../dex/IndexedService.ts"
import { embeddedIn } from "../OwnDatabase.ts"
import { key, RunningService } from "../RunningService.ts"
import { chaintape } from "./CommandRun.ts"
import type { Ended } from "./CommandRun.ts"

const finality = 8
const head = 45
const last = head - finality

const temporary = Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped())

/** A service over an index of a devnet, with the index's tables. */
class World extends Context.Service<
  World,
  {
    readonly devnet: Devnet["Service"]
    readonly sql: SqlClient.SqlClient
    /** Verifies the deployment, with the nodes of the configuration unless others are named. */
    readonly verify: (words: string, directory: string, isEphemeral?: boolean) => Effect.Effect<Ended>
  }
>()("@chaintape/server/test/cli/Verify/World") {
  static readonly layer = Layer.effect(
    World,
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const devnet = yield* Devnet
      const config = configOf(devnet, [devnet.rpc], finality)
      const store = embeddedIn(`${yield* temporary}/database`)
      const built = yield* Layer.build(Layer.merge(indexedServiceOn(config, store, true), store))
      yield* Effect.provideContext(untilIndexed(head), built)
      const { origin } = Context.get(built, RunningService)
      const configs = yield* temporary
      const blockchains = config.blockchains?.map((chain) => ({ ...chain, ephemeral: true }))
      yield* files.writeFileString(`${configs}/lasting.json`, JSON.stringify(config))
      yield* files.writeFileString(`${configs}/ephemeral.json`, JSON.stringify({ ...config, blockchains }))
      return World.of({
        devnet,
        sql: Context.get(built, SqlClient.SqlClient),
        verify: (words, directory, isEphemeral = false) =>
          chaintape(
            ["verify", "uniswap-v3", "devnet", ...`--url ${origin} --key ${key}`.split(" ")]
              .concat(["--config", `${configs}/${isEphemeral ? "ephemeral" : "lasting"}.json`, "--dir", directory])
              .concat(words === "" ? [] : words.split(" ")),
            { cwd: configs }
          )
      })
    })
  ).pipe(
    Layer.provide(Devnet.layer({ mode: "manual", seed: "still", prefill: 40, genesisTimestamp: 1_700_000_000 })),
    Layer.provideMerge(NodeServices.layer)
  )
}

const Version = Schema.Struct({ id: Schema.String, from: Schema.Int })
const decodeVersions = Schema.decodeUnknownEffect(Schema.NonEmptyArray(Version))

/** Changes a row by hand, verifies, and takes the change back. */
const withChanged = Effect.fnUntraced(function* (change: string, back: string, verified: Effect.Effect<Ended>) {
  const { sql } = yield* World
  yield* sql.unsafe(change)
  const ended = yield* verified
  yield* sql.unsafe(back)
  return ended
})

const transaction = "transaction 0x[0-9a-f]{64}, log \\d+"

const assertDifferent = ({ code, stderr, stdout }: Ended, says: RegExp) => {
  assert.match(stdout, says, stderr)
  assert.strictEqual(code, 4, stderr)
}

/** The newest version of a row that was valid at the last verified block, or one that was replaced before it. */
const readVersion = Effect.fnUntraced(function* (table: string, isReplaced = false) {
  const { sql } = yield* World
  const rows = yield* sql.unsafe(
    `select id, valid_from as "from" from ${table} as t where valid_from <= ${last} and ${isReplaced ? "" : "not"} exists
        (select from ${table} where id = t.id and valid_from > t.valid_from and valid_from <= ${last})
      order by valid_from desc, id limit 1`
  )
  const [version] = yield* decodeVersions(rows)
  return version
})

/** Alters the data of the first log in receipts. */
const flipBit = (reply: RpcReply): RpcReply => {
  const text = JSON.stringify(reply.result ?? null)
  const flipped = text.replace(/("data":"0x[0-9a-f]{20,})([0-9a-f])"/, (_, data: string, digit: string) => {
    const bit = (Number.parseInt(digit, 16) ^ 1).toString(16)
    return `${data}${bit}"`
  })
  return { ...reply, result: JSON.parse(flipped) }
}

const flipping: FaultyNode["fault"] = () => ({
  answer: (call, reply) => (call.method === "eth_getBlockReceipts" ? flipBit(reply) : reply)
})

layer(World.layer, { excludeTestServices: true, timeout: 60_000 })("chaintape verify", (it) => {
  it.effect("prints one line of proof where every answer follows from the receipts", () =>
    Effect.gen(function* () {
      const { devnet, verify } = yield* World
      const directory = yield* temporary
      const ended = yield* verify("", directory)
      assert.strictEqual(ended.code, 0, ended.stderr)
      assert.match(
        ended.stdout,
        new RegExp(
          `^Verified: uniswap-v3 on devnet as of block ${last}: \\d+ tokens, \\d+ pools, \\d+ trades at http\\S+ follow from ` +
            `${last - devnet.config.startBlock + 1} blocks, \\d+ receipts, [\\d,]+ logs; last header 0x[0-9a-f]{64} of block ${last}\\.\n$`
        )
      )
      assert.notInclude(ended.stdout + ended.stderr, key)
      // Nothing is read twice.
      const again = yield* verify("", directory)
      assert.strictEqual(again.stdout, ended.stdout)
      assert.include(again.stderr, `Continuing after block ${last}, `)
      const earlier = yield* verify(`--block 20 --every 1`, directory)
      assert.strictEqual(earlier.code, 0, earlier.stderr + earlier.stdout)
    })
  )

  it.effect("verifies one pool alone, from the block that created it", () =>
    Effect.gen(function* () {
      const { verify } = yield* World
      const pool = yield* readVersion("dex_pool")
      const words = `--pool ${pool.id}`
      const ended = yield* verify(words, yield* temporary)
      assert.strictEqual(ended.code, 0, ended.stderr + ended.stdout)
      assert.match(ended.stdout, new RegExp(`^Verified: pool ${pool.id} of uniswap-v3 .*: \\d+ trades at`))
      const where = `where id = '${pool.id}' and valid_from = ${pool.from}`
      const changed = yield* withChanged(
        `update dex_pool set volume_token0 = volume_token0 + 1 ${where}`,
        `update dex_pool set volume_token0 = volume_token0 - 1 ${where}`,
        verify(words, yield* temporary)
      )
      assertDifferent(changed, new RegExp(`block ${pool.from}, ${transaction}: volumeToken0 of pool ${pool.id} is`))
    })
  )

  it.effect("finds a row that was changed by hand, with its block", () =>
    Effect.gen(function* () {
      const { verify } = yield* World
      const directory = yield* temporary
      const changes = [
        ["dex_totals", "total_volume_usd", "totalVolumeUSD of the totals"],
        ["dex_token", "derived_eth", "derivedETH of token"],
        ["dex_pool", "liquidity", "liquidity of pool"]
      ] as const
      for (const [table, column, name] of changes) {
        const { from, id } = yield* readVersion(table)
        const set = (sign: string) =>
          `update ${table} set ${column} = ${column} ${sign} 1 where id = '${id}' and valid_from = ${from}`
        const ended = yield* withChanged(set("+"), set("-"), verify("", directory))
        assertDifferent(
          ended,
          new RegExp(`^Different: uniswap-v3 on devnet, block ${from}, ${transaction}: ${name}.* on the service, and`)
        )
      }
      // It was right again later.
      const { from, id } = yield* readVersion("dex_pool", true)
      const set = (sign: string) =>
        `update dex_pool set tx_count = tx_count ${sign} 1 where id = '${id}' and valid_from = ${from}`
      const ended = yield* withChanged(set("+"), set("-"), verify("--every 1", directory))
      assertDifferent(ended, new RegExp(`block ${from}, ${transaction}: txCount of pool ${id} is`))
    })
  )

  it.effect("finds a trade that was changed or removed, with its log", () =>
    Effect.gen(function* () {
      const { sql, verify } = yield* World
      const directory = yield* temporary
      const where = `where block_number = 30 and kind = 'swap'`
      const changed = yield* withChanged(
        `update dex_trade set amount0 = amount0 + 1 ${where}`,
        `update dex_trade set amount0 = amount0 - 1 ${where}`,
        verify("", directory)
      )
      assertDifferent(changed, new RegExp(`block 30, ${transaction}: amount0 of trade 0x\\S+ is \\S+ on the service`))
      yield* sql`create temporary table removed as select * from dex_trade where block_number = 30`
      const removed = yield* withChanged(
        "delete from dex_trade where block_number = 30",
        "insert into dex_trade select * from removed",
        verify("", directory)
      )
      assertDifferent(removed, new RegExp(`block 30, ${transaction}: the service lacks trade 0x`))
    })
  )

  it.effect("names the block of a receipt with one flipped bit, and takes the receipts of another node", () =>
    Effect.gen(function* () {
      const { devnet, verify } = yield* World
      const liar = yield* startFaultyNode(devnet.rpc)
      liar.fault = flipping
      const refused = yield* verify(`--rpc ${liar.url}`, yield* temporary)
      assert.match(refused.stderr, /receipts of block \d+ that do not hash to the receipts root of its header/)
      assert.strictEqual(refused.code, 1)
      assert.strictEqual(refused.stdout, "")
      const both = yield* verify(`--rpc ${liar.url} --rpc ${devnet.rpc}`, yield* temporary)
      assert.strictEqual(both.code, 0, both.stderr)
      assert.isAbove(liar.faults, 0)
    })
  )

  it.effect("continues after a failure, with the same proof", () =>
    Effect.gen(function* () {
      const { devnet, verify } = yield* World
      const whole = yield* verify("", yield* temporary)
      const directory = yield* temporary
      const first = yield* verify("--block 20", directory)
      assert.strictEqual(first.code, 0, first.stderr)
      const gone = yield* startFaultyNode(devnet.rpc)
      gone.fault = flipping
      const failed = yield* verify(`--rpc ${gone.url}`, directory)
      assert.strictEqual(failed.code, 1)
      assert.include(failed.stderr, "The same command continues after the blocks that are verified so far.")
      const ended = yield* verify("", directory)
      assert.include(ended.stderr, "Continuing after block 20, ")
      assert.strictEqual(ended.stdout, whole.stdout)
      yield* (yield* FileSystem.FileSystem).remove(`${directory}/verification.json`)
      const without = yield* verify("", directory)
      assert.strictEqual(without.code, 1)
      assert.match(without.stderr, /has block \d+, of which "verification.json" has no evidence\. Give another --dir/)
    })
  )

  it.effect("says that its directory cannot be made", () =>
    Effect.gen(function* () {
      const { verify } = yield* World
      const directory = yield* temporary
      const below = `${directory}/file/below`
      yield* (yield* FileSystem.FileSystem).writeFileString(`${directory}/file`, "")
      const failed = yield* verify("", below)
      assert.strictEqual(failed.code, 1)
      assert.strictEqual(
        failed.stderr,
        `The directory "${below}" cannot be made: ENOTDIR: not a directory, mkdir '${below}'. Give another --dir.\n`
      )
    })
  )

  it.effect("starts again where an ephemeral chain did, and refuses another chain otherwise", () =>
    Effect.gen(function* () {
      const { verify } = yield* World
      const files = yield* FileSystem.FileSystem
      for (const isEphemeral of [true, false]) {
        const directory = yield* temporary
        const first = yield* verify("", directory, isEphemeral)
        // The evidence of a chain with another block of this number.
        const evidence = `${directory}/verification.json`
        const text = yield* files.readFileString(evidence)
        yield* files.writeFileString(evidence, text.replaceAll(/"hash":"0x./g, '"hash":"0x_'))
        yield* files.writeFileString(`${directory}/notes.txt`, "mine")
        const again = yield* verify("", directory, isEphemeral)
        assert.strictEqual(yield* files.readFileString(`${directory}/notes.txt`), "mine")
        if (isEphemeral) {
          assert.strictEqual(again.stdout, first.stdout, again.stderr)
          assert.notInclude(again.stderr, "Continuing after")
        } else {
          assert.strictEqual(again.code, 1)
          assert.match(
            again.stderr,
            /The nodes have another block \d+ than when .* was begun\. Remove .* to start again\./
          )
        }
      }
    })
  )
})
