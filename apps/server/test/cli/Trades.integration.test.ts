import { kill } from "node:process"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Random, Schedule } from "effect"
import { coinbaseStub } from "../cex/ccxt/CoinbaseStub.ts"
import { stubExchange } from "../cex/ccxt/StubExchange.ts"
import { call } from "../HttpCall.ts"
import { key, RunningService } from "../RunningService.ts"
import { overExchange } from "../SandboxService.ts"
import { until } from "../StartedProgram.ts"
import { begin, chaintape, chaintapeAlone } from "./CommandRun.ts"
import type { Ended } from "./CommandRun.ts"
import { begins, toNdjson, rateLimitResponse, tapeService, getTime, tradeJson } from "./TapeService.ts"

const provided = <A, E>(effect: Effect.Effect<A, E, FileSystem.FileSystem | Effect.Services<typeof folder>>) =>
  effect.pipe(Effect.scoped, Effect.provide(NodeServices.layer))

const folder = Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped())

const first = String(begins)

/** The request for the trades 0 to `last` of the synthetic tape. */
const tapeWords = (url: string, out: string, last: number, ...more: ReadonlyArray<string>) =>
  `trades tape BTC-USD --since ${first} --until ${getTime(last)} --out ${out} --url ${url} --key ${key}`
    .split(" ")
    .concat(more)

const assertQuiet = ({ stderr, stdout }: Ended) => {
  assert.notInclude(stdout + stderr, key)
  assert.notMatch(stdout + stderr, /\bat \S+ \(|\bat file:/)
}

/** The last trade of its millisecond. */
const wholeMillisecond = (count: number) => count - (count % 7) - 1

describe("chaintape trades", () => {
  it.live("writes every trade once, with all digits, whatever the pages are", () =>
    provided(
      Effect.gen(function* () {
        const cwd = yield* folder
        const files = yield* FileSystem.FileSystem
        const last = wholeMillisecond(2000)
        const { requests, rest } = yield* tapeService({ count: 2500 })
        const ended = yield* chaintapeAlone(tapeWords(rest, "a.ndjson", last, "--page", "100"), { cwd })
        assert.strictEqual(ended.code, 0, ended.stderr)
        assert.strictEqual(yield* files.readFileString(`${cwd}/a.ndjson`), toNdjson(0, last))
        assert.match(
          ended.stdout,
          /^1,995 trades of BTC\/USD on tape, 2025-01-01T00:00:00.000Z to .*: proven complete\.\n$/
        )
        assert.isAbove(requests.length, 20)
        assert.notInclude(requests.join(" "), key)
        assert.deepStrictEqual(yield* files.readDirectory(cwd), ["a.ndjson"])
        assertQuiet(ended)

        const csv = yield* chaintape(tapeWords(rest, "a.csv", last), { cwd })
        assert.strictEqual(csv.code, 0, csv.stderr)
        const lines = (yield* files.readFileString(`${cwd}/a.csv`)).split("\n")
        assert.strictEqual(lines.length, last + 3)
        assert.strictEqual(lines[0], "id,timestamp,time,price,size,cost,side")
        assert.strictEqual(
          lines[9],
          `8,${begins + 1},2025-01-01T00:00:00.001Z,678.88880000000000000001,0.000000000000000008,8.000000000000000000000001,buy`
        )
      })
    )
  )

  it.live("writes every trade once where a millisecond grows while it is read", () =>
    provided(
      Effect.gen(function* () {
        const cwd = yield* folder
        const files = yield* FileSystem.FileSystem
        const counts = [11, 12, 13]
        const { rest } = yield* tapeService({ count: () => counts.shift() ?? 14 })
        const ended = yield* chaintape(tapeWords(rest, "a.ndjson", 13), { cwd })
        assert.strictEqual(ended.code, 0, ended.stderr)
        assert.strictEqual(yield* files.readFileString(`${cwd}/a.ndjson`), toNdjson(0, 13))
      })
    )
  )

  it.live("writes what the service answers about the sandbox, digit by digit", () =>
    provided(
      Effect.gen(function* () {
        const cwd = yield* folder
        const files = yield* FileSystem.FileSystem
        const { origin } = yield* RunningService
        const { body } = yield* call(origin, {
          path: "/v2/cex/sandbox/BTC-USD/trades?limit=1500",
          headers: { "api-key": key }
        })
        const elements = body
          .slice(body.indexOf("[{") + 1, -2)
          .replaceAll("},{", "}\n{")
          .split("\n")
        const times = elements.map((element) => Number(/"timestamp":"(\d+)"/.exec(element)?.[1]))
        // The first millisecond is truncated at the start of the response.
        const since = times.find((time) => time > (times[0] ?? 0)) ?? 0
        const to = times[1400] ?? 0
        const expected = elements.filter((_, index) => (times[index] ?? 0) >= since && (times[index] ?? 0) <= to)
        const words = ["trades", "sandbox", "btc-usd", "--since", String(since), "--until", String(to)]
        const environment = { CHAINTAPE_KEY: key, CHAINTAPE_BASE_URL: origin }
        const ended = yield* chaintape([...words, "--out", "a.jsonl", "--page", "300"], { cwd, environment })
        assert.strictEqual(ended.code, 0, ended.stderr)
        assert.include(ended.stdout, "proven complete.")
        assert.strictEqual(yield* files.readFileString(`${cwd}/a.jsonl`), `${expected.join("\n")}\n`)

        const csv = yield* chaintapeAlone([...words, "--out", "-", "--format", "csv"], { cwd, environment })
        assert.strictEqual(csv.code, 0, csv.stderr)
        const digits = csv.stdout
          .trim()
          .split("\n")
          .slice(1)
          .map((line) => line.split(",").slice(3, 6).join(","))
        const expectedDigits = expected.map((element) =>
          [...element.matchAll(/"(?:price|size|cost)":([\d.]+)/g)].map(([, digits]) => digits).join(",")
        )
        assert.deepStrictEqual(digits, expectedDigits)
        assert.include(csv.stderr, "in the standard output: proven complete.")
        assertQuiet(csv)
      }).pipe(Effect.provide(overExchange))
    )
  )

  it.live(
    "continues after it was killed, and writes the same bytes",
    () =>
      provided(
        Effect.gen(function* () {
          const cwd = yield* folder
          const files = yield* FileSystem.FileSystem
          const last = wholeMillisecond(6000)
          // So that no run completes, however late it is killed.
          let pages = Infinity
          const { rest } = yield* tapeService({
            count: 7000,
            delayMs: 10,
            over: (path) => (path.endsWith("/trades") && --pages < 0 ? { body: "", hang: true } : undefined)
          })
          const words = tapeWords(rest, "a.csv", last, "--page", "50")
          const state = `${cwd}/a.csv.part.json`
          for (let kills = 0; kills < 5; kills++) {
            const before = yield* Effect.orElseSucceed(files.readFileString(state), () => "")
            pages = 20
            const running = yield* begin(words, { cwd })
            const isFurther = files.readFileString(state).pipe(
              Effect.map((text) => text !== before && !text.includes('"rows":0')),
              Effect.orElseSucceed(() => false)
            )
            yield* Effect.repeat(isFurther, { until: (further) => further, schedule: Schedule.spaced("5 millis") })
            yield* Effect.sleep(yield* Random.nextBetween(0, 300))
            assert.isTrue(running.isRunning(), "it is killed on the way")
            kill(running.pid, "SIGKILL")
            yield* running.ended
          }
          pages = Infinity
          const ended = yield* chaintape(words, { cwd })
          assert.strictEqual(ended.code, 0, ended.stderr)
          assert.match(
            ended.stderr,
            /Going on after the [\d,]+ trades in .*a\.csv\.part, which is to hold 2025-01-01T00:00:00\.000Z to /
          )
          assert.include(ended.stdout, "proven complete.")
          const whole = yield* chaintape(tapeWords(rest, "b.csv", last), { cwd })
          assert.strictEqual(whole.code, 0, whole.stderr)
          assert.deepStrictEqual(yield* files.readFile(`${cwd}/a.csv`), yield* files.readFile(`${cwd}/b.csv`))
          assert.sameMembers(yield* files.readDirectory(cwd), ["a.csv", "b.csv"])
        })
      ),
    120_000
  )

  it.live("removes a partial page after a crash, and continues with the resolved relative times", () =>
    provided(
      Effect.gen(function* () {
        const cwd = yield* folder
        const files = yield* FileSystem.FileSystem
        const last = wholeMillisecond(3000)
        const stopped = { now: true }
        const { rest } = yield* tapeService({
          count: 3000,
          over: (_, query) =>
            stopped.now && Number(query.get("since")) >= begins + 100
              ? { status: 404, body: JSON.stringify({ code: "nothing" }) }
              : undefined
        })
        const words = [
          "trades",
          "tape",
          "BTC-USD",
          "--since",
          "2000w",
          "--out",
          "a.ndjson",
          "--url",
          rest,
          "--key",
          key
        ]
        const failed = yield* chaintape([...words, "--page", "350"], { cwd })
        assert.strictEqual(failed.code, 1, failed.stderr)
        assert.match(
          failed.stderr,
          /The file is incomplete\. Its first [\d,]+ trades are in .*a\.ndjson\.part\. To continue, run the same command again\./
        )
        yield* files.writeFileString(`${cwd}/a.ndjson.part`, '{"id":"half', { flag: "a" })
        stopped.now = false
        const other = yield* chaintape([...words.slice(0, 3), "--since", "1999w", ...words.slice(5)], { cwd })
        assert.strictEqual(other.code, 1)
        assert.match(
          other.stderr,
          /is an unfinished download of another request: trades of BTC\/USD on tape from .* to .* as ndjson\./
        )
        const ended = yield* chaintape([...words, "--page", "350"], { cwd })
        assert.strictEqual(ended.code, 0, ended.stderr)
        assert.strictEqual(yield* files.readFileString(`${cwd}/a.ndjson`), toNdjson(0, 2999))
        assert.match(
          ended.stdout,
          /to 2025-01-01T00:00:00\.428Z, in .*: proven complete\. There were no later trades yet\.\n$/
        )
        assert.isBelow(last, 3000)
      })
    )
  )

  it.live("leaves a part and prints how to continue when it is interrupted", () =>
    provided(
      Effect.gen(function* () {
        const cwd = yield* folder
        const files = yield* FileSystem.FileSystem
        const { requests, rest } = yield* tapeService({ count: 100_000, delayMs: 30 })
        const running = yield* begin(tapeWords(rest, "a.csv", 90_000, "--page", "50"), { cwd })
        yield* until("some pages", () => requests.length > 10)
        kill(running.pid, "SIGINT")
        const ended = yield* running.ended
        assert.strictEqual(ended.code, 130)
        assert.match(
          ended.stderr,
          /The file is incomplete\. Its first [\d,]+ trades are in .*a\.csv\.part\. To continue, run the same command again\./
        )
        assert.sameMembers(yield* files.readDirectory(cwd), ["a.csv.part", "a.csv.part.json"])
        assert.notInclude(yield* files.readFileString(`${cwd}/a.csv.part.json`), key)
        assertQuiet(ended)
      })
    )
  )

  it.live("reports where trades are missing, and ends with 3", () =>
    provided(
      Effect.gen(function* () {
        const cwd = yield* folder
        const tape = { last: 3000, left: new Set([1200, 1201]), getTime: (id: number) => begins + id * 1000 }
        const { rest } = yield* stubExchange(coinbaseStub(tape))
        const config = { exchanges: [{ id: "stub", driver: "coinbaseexchange", rest }] }
        const ended = yield* Effect.gen(function* () {
          const { origin } = yield* RunningService
          const times = ["--since", String(begins + 1_000_000), "--until", String(begins + 1_500_000)]
          return yield* chaintapeAlone(
            ["trades", "stub", "BTC-USD", ...times, "--out", "a.csv", "--url", origin, "--page", "150"],
            { cwd, environment: { CHAINTAPE_API_KEY: key } }
          )
        }).pipe(Effect.provide(RunningService.layer({ config })))
        assert.strictEqual(ended.code, 3, ended.stderr)
        assert.match(
          ended.stdout,
          /^499 trades .*: incomplete, nothing proves that no row is missing in 2025-01-01T00:1[\d:.]+Z to 2025-01-01T00:2[\d:.]+Z\.\n$/
        )
      })
    )
  )

  it.live("proves nothing if the exchange has no order, or if pages have no trade in common", () =>
    provided(
      Effect.gen(function* () {
        const cwd = yield* folder
        const unknown = yield* tapeService({ count: 700, coverage: () => "verifiable=?0" })
        const ended = yield* chaintape(tapeWords(unknown.rest, "a.csv", 300), { cwd })
        assert.strictEqual(ended.code, 0, ended.stderr)
        assert.include(ended.stdout, "unverifiable, the exchange gives no means to tell whether trades are missing.")

        const renamed = { by: 0 }
        const changing = yield* tapeService({
          count: 700,
          writes: (id) => tradeJson(id).replace(/"id":"(\d+)"/, (_, text: string) => `"id":"${text}-${renamed.by}"`),
          over: (_, query) => {
            renamed.by = Number(query.get("since")) > begins + 20 ? 1 : 0
            return undefined
          }
        })
        const apart = yield* chaintape(tapeWords(changing.rest, "b.csv", 300, "--page", "100"), { cwd })
        assert.strictEqual(apart.code, 0, apart.stderr)
        assert.match(apart.stdout, /unverifiable, pages have no trade in common at 2025-01-01T00:00:00\.0\d\dZ/)
      })
    )
  )

  it.live("stops where a whole page is of one millisecond", () =>
    provided(
      Effect.gen(function* () {
        const cwd = yield* folder
        const { rest } = yield* tapeService({ count: 700 })
        const ended = yield* chaintape(tapeWords(rest, "a.csv", 300, "--page", "7"), { cwd })
        assert.strictEqual(ended.code, 1)
        assert.match(ended.stderr, /7 trades and more are of the same time, .* Try --page 50000\./)
      })
    )
  )

  it.live("waits as long as Retry-After says, and reports it", () =>
    provided(
      Effect.gen(function* () {
        const cwd = yield* folder
        const left = { refusals: 2 }
        const { rest } = yield* tapeService({
          count: 700,
          over: (path) => (path.endsWith("/trades") && left.refusals-- > 0 ? rateLimitResponse(300) : undefined)
        })
        const ended = yield* chaintape(tapeWords(rest, "a.csv", 300), { cwd })
        assert.strictEqual(ended.code, 0, ended.stderr)
        assert.strictEqual(ended.stderr, "Waiting: answered with status 429, which asks for a pause of 1 s\n")
      })
    )
  )

  it.live("replaces a file only with the option for it, and reads the latest trades", () =>
    provided(
      Effect.gen(function* () {
        const cwd = yield* folder
        const files = yield* FileSystem.FileSystem
        const { rest } = yield* tapeService({ count: 700 })
        const words = ["trades", "tape", "BTC-USD", "--last", "9", "--url", rest, "--key", key, "--out"]
        yield* files.writeFileString(`${cwd}/a.ndjson`, "mine")
        const refused = yield* chaintapeAlone([...words, "a.ndjson"], { cwd })
        assert.strictEqual(refused.code, 1)
        assert.match(
          refused.stderr,
          /^The file ".*a\.ndjson" exists: give --force to replace it, or another --out\.\n$/
        )
        assert.strictEqual(yield* files.readFileString(`${cwd}/a.ndjson`), "mine")
        const ended = yield* chaintape([...words, "a.ndjson", "--force"], { cwd })
        assert.strictEqual(ended.code, 0, ended.stderr)
        assert.strictEqual(yield* files.readFileString(`${cwd}/a.ndjson`), toNdjson(691, 699))
        assert.deepStrictEqual(yield* files.readDirectory(cwd), ["a.ndjson"])
      })
    )
  )

  it.live("refuses a folder in place of the file before it reads anything", () =>
    provided(
      Effect.gen(function* () {
        const cwd = yield* folder
        const files = yield* FileSystem.FileSystem
        const { rest } = yield* tapeService({ count: 700 })
        const words = ["trades", "tape", "BTC-USD", "--last", "9", "--url", rest, "--key", key]
        yield* files.makeDirectory(`${cwd}/a.csv`)
        for (const more of [[], ["--force"]]) {
          const refused = yield* chaintape([...words, "--out", "a.csv", ...more], { cwd })
          assert.strictEqual(refused.code, 1)
          assert.match(refused.stderr, /^".*a\.csv" is a folder, which is never replaced: give another --out\.\n$/)
          assert.deepStrictEqual(yield* files.readDirectory(cwd), ["a.csv"])
        }
      })
    )
  )
})
