import { type ChildProcess, spawn } from "node:child_process"
import { mkdtemp, readdir, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { repository, run } from "../../Command.ts"

const key = "chaintape_key_of_the_examples"
const condition = "--conditions=chaintape-source"

/** The output of each program after it has succeeded. */
const said: Readonly<Record<string, RegExp>> = {
  "cached-answers.ts": /^.+ was sent once$/m,
  "configuration.ts": /^(\d+) exchanges by the environment, \1 by the provider$/m,
  "day-of-trades.ts": /^[1-9]\d+ trades of BTC\/USD, [\d.]+ in all: none is missing$/m,
  "last-trade-function.ts": /^(buy|sell) [\d.e-]+ BTC\/USD at [\d.]+, worth [\d.]+$/m,
  "last-trade.ts": /^(buy|sell) [\d.e-]+ BTC\/USD at [\d.]+, worth [\d.]+$/m,
  "one-client.ts": /^ETH\/USD is at [\d.]+, and the minute is (open|over)\ndevnet is at block \d+, final: false$/m,
  "pools-as-of-block.ts": /^(\S+\/\S+: [\d.]+ \S+, a change of [\d.e+-]+ since block \d+\n){3}$/m,
  "problems.ts":
    /^BTC\/USD: [\d.]+\n.*no exchange nowhere\n.*does not list BTC\/XYZ\n.*no API key.*\n.*in 2 attempts: .*ECONNREFUSED/m,
  "promise-last-trade.ts": /^(buy|sell) [\d.e-]+ BTC\/USD at [\d.]+, \d{4}-\S+Z\nsandbox does not list BTC\/XYZ$/m,
  "promise-price.ts": /^(buy|sell) [\d.e-]+ BTC\/USD at [\d.]+, \d{4}-\S+Z$/m,
  "promise-trades.ts": /^500 trades since \S+Z, [\d.]+ BTC in all\nas of block \d+: \S+\/\S+ \S+\/\S+$/m,
  "recent-blocks.ts": /^(block \d+ of \S+Z used \d+ gas\n){3}[1-9]\d* blocks in five minutes$/m,
  "recent-swaps.ts": /^[1-9]\d* swaps of \S+\/\S+, worth [\d.]+ USD\n\S+ is at [\d.e-]+ \S+$/m,
  "stream-blocks.ts": /^[1-9]\d* gas in 31 blocks$/m,
  "stream-live-chain.ts": /^3 blocks followed\na swap in block [1-9]\d*$/m,
  "stream-pools.ts": /^[1-9]\d* pools as of block \d+$/m,
  "stream-resume.ts": /^[1-9]\d{3,} trades in two runs; 0 pages may lack some$/m,
  "stream-trades.ts": /^[1-9]\d+ trades since \S+Z$/m,
  "testing-cassette.ts": /^recorded: (\S+: [\d.]+(?:, )?){3}\nreplayed: .+\nthe same$/m,
  "trades-since.ts": /^1000 trades since \S+Z: complete$/m,
  "valuation-of-holdings.ts": /^The holdings are worth [1-9]\d*\.\d\d USD\.$/m
}

const programs = (await readdir(join(repository, "examples"))).filter((name) => /^[a-z].*\.ts$/.test(name)).sort()

let service: ChildProcess
let folder = ""
let origin = ""

const start = async () => {
  folder = await mkdtemp(join(tmpdir(), "chaintape-examples-"))
  service = spawn(process.execPath, [condition, "apps/server/src/main.ts"], {
    cwd: repository,
    env: {
      ...process.env,
      PORT: "0",
      METRICS_PORT: "0",
      HOST: "127.0.0.1",
      CHAINTAPE_CONFIG: undefined,
      CHAINTAPE_DATA_DIR: folder,
      CHAINTAPE_BOOTSTRAP_KEY: key,
      DATABASE_URL: undefined
    },
    stdio: ["ignore", "pipe", "inherit"]
  })
  return new Promise<string>((resolve, reject) => {
    let output = ""
    service.stdout?.on("data", (chunk: Buffer) => {
      output += chunk.toString()
      const [, found] = /^Chaintape is ready at (\S+)$/m.exec(output) ?? []
      if (found !== undefined) resolve(found)
    })
    service.once("exit", (code) => reject(new Error(`The service ended with ${code}:\n${output}`)))
  })
}

beforeAll(async () => {
  origin = await start()
}, 180_000)

afterAll(async () => {
  if (service.exitCode === null) {
    const ended = new Promise((resolve) => service.once("exit", resolve))
    service.kill("SIGTERM")
    await ended
  }
  await rm(folder, { recursive: true, force: true })
})

/** The programs that end after a fixed time, whatever has arrived by then. */
const timed = ["stream-trades.ts"]

describe("the examples", { timeout: 180_000 }, () => {
  it("are all known to this test", () => {
    assert.deepStrictEqual(programs, Object.keys(said))
  })

  it.each(programs)("%s runs against the service as it starts", async (name) => {
    const expected = said[name] ?? /^$/
    const runs = () =>
      run(process.execPath, [condition, join("examples", name)], {
        cwd: repository,
        env: { CHAINTAPE_BASE_URL: origin, CHAINTAPE_API_KEY: key, NODE_COMPILE_CACHE: join(folder, "compiled") }
      })
    let { code, output } = await runs()
    // A busy machine can only slow a program down: one that is too slow by itself is too slow in every attempt.
    for (let again = 0; timed.includes(name) && !expected.test(output) && again < 4; again++) {
      ;({ code, output } = await runs())
    }
    assert.strictEqual(code, 0, output)
    assert.match(output, expected)
  })
})
