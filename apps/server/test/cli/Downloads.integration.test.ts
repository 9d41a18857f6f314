import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Option, Schema } from "effect"
import type { DownloadRequest } from "../../src/cli/download/DownloadRequest.ts"
import { atStart } from "../../src/cli/download/Output.ts"
import { partFile } from "../../src/cli/download/PartFile.ts"
import { answer, base, overDevnet, toRows } from "../dex/IndexedService.ts"
import { mayMount, smallDisk } from "../faults/world/SmallDisk.ts"
import { Workshop } from "../faults/world/Workshop.ts"
import { call } from "../HttpCall.ts"
import { key, RunningService } from "../RunningService.ts"
import { overExchange } from "../SandboxService.ts"
import { chaintape } from "./CommandRun.ts"
import { duckQuery } from "./DuckQuery.ts"
import { begins, getTime, tapeService, tradeJson } from "./TapeService.ts"

const folder = Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped())

const provided = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(Effect.scoped, Effect.provide(NodeServices.layer))

const documentation = fileURLToPath(new URL("../../../../docs/command-line.md", import.meta.url))

const words = (text: string, url: string) => [...text.split(" "), "--url", url, "--key", key]

const Lists = Schema.Record(Schema.String, Schema.Unknown)
const Elements = Schema.Array(Schema.Record(Schema.String, Schema.Unknown))

/** A list of a response. */
const readList = Effect.fnUntraced(function* (path: string, list: string) {
  const lists = yield* Effect.flatMap(answer(path), Schema.decodeUnknownEffect(Lists))
  return yield* Schema.decodeUnknownEffect(Elements)(lists[list])
})

const decodeLine = Schema.decodeUnknownSync(Schema.fromJsonString(Lists))
const toElements = (text: string) =>
  text
    .trim()
    .split("\n")
    .map((line) => decodeLine(line))

/** The trades of the synthetic tape as the columns of a Parquet file. */
const tapeRows = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => {
    const id = from + index
    const [, price, size, cost, side] =
      /"price":([\d.]+),"size":([\d.]+),"cost":([\d.]+),"side":"(\w+)"/.exec(tradeJson(id)) ?? []
    return [String(id), String(getTime(id)), price, size, cost, side]
  })

const tapeQuery = (file: string) =>
  duckQuery(`select id, epoch_ms("timestamp")::varchar, price, size, cost, side from '${file}'`)

describe("a download as Parquet", () => {
  it.live("is what the service answers, digit by digit, also after a failure", () =>
    provided(
      Effect.gen(function* () {
        const cwd = yield* folder
        const files = yield* FileSystem.FileSystem
        const stopped = { now: true }
        const { rest } = yield* tapeService({
          count: 3000,
          over: (_, query) =>
            stopped.now && Number(query.get("since")) >= begins + 100 ? { status: 404, body: "{}" } : undefined
        })
        const range = `--since ${begins} --until ${getTime(2400) - 1}`
        const command = words(`trades tape BTC-USD ${range} --page 300 --out a.parquet`, rest)
        const failed = yield* chaintape(command, { cwd })
        assert.strictEqual(failed.code, 1, failed.stderr)
        assert.match(failed.stderr, /Its first [\d,]+ trades are in .*a\.parquet\.part\. To continue/)
        assert.sameMembers(yield* files.readDirectory(cwd), ["a.parquet.part", "a.parquet.part.json"])
        stopped.now = false
        const ended = yield* chaintape(command, { cwd })
        assert.strictEqual(ended.code, 0, ended.stderr)
        assert.match(ended.stdout, /^2,394 trades of BTC\/USD on tape, .*a\.parquet: proven complete\.\n$/)
        assert.deepStrictEqual(yield* files.readDirectory(cwd), ["a.parquet"])
        assert.deepStrictEqual(yield* tapeQuery(`${cwd}/a.parquet`), tapeRows(0, 2393))
        const documented = yield* files.readFileString(documentation)
        const [, sql = ""] = /```python\n[^`]*"""([^`]+)"""/.exec(documented) ?? []
        const hours = yield* duckQuery(sql.replace("'trades.parquet'", `'${cwd}/a.parquet'`))
        // Sizes are the ids from 0 on, in units of the 18th decimal place.
        assert.deepStrictEqual(
          hours.map(([hour, count, volume]) => [hour, count, volume]),
          [["2025-01-01 00:00:00", "2394", "0.000000000002864421"]]
        )
        const again = yield* chaintape(command, { cwd })
        assert.match(again.stderr, /The file ".*a\.parquet" exists: give --force to replace it, or another --out\./)
        const latest = yield* chaintape([...words("trades tape BTC-USD --last 9 --force", rest), "-o", "a.parquet"], {
          cwd
        })
        assert.strictEqual(latest.code, 0, latest.stderr)
        assert.deepStrictEqual(yield* tapeQuery(`${cwd}/a.parquet`), tapeRows(2991, 2999))
      })
    )
  )

  it.live.skipIf(!mayMount)("says that the disk is full (root)", () =>
    provided(
      Effect.gen(function* () {
        const { path: cwd } = yield* smallDisk(1)
        const { rest } = yield* tapeService({ count: 20_000 })
        const command = words(`trades tape BTC-USD --since ${begins} --page 5000 --out a.csv`, rest)
        const full = yield* chaintape(command, { cwd })
        assert.strictEqual(full.code, 1, full.stderr)
        assert.match(full.stderr, /a\.csv\.part" cannot be written: the disk is full\.\n$/)
      }).pipe(Effect.provide(Workshop.layer))
    )
  )

  it.live("requires a file, and does not continue a part of another format", () =>
    provided(
      Effect.gen(function* () {
        const cwd = yield* folder
        const { rest } = yield* tapeService({
          count: 700,
          over: (_, query) => (Number(query.get("since")) > begins ? { status: 404, body: "{}" } : undefined)
        })
        const output = yield* chaintape(words("trades tape BTC-USD --last 5 --out - --format parquet", rest), { cwd })
        assert.strictEqual(output.code, 2)
        assert.strictEqual(output.stderr, "Parquet cannot go to the standard output: give --out FILE.parquet.\n")
        const command = words(`trades tape BTC-USD --since ${begins} --page 100 --out a.parquet`, rest)
        assert.strictEqual((yield* chaintape(command, { cwd })).code, 1)
        const other = yield* chaintape([...command, "--format", "ndjson"], { cwd })
        assert.match(
          other.stderr,
          /is an unfinished download of another request: trades of BTC\/USD on tape from .* as parquet\./
        )
        const unknown = yield* chaintape(words("trades tape BTC-USD --last 5 --out a.xlsx", rest), { cwd })
        assert.strictEqual(
          unknown.stderr,
          'The name "a.xlsx" says no format: end it in .csv, .ndjson, .jsonl or .parquet, or give --format.\n'
        )
      })
    )
  )
})

describe("chaintape candles", () => {
  it.live("writes the closed candles of the service, digit by digit, whatever the pages are", () =>
    provided(
      Effect.gen(function* () {
        const cwd = yield* folder
        const files = yield* FileSystem.FileSystem
        const { origin } = yield* RunningService
        const headers = { "api-key": key }
        const path = "/v2/cex/sandbox/BTC-USD/aggregates/1m"
        const { body } = yield* call(origin, { path: `${path}?limit=40`, headers })
        const [, elements = ""] = /"aggregates":\[(.*)\]/.exec(body) ?? []
        const lines = elements.replaceAll("},{", "}\n{").split("\n")
        const times = lines.map((line) => Number(/"t":"?(\d+)/.exec(line)?.[1]))
        const [since, until] = [times[3] ?? 0, times[25] ?? 0]
        const range = `--since ${since} --until ${until}`
        const ended = yield* chaintape(words(`candles sandbox btc-usd 1m ${range} --page 7 --out a.ndjson`, origin), {
          cwd
        })
        assert.strictEqual(ended.code, 0, ended.stderr)
        assert.match(
          ended.stdout,
          /^23 1m candles of BTC\/USD on sandbox, .*a\.ndjson: unverifiable, the exchange gives no means to tell/
        )
        const expected = lines.slice(3, 26)
        assert.strictEqual(yield* files.readFileString(`${cwd}/a.ndjson`), `${expected.join("\n")}\n`)

        const digits = expected.map((line) => {
          const [t = "", ...values] = [...line.matchAll(/:"?([\d.]+)/g)].map(([, value = ""]) => value)
          return [t, ...values]
        })
        const csv = yield* chaintape(words(`candles sandbox BTC-USD 1m ${range} --out a.csv`, origin), { cwd })
        assert.strictEqual(csv.code, 0, csv.stderr)
        const [head, ...rows] = (yield* files.readFileString(`${cwd}/a.csv`)).trim().split("\n")
        assert.strictEqual(head, "timestamp,time,open,high,low,close,volume")
        assert.deepStrictEqual(
          rows.map((row) => row.split(",").filter((_, index) => index !== 1)),
          digits
        )
        const parquet = yield* chaintape(words(`candles sandbox BTC-USD 1m ${range} --out a.parquet`, origin), { cwd })
        assert.strictEqual(parquet.code, 0, parquet.stderr)
        assert.deepStrictEqual(
          yield* duckQuery(
            `select epoch_ms("timestamp")::varchar, open, high, low, close, volume from '${cwd}/a.parquet'`
          ),
          digits
        )
      }).pipe(Effect.provide(overExchange))
    )
  )

  it.live("lets one command at a time write a file", () =>
    provided(
      Effect.gen(function* () {
        const file = `${yield* folder}/trades.ndjson`
        const files = yield* FileSystem.FileSystem
        const range = { since: 0, until: 9000 }
        const request: DownloadRequest = {
          subject: {
            unit: "trades",
            name: "a market",
            shape: { list: "trades", id: "id", columns: [] },
            maxPage: 10,
            hasUniqueTimes: false,
            isBounded: true
          },
          format: "ndjson",
          file: Option.some(file),
          page: 10,
          force: false,
          range: { _tag: "Between", ...range },
          asked: { since: "0", until: "9000", last: "" }
        }
        const open = partFile(request, "http://service", file, range)
        const toReached = (rows: number) => ({ ...atStart, rows })
        yield* Effect.scoped(
          Effect.gen(function* () {
            const one = yield* open
            yield* one.append("1\n", toReached(1))
            const refused = yield* Effect.flip(Effect.scoped(open))
            assert.strictEqual(
              refused.message,
              `Another command writes "${file}.part": wait until it has ended, or give another --out.`
            )
            yield* one.append("2\n", toReached(2))
          })
        )
        const other = yield* Effect.scoped(
          Effect.gen(function* () {
            const next = yield* open
            assert.strictEqual(next.reached.rows, 2)
            yield* next.append("3\n", toReached(3))
            yield* next.finish
            return yield* files.readFileString(file)
          })
        )
        assert.strictEqual(other, "1\n2\n3\n")
        assert.deepStrictEqual(yield* files.readDirectory(dirname(file)), ["trades.ndjson"])
      })
    )
  )

  it.live("writes no candle that can still change, and reports the errors of a request", () =>
    provided(
      Effect.gen(function* () {
        const cwd = yield* folder
        const files = yield* FileSystem.FileSystem
        const { origin } = yield* RunningService
        const now = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
        const ended = yield* chaintape(words("candles sandbox BTC-USD 1m --since 10m --out a.csv", origin), { cwd })
        assert.strictEqual(ended.code, 0, ended.stderr)
        const last = (yield* files.readFileString(`${cwd}/a.csv`)).trim().split("\n").at(-1)
        assert.isAtMost(Number(last?.split(",")[0]), now)
        const after = yield* Effect.clockWith((clock) => clock.currentTimeMillis)
        assert.isAtMost(Number(last?.split(",")[0]) + 70_000, after)
        const open = yield* chaintape(words("candles sandbox BTC-USD 1d --since 1h --out b.csv", origin), { cwd })
        assert.strictEqual(open.code, 2)
        assert.match(
          open.stderr,
          /^No candle of 1d that starts at .*Z or later is closed yet: give an earlier --since\.\n$/
        )
        const without = yield* chaintape(words("candles sandbox BTC-USD 1m --out b.csv", origin), { cwd })
        assert.strictEqual(
          without.stderr,
          "Which 1m candles? Give --since TIME, such as --since 24h, or --last N for the latest N 1m candles.\n"
        )
        const length = yield* chaintape(words("candles sandbox BTC-USD 7m --last 5 --out b.csv", origin), { cwd })
        assert.strictEqual(length.code, 2)
        assert.include(length.stderr, '"7m"')
        const many = yield* chaintape(words("candles sandbox BTC-USD 1m --last 10001 --out b.csv", origin), { cwd })
        assert.strictEqual(many.code, 2)
        const unknown = yield* chaintape(words("candles nowhere BTC-USD 1m --last 5 --out b.csv", origin), { cwd })
        assert.strictEqual(unknown.code, 1)
        assert.include(unknown.stderr, '"nowhere"')
        assert.deepStrictEqual(yield* files.readDirectory(cwd), ["a.csv"])
      }).pipe(Effect.provide(overExchange))
    )
  )
})

describe("a download of a pool", () => {
  it.live(
    "is its trades or its candles as of one block, whatever the pages are",
    () =>
      provided(
        Effect.gen(function* () {
          const cwd = yield* folder
          const files = yield* FileSystem.FileSystem
          const { origin } = yield* RunningService
          const [pool] = yield* toRows(`${base}/pools?limit=1&orderBy=txCount&orderDirection=desc`)
          const ofPool = `${base}/pool/${String(pool?.["id"])}`
          const address = `uniswap-v3 devnet ${String(pool?.["id"])}`
          const since = "--since 1970-01-01"
          const query = "limit=1000&orderBy=timestamp&orderDirection=asc"
          const swaps = yield* readList(`${ofPool}/trades?${query}`, "swaps")
          assert.isAbove(swaps.length, 20)
          const ended = yield* chaintape(words(`pool-trades ${address} ${since} --page 9 --out a.ndjson`, origin), {
            cwd
          })
          assert.strictEqual(ended.code, 0, ended.stderr)
          assert.match(
            ended.stdout,
            /^\d+ swaps of pool 0x[0-9a-f]{40} of uniswap-v3 on devnet, .*: proven complete, as of block 45 \(0x[0-9a-f]{64}\), which is not final yet\.\n$/
          )
          assert.deepStrictEqual(toElements(yield* files.readFileString(`${cwd}/a.ndjson`)), swaps)
          const parquet = yield* chaintape(words(`pool-trades ${address} ${since} --out a.parquet`, origin), { cwd })
          assert.strictEqual(parquet.code, 0, parquet.stderr)
          assert.deepStrictEqual(
            yield* duckQuery(
              `select id, epoch("timestamp")::bigint::varchar, amount0, amount1, "amountUSD", "logIndex", origin, "transactionId",
                sender, recipient, "sqrtPriceX96" from '${cwd}/a.parquet'`
            ),
            swaps.map((swap) =>
              [
                "id",
                "timestamp",
                "amount0",
                "amount1",
                "amountUSD",
                "logIndex",
                "origin",
                "transactionId",
                "sender",
                "recipient",
                "sqrtPriceX96"
              ].map((name) => swap[name])
            )
          )
          const latest = yield* chaintape(words(`pool-trades ${address} --last 5 --out b.ndjson`, origin), { cwd })
          assert.strictEqual(latest.code, 0, latest.stderr)
          const newest = yield* readList(`${ofPool}/trades?limit=5&orderBy=timestamp&orderDirection=desc`, "swaps")
          assert.deepStrictEqual(toElements(yield* files.readFileString(`${cwd}/b.ndjson`)), newest.toReversed())

          const mints = yield* readList(`${ofPool}/trades?${query}`, "mints")
          const minted = yield* chaintape(words(`pool-trades ${address} ${since} --kind mint --out m.csv`, origin), {
            cwd
          })
          assert.strictEqual(minted.code, 0, minted.stderr)
          const [head, ...lines] = (yield* files.readFileString(`${cwd}/m.csv`)).trim().split("\n")
          assert.strictEqual(
            head,
            "id,timestamp,time,amount0,amount1,amountUSD,logIndex,origin,transactionId,amount,owner,sender"
          )
          assert.deepStrictEqual(
            lines.map((line) => line.split(",").filter((_, index) => index === 0 || index === 3)),
            mints.map(({ amount0, id }) => [id, amount0])
          )

          const candles = yield* readList(`${ofPool}/aggregates/1m?limit=1000&from=0`, "aggregates")
          assert.isAbove(candles.length, 1)
          const candled = yield* chaintape(
            words(`pool-candles ${address} 1m ${since} --page 1 --out c.parquet`, origin),
            { cwd }
          )
          assert.strictEqual(candled.code, 0, candled.stderr)
          assert.include(candled.stdout, `${candles.length} 1m candles of pool 0x`)
          assert.deepStrictEqual(
            yield* duckQuery(
              `select epoch("timestamp")::bigint::varchar, open, high, low, close, "volumeToken0", "volumeToken1", "volumeUSD",
                "txCount" from '${cwd}/c.parquet'`
            ),
            candles.map(({ c, h, l, o, t, txCount, volumeToken0, volumeToken1, volumeUSD }) => [
              t,
              o,
              h,
              l,
              c,
              volumeToken0,
              volumeToken1,
              volumeUSD,
              txCount
            ])
          )

          const wrong = yield* chaintape(words("pool-trades uniswap-v3 devnet 0x12 --last 5 --out d.csv", origin), {
            cwd
          })
          assert.strictEqual(wrong.code, 2)
          assert.include(wrong.stderr, "0x12")
          const none = yield* chaintape(
            words(`pool-candles uniswap-v3 devnet 0x${"1".repeat(40)} 1h --last 5 --out d.csv`, origin),
            { cwd }
          )
          assert.strictEqual(none.code, 1)
          assert.include(none.stderr, `0x${"1".repeat(40)}`)
          assert.isFalse(yield* files.exists(`${cwd}/d.csv.part`))
        }).pipe(Effect.provide(overDevnet))
      ),
    120_000
  )
})
