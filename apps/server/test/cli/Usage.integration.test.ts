import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import manifest from "../../package.json" with { type: "json" }
import { json } from "../cex/ccxt/StubExchange.ts"
import { chaintape, chaintapeAlone } from "./CommandRun.ts"
import { tapeService } from "./TapeService.ts"

const provided = <A, E>(effect: Effect.Effect<A, E, FileSystem.FileSystem | Effect.Services<typeof folder>>) =>
  effect.pipe(Effect.scoped, Effect.provide(NodeServices.layer))

const folder = Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped())

const market = ["trades", "tape", "BTC-USD"]
const out = ["--out", "a.csv"]

const wrong: ReadonlyArray<readonly [words: ReadonlyArray<string>, says: RegExp]> = [
  [["bogus"], /Unknown subcommand "bogus"/],
  [["trades"], /Missing required argument: exchange/],
  [["trades", "tape", "BTCUSD", "--since", "1h", ...out], /BTCUSD.*BASE-QUOTE/],
  [[...market, "--since", "1h", ...out, "--bogus"], /--bogus/],
  [[...market, "--since", "1h"], /--out/],
  [[...market, ...out], /^Which trades\? Give --since TIME/],
  [[...market, "--since", "1h", "--last", "5", ...out], /^--last excludes/],
  [[...market, "--last", "50001", ...out], /50001.*50000/],
  [[...market, "--since", "yesterday", ...out], /^--since is "yesterday": it must be a time such as/],
  [[...market, "--since", "1795240134", ...out], /are seconds: Unix milliseconds are 1795240134000\./],
  [[...market, "--since", "2999-01-01", ...out], /which is to come/],
  [[...market, "--since", "1h", "--until", "2h", ...out], /which is after --until/],
  [[...market, "--since", "1h", "--out", "a.txt"], /^The name "a\.txt" says no format/],
  [[...market, "--since", "1h", "--out", "-"], /^Which format\?/],
  [[...market, "--since", "1h", ...out, "--url", "example"], /^--url is "example": it must be an address/],
  [[...market, "--since", "1h", ...out, "--url", "http://a:canary@b"], /^--url is "b\/": .* without a password/],
  [[...market, "--since", "1h", ...out, "--key", "canary\u2013"], /^The key of --key has a character that no header/],
  [[...market, "--since", "1h", ...out, "--key", " "], /^--key is empty/]
]

describe("the command line", () => {
  it.live(
    "reports wrong arguments in a sentence, and exits with 2",
    () =>
      provided(
        Effect.gen(function* () {
          const cwd = yield* folder
          const files = yield* FileSystem.FileSystem
          yield* Effect.forEach(
            wrong,
            Effect.fnUntraced(function* ([words, says], index) {
              // The first one has its own process.
              const run = index === 0 ? chaintapeAlone : chaintape
              const { code, stderr, stdout } = yield* run(words, { cwd })
              assert.match(stderr, says)
              assert.strictEqual(code, 2, stderr)
              assert.strictEqual(stdout, "")
              assert.notMatch(stderr, /\bat \S+ \(|\bat file:|canary/)
            }),
            { concurrency: 2 }
          )
          assert.deepStrictEqual(yield* files.readDirectory(cwd), [])
        })
      ),
    90_000
  )

  it.live(
    "exits with 2, as for wrong arguments, without a subcommand and without a configuration that it can read",
    () =>
      provided(
        Effect.gen(function* () {
          const cwd = yield* folder
          for (const group of ["keys", "archive", "accounts"]) {
            const { code, stdout } = yield* chaintape([group], { cwd })
            assert.include(stdout, `chaintape ${group} <subcommand>`)
            assert.strictEqual(code, 2, group)
          }
          for (const words of ["verify uniswap-v3 devnet", "import kraken BTC-USD none.csv"]) {
            const { code, stderr } = yield* chaintape([...words.split(" "), "--config", cwd], { cwd })
            assert.include(stderr, `"${cwd}" cannot be read: it is a folder`)
            assert.strictEqual(code, 2, stderr)
          }
        })
      )
  )

  it.live("explains itself", () =>
    provided(
      Effect.gen(function* () {
        const cwd = yield* folder
        const root = yield* chaintape(["--help"], { cwd })
        assert.strictEqual(root.code, 0)
        assert.match(root.stdout, /trades\s+Write the trades of a market into a file/)
        const { code, stdout } = yield* chaintape(["trades", "--help"], { cwd })
        assert.strictEqual(code, 0)
        for (const flag of ["since", "until", "last", "out", "format", "url", "key", "page", "force"])
          assert.match(stdout, new RegExp(`--${flag}\\b`))
        const version = yield* chaintapeAlone(["--version"], { cwd })
        assert.strictEqual(version.stdout, `chaintape v${manifest.version}\n`)
      })
    )
  )

  it.live("prints how to start the service if no process answers, and names another program that answers", () =>
    provided(
      Effect.gen(function* () {
        const cwd = yield* folder
        const files = yield* FileSystem.FileSystem
        const { rest } = yield* Effect.scoped(tapeService({ count: 1 }))
        const away = yield* chaintape([...market, "--since", "1h", ...out, "--url", rest], { cwd })
        assert.strictEqual(away.code, 1)
        assert.include(away.stderr, `No complete response from ${rest} (`)
        assert.include(away.stderr, "Start the service with `npx -y pnpm@12 start`, or give its address with --url.")

        const page = { headers: { "content-type": "text/html" }, body: "<html></html>" }
        const other = yield* tapeService({ count: 1, over: () => page })
        const strange = yield* chaintape([...market, "--since", "1h", ...out, "--url", other.rest], { cwd })
        assert.strictEqual(strange.code, 1)
        assert.include(strange.stderr, `The server at ${other.rest} is not this service`)
        assert.deepStrictEqual(yield* files.readDirectory(cwd), [])
      })
    )
  )

  it.live("takes the key that is given, that of the environment, or that of the offline start", () =>
    provided(
      Effect.gen(function* () {
        const cwd = yield* folder
        const files = yield* FileSystem.FileSystem
        const problem = {
          ...json({
            type: "/problems/invalid-api-key",
            title: "Invalid API key",
            status: 401,
            code: "invalid-api-key",
            detail: "The API key is not valid."
          }),
          status: 401
        }
        const { rest } = yield* tapeService({ count: 1, over: () => problem })
        const words = [...market, "--since", "1h", ...out, "--url", rest]
        const environment = { CHAINTAPE_KEY: "chaintape_of-the-environment" }
        const says = Effect.fnUntraced(function* (more: ReadonlyArray<string>, environment: Record<string, string>) {
          const { code, stderr, stdout } = yield* chaintape([...words, ...more], { cwd, environment })
          assert.strictEqual(code, 1)
          assert.notMatch(stderr + stdout, /chaintape_/)
          return stderr
        })
        const none =
          "The API key is not valid. Give one with --key or in the environment variable CHAINTAPE_KEY or CHAINTAPE_API_KEY.\n"
        assert.strictEqual(yield* says([], {}), none)
        yield* files.makeDirectory(`${cwd}/.chaintape`)
        yield* files.writeFileString(`${cwd}/.chaintape/local-key`, "chaintape_of-the-offline-start\n")
        assert.match(yield* says([], {}), /^The API key is not valid\. It is from the file .*local-key\.\n$/)
        assert.match(yield* says([], environment), /It is from the environment variable CHAINTAPE_KEY\./)
        assert.match(yield* says(["--key", "chaintape_given"], environment), /It is from --key\./)
      })
    )
  )
})
