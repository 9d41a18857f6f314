import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { verifyDirectory } from "../../../src/cli/archive/VerifyDirectory.ts"
import { findClosedDays, findExtent } from "../../../src/dex/index/archive/ClosedDays.ts"
import { writers } from "../../../src/dex/index/archive/WriteIndexArchive.ts"
import type { Row } from "../../dex/IndexedService.ts"
import { mayMount, smallDisk } from "../../faults/world/SmallDisk.ts"
import { Workshop } from "../../faults/world/Workshop.ts"
import { duckQuery as query } from "../DuckQuery.ts"
import { change, IndexWorld } from "./IndexWorld.ts"
import type { AnsweredTrade } from "./IndexWorld.ts"

const write = (command: "write-dex" | "write-blocks", ...flags: ReadonlyArray<string>) =>
  ["archive", command, "uniswap-v3", "devnet", "--out", "archive", ...flags].join(" ")

const deployment = { exchange: "uniswap-v3", blockchain: "devnet" }
const noProgress = () => Effect.void

const writeDays = (directory: string, isProofRequired: boolean) =>
  writers.trades({ ...deployment, directory, isProofRequired }, noProgress)

/** The last block of the last closed day: the first one of the next day is final. */
const lastBlock = 32
const lastTime = Date.UTC(2023, 10, 19) / 1000

const isClosed = (timestamp: unknown) => Number(timestamp) < lastTime

const orNull = (row: Row, field: string): unknown => row[field] ?? null

/** The values of an answered trade in the order of the columns. */
const toValues = ({ kind, pool, row }: AnsweredTrade) => {
  const sides = ["token0", "token1"].map((side) => Object(Object(row["pool"])[side])["id"] as unknown)
  const fields = "transactionId origin".split(" ").map((field) => row[field])
  const optional = "sender recipient owner".split(" ").map((field) => orNull(row, field))
  const amounts = "amount0 amount1 amountUSD".split(" ").map((field) => row[field])
  const last = "amount sqrtPriceX96".split(" ").map((field) => orNull(row, field))
  const time = String(Number(row["timestamp"]) * 1000)
  return [row["id"], kind, row["logIndex"], time, pool, ...sides, ...fields, ...optional, ...amounts, ...last]
}

const byId = (one: ReadonlyArray<unknown>, other: ReadonlyArray<unknown>) =>
  String(one[0]) < String(other[0]) ? -1 : 1

const flip = (bytes: Buffer, at: number): Buffer => {
  const flipped = Buffer.from(bytes)
  flipped[at] = (flipped[at] ?? 0) ^ (1 << (at % 8))
  return flipped
}

const columns = `id, kind, log_index::varchar, epoch_ms("timestamp")::varchar, pool, token0, token1, transaction_id, origin, sender,
  recipient, owner, amount0, amount1, amount_usd, amount, sqrt_price_x96`

layer(IndexWorld.layer, { timeout: "3 minutes", excludeTestServices: true })("an archive of an index", (it) => {
  it.effect("holds the trades of the closed days as the service answers them", () =>
    Effect.gen(function* () {
      const world = yield* IndexWorld
      const { cwd, run } = yield* world.copy
      const written = yield* run(write("write-dex"))
      assert.strictEqual(written.code, 0, written.stderr)
      const expected = world.trades.filter(({ row }) => isClosed(row["timestamp"])).map(toValues)
      assert.include(written.stdout, `4 of 4 days were written, with ${expected.length} trades, to archive.`)
      assert.isAbove(expected.length, 100)
      assert.isBelow(expected.length, world.trades.length)
      const rows = yield* query(`select ${columns} from '${cwd}/archive/*.parquet'`)
      assert.deepStrictEqual(rows.toSorted(byId), expected.toSorted(byId))
      const ordered = yield* query(
        `select (block_number, log_index) < lag((block_number, log_index)) over (), (kind = 'swap') = (tick_lower is null),
          (kind = 'swap') = (tick_upper is null) from '${cwd}/archive/2023-11-16.parquet'`
      )
      assert.isAbove(ordered.length, 20)
      for (const [isBefore, lower, upper] of ordered)
        assert.deepStrictEqual([isBefore ?? false, lower, upper], [false, true, true])
      const again = yield* run(write("write-dex"))
      assert.include(again.stdout, "0 of 4 days were written")
      const verified = yield* run("archive verify archive")
      assert.strictEqual(verified.code, 0, verified.stderr)
      assert.include(
        verified.stdout,
        "Every file of uniswap-v3 on devnet is as it was written: 4 days, 4 of them proven"
      )
    })
  )

  it.effect("holds the blocks of the closed days, each with its parent", () =>
    Effect.gen(function* () {
      const { blocks, copy, hashes } = yield* IndexWorld
      const { cwd, run } = yield* copy
      const written = yield* run(write("write-blocks"))
      assert.strictEqual(written.code, 0, written.stderr)
      const rows = yield* query(
        `select number::varchar, (epoch_ms("timestamp") / 1000)::bigint::varchar, hash, parent_hash, proven
          from '${cwd}/archive/*.parquet' order by number`
      )
      const times = new Map(blocks.map(({ number, timestamp }) => [Number(number), timestamp]))
      assert.deepStrictEqual(
        rows,
        Array.from({ length: lastBlock }, (_, at) => at + 1).map((number) => [
          String(number),
          times.get(number),
          hashes.get(number),
          number === 1 ? null : hashes.get(number - 1),
          true
        ])
      )
      const verified = yield* run("archive verify archive")
      assert.include(
        verified.stdout,
        "Every file of the blocks of uniswap-v3 on devnet is as it was written: 4 days, 4 of"
      )
    })
  )

  it.effect("leaves a proven day as it is where the index has further blocks of it", () =>
    Effect.gen(function* () {
      const { inStore } = yield* (yield* IndexWorld).copy
      const days = yield* inStore(
        Effect.gen(function* () {
          const sql = yield* SqlClient.SqlClient
          const extent = yield* findExtent(sql, "uniswap-v3/devnet")
          assert.isDefined(extent)
          const all = yield* findClosedDays(sql, extent, { settled: { day: "", to: -1 }, isProofRequired: true })
          const [, second, third] = all
          assert.isDefined(second)
          // As an index whose ranges ended elsewhere: it has blocks of the day after the last one of the archive.
          const settled = { day: second.day, to: second.to - 2 }
          const after = yield* findClosedDays(sql, extent, { settled, isProofRequired: true })
          assert.deepStrictEqual([after[0]?.day, after[0]?.from, after[0]?.to], [third?.day, settled.to + 1, third?.to])
          return all.length
        })
      )
      assert.strictEqual(days, 4)
    })
  )

  it.effect("answers the queries of the documentation", () =>
    Effect.gen(function* () {
      const world = yield* IndexWorld
      const { cwd, inStore } = yield* world.copy
      const request = { ...deployment, directory: `${cwd}/blocks`, isProofRequired: true }
      yield* inStore(Effect.andThen(writeDays(`${cwd}/archive`, true), writers.blocks(request, noProgress)))
      const text = readFileSync(new URL("../../../../../docs/archives.md", import.meta.url), "utf8")
      const [volumes = "", liquidity = "", pauses = ""] = [...text.matchAll(/```sql\n([^`]+)```/g)]
        .map(([, sql = ""]) => sql)
        .slice(5)
      const over = (sql: string, directory: string) =>
        query(sql.replace("'*.parquet'", `'${cwd}/${directory}/*.parquet'`))
      const closed = world.trades.filter(({ row }) => isClosed(row["timestamp"]))
      const swaps = closed.filter(({ kind }) => kind === "swap")
      const counts = (yield* over(volumes, "archive")).map(([, , count]) => Number(count))
      assert.strictEqual(
        counts.reduce((sum, count) => sum + count, 0),
        swaps.length
      )
      const signed = closed.map(({ kind, row }) => {
        if (kind === "swap") return 0n
        return BigInt(String(row["amount"])) * (kind === "mint" ? 1n : -1n)
      })
      const remaining = (yield* over(liquidity, "archive")).map(([, , , sum]) => BigInt(String(sum)))
      assert.strictEqual(
        remaining.reduce((sum, one) => sum + one, 0n),
        signed.reduce((sum, one) => sum + one, 0n)
      )
      const between = (yield* over(pauses, "blocks")).map(([, , pause]) => JSON.stringify(pause))
      assert.lengthOf(between, 10)
      assert.lengthOf(new Set(between), 1)
    })
  )

  it.effect("names a flipped bit of a file and of any part of the manifest, and is not imported", () =>
    Effect.gen(function* () {
      const { copy } = yield* IndexWorld
      const { cwd, inStore, run } = yield* copy
      const directory = `${cwd}/archive`
      yield* inStore(writeDays(directory, true))
      const verified = verifyDirectory(directory, noProgress).pipe(
        Effect.map(({ wrong }) => wrong.join(" ")),
        Effect.catch(({ message }) => Effect.succeed(message))
      )
      assert.strictEqual(yield* verified, "")
      const path = `${directory}/2023-11-17.parquet`
      const bytes = readFileSync(path)
      writeFileSync(path, flip(bytes, 4000))
      const named = yield* run("archive verify archive")
      assert.strictEqual(named.code, 4)
      assert.include(named.stderr, '"archive/2023-11-17.parquet" is not what was written: its hash is another one.')
      const imported = yield* run("import binance BTC-USDT archive/2023-11-16.parquet")
      assert.strictEqual(imported.code, 5)
      assert.include(imported.stderr, "it is not of trades of a market")
      writeFileSync(path, bytes)
      const manifest = readFileSync(`${directory}/manifest.json`)
      for (let at = 0; at < manifest.length; at += 11) {
        writeFileSync(`${directory}/manifest.json`, flip(manifest, at))
        assert.notStrictEqual(yield* verified, "", `flip ${at}`)
      }
      // What a day states of its rows is in its chained hash.
      const text = manifest.toString()
      const others = [
        ['"proven": true', '"proven": false'],
        ['"hash": "0x', '"hash": "0xf'],
        ['"from": 9', '"from": 8'],
        ['"to": 16', '"to": 17']
      ] as const
      for (const [from, to] of others) {
        assert.include(text, from)
        writeFileSync(`${directory}/manifest.json`, text.replace(from, to))
        assert.notStrictEqual(yield* verified, "", to)
      }
      writeFileSync(`${directory}/manifest.json`, text)
      assert.strictEqual(yield* verified, "")
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.effect.skipIf(!mayMount)("says that the disk is full, and continues when it is not (root)", () =>
    Effect.gen(function* () {
      const { copy } = yield* IndexWorld
      const { inStore, run } = yield* copy
      const disk = yield* smallDisk(1)
      yield* disk.fill
      const full = yield* run(`archive write-dex uniswap-v3 devnet --out ${disk.path}/archive`)
      assert.strictEqual(full.code, 1, full.stderr)
      assert.include(full.stderr, "The disk of the archive is full: free space, and give the command again.")
      yield* disk.empty
      assert.lengthOf((yield* inStore(writeDays(`${disk.path}/archive`, true))).written, 4)
      const verified = yield* verifyDirectory(`${disk.path}/archive`, noProgress)
      assert.deepInclude(verified, { days: 4, wrong: [] })
    }).pipe(Effect.provide([Workshop.layer, NodeServices.layer]), Effect.scoped)
  )

  it.effect("writes a day that is not proven only if asked to, and again once it is proven", () =>
    Effect.gen(function* () {
      const { copy } = yield* IndexWorld
      const { cwd, inStore } = yield* copy
      const directory = `${cwd}/archive`
      const manifest = () => readFileSync(`${directory}/manifest.json`, "utf8")
      const days = (isProofRequired: boolean) =>
        Effect.map(writeDays(directory, isProofRequired), ({ written }) =>
          written.map(({ day, proven }) => `${day} ${proven}`)
        )
      yield* inStore(
        Effect.gen(function* () {
          yield* change("update dex_index set proven = 24")
          assert.deepStrictEqual(yield* days(true), ["2023-11-15 true", "2023-11-16 true"])
          const before = manifest()
          assert.deepStrictEqual(yield* days(false), ["2023-11-17 false", "2023-11-18 false"])
          const end = before.lastIndexOf("\n  ]")
          assert.strictEqual(manifest().slice(0, end), before.slice(0, end))
          assert.deepInclude(yield* verifyDirectory(directory, noProgress), { days: 4, proven: 2, wrong: [] })
          assert.deepStrictEqual(yield* days(false), [])
          assert.deepStrictEqual(yield* days(true), [])
          yield* change("update dex_index set proven = 33")
          assert.deepStrictEqual(yield* days(true), ["2023-11-17 true", "2023-11-18 true"])
          assert.deepInclude(yield* verifyDirectory(directory, noProgress), { days: 4, proven: 4, wrong: [] })
        })
      )
    })
  )

  it.effect("has a missing file of a proven day written again, if the index still has its blocks", () =>
    Effect.gen(function* () {
      const { copy } = yield* IndexWorld
      const { cwd, inStore } = yield* copy
      const directory = `${cwd}/archive`
      const read = () => readdirSync(directory).map((name) => [name, readFileSync(`${directory}/${name}`, "hex")])
      yield* inStore(
        Effect.gen(function* () {
          yield* writeDays(directory, true)
          const before = read()
          rmSync(`${directory}/2023-11-15.parquet`)
          truncateSync(`${directory}/2023-11-17.parquet`, 100)
          const { lost, written } = yield* writeDays(directory, true)
          assert.deepStrictEqual(
            written.map(({ day }) => day),
            ["2023-11-15", "2023-11-17"]
          )
          assert.deepStrictEqual([read(), lost], [before, []])
          const manifest = `${directory}/manifest.json`
          writeFileSync(
            manifest,
            readFileSync(manifest, "utf8").replace(/"sha256": "\w+"/, `"sha256": "${"0".repeat(64)}"`)
          )
          rmSync(`${directory}/2023-11-15.parquet`)
          assert.deepStrictEqual((yield* writeDays(directory, true)).changed, [
            `"${directory}/2023-11-15.parquet" has other bytes than the file that was lost, from the same number of rows: its entry, and the chain from it on, are new.`
          ])
          assert.deepStrictEqual(read(), before)
          rmSync(`${directory}/2023-11-16.parquet`)
          yield* change("delete from dex_trade where block_number = 10")
          const fewer = yield* writeDays(directory, true)
          assert.deepStrictEqual(fewer.written, [])
          assert.deepStrictEqual(fewer.lost, [
            `"${directory}/2023-11-16.parquet" is missing. The store does not have its rows, or has not proven them: restore the file from a copy, or give the command again later.`
          ])
          assert.deepStrictEqual(
            read(),
            before.filter(([name]) => name !== "2023-11-16.parquet")
          )
        })
      )
    })
  )

  it.effect("leaves out an unproven day of which a rebuilt index has no block", () =>
    Effect.gen(function* () {
      const { copy } = yield* IndexWorld
      const { cwd, inStore } = yield* copy
      const directory = `${cwd}/archive`
      yield* inStore(
        Effect.gen(function* () {
          yield* change("update dex_index set proven = 8")
          yield* writeDays(directory, false)
          yield* change("delete from dex_trade where block_number between 17 and 24")
          yield* change("delete from dex_block where number between 17 and 24")
          const { manifest } = yield* writeDays(directory, false)
          assert.deepStrictEqual(
            manifest.days.map(({ from, to }) => `${from} ${to}`),
            ["1 8", "9 16", "17 32"]
          )
          assert.deepInclude(yield* verifyDirectory(directory, noProgress), { days: 3, wrong: [] })
        })
      )
    })
  )

  it.effect("never has the rows of a day that it leaves out twice, wherever the write ends", () =>
    Effect.gen(function* () {
      const { copy } = yield* IndexWorld
      const { cwd, inStore } = yield* copy
      yield* inStore(
        Effect.gen(function* () {
          const directories = [0, 1].map((end) => ({ end, directory: `${cwd}/archive-${end}` }))
          yield* change("update dex_index set proven = 8")
          for (const { directory } of directories) yield* writeDays(directory, false)
          yield* change("delete from dex_trade where block_number between 17 and 24")
          yield* change("delete from dex_block where number between 17 and 24")
          for (const { directory, end } of directories) {
            const request = { ...deployment, directory, isProofRequired: false }
            yield* Effect.exit(writers.trades(request, (done) => (done === end ? Effect.interrupt : Effect.void)))
            assert.notInclude(readdirSync(directory), "2023-11-17.parquet")
            const { lost, manifest } = yield* writeDays(directory, false)
            assert.deepStrictEqual(
              manifest.days.map(({ from, to }) => `${from} ${to}`),
              ["1 8", "9 16", "17 32"]
            )
            assert.deepStrictEqual(lost, [])
            assert.deepInclude(yield* verifyDirectory(directory, noProgress), { days: 3, wrong: [] })
          }
        })
      )
    })
  )

  it.effect("closes a day only once a block of a later day is final", () =>
    Effect.gen(function* () {
      const { copy } = yield* IndexWorld
      const { cwd, inStore } = yield* copy
      yield* inStore(
        Effect.gen(function* () {
          yield* change(`update dex_index set finalized = ${lastBlock}`)
          assert.lengthOf((yield* writeDays(`${cwd}/archive`, false)).written, 3)
          yield* change(`update dex_index set finalized = ${lastBlock + 1}`)
          assert.lengthOf((yield* writeDays(`${cwd}/archive`, false)).written, 1)
        })
      )
    })
  )

  it.effect("has a day of blocks without a trade as a file without rows", () =>
    Effect.gen(function* () {
      const { copy } = yield* IndexWorld
      const { cwd, inStore } = yield* copy
      const { written } = yield* inStore(
        Effect.andThen(
          change("delete from dex_trade where block_number between 9 and 16"),
          writeDays(`${cwd}/archive`, true)
        )
      )
      assert.deepStrictEqual(
        written.map(({ from, to }) => `${from} ${to}`),
        ["1 8", "9 16", "17 24", "25 32"]
      )
      assert.deepStrictEqual(yield* query(`select count(*)::int from '${cwd}/archive/2023-11-16.parquet'`), [[0]])
      const days = yield* query(
        `select count(distinct date_trunc('day', "timestamp"))::int from '${cwd}/archive/*.parquet'`
      )
      assert.deepStrictEqual(days, [[3]])
    })
  )

  it.effect("refuses what is not indexed, another chain, and the directory of another archive", () =>
    Effect.gen(function* () {
      const { copy } = yield* IndexWorld
      const { cwd, inStore } = yield* copy
      const directory = `${cwd}/archive`
      const path = `${directory}/manifest.json`
      const refuse = <A, E extends { readonly message: string }, R>(
        refused: Effect.Effect<A, E, R>,
        sentence: string
      ) =>
        Effect.gen(function* () {
          const before = readFileSync(path, "utf8")
          const { message } = yield* Effect.flip(refused)
          assert.include(message, sentence)
          assert.strictEqual(readFileSync(path, "utf8"), before)
        })
      yield* inStore(
        Effect.gen(function* () {
          const again = writeDays(directory, true)
          yield* again
          const text = readFileSync(path, "utf8")
          const request = { ...deployment, directory, isProofRequired: true }
          yield* refuse(
            writers.trades({ ...request, blockchain: "ethereum" }, noProgress),
            "No index of uniswap-v3 on ethereum is stored here"
          )
          yield* refuse(writers.blocks(request, noProgress), "is an archive of dex-trades, not of blocks: give another")
          writeFileSync(path, text.replace('"chaintapeArchive": 1', '"chaintapeArchive": 2'))
          yield* refuse(again, "has the format 2, of another version of Chaintape")
          yield* refuse(verifyDirectory(directory, noProgress), "has the format 2, of another version of Chaintape")
          writeFileSync(path, text.replace('"blockchain": "devnet"', '"blockchain": "ethereum"'))
          yield* refuse(again, "is the archive of uniswap-v3 on ethereum: give another directory.")
          writeFileSync(path, text)
          yield* change("update dex_block set hash = '0xother' where number = 32")
          yield* refuse(again, 'is of another chain: its block 32 is not the one of the index, "0xother".')
          yield* change("delete from dex_block where number in (8, 16, 24, 32)")
          yield* refuse(again, "The index has none of the blocks with which the days of")
        })
      )
    })
  )
})
