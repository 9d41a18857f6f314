import { spawnSync } from "node:child_process"
import process from "node:process"
import { fileURLToPath } from "node:url"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Console, Effect, FileSystem } from "effect"
import { program } from "../../src/program/App.ts"

const main = fileURLToPath(new URL("../../src/main.ts", import.meta.url))

/** The output of the start in this environment, and its exit code. It opens nothing before it fails. */
const refusal = Effect.fnUntraced(function* (environment: Readonly<Record<string, string>>) {
  const said: Array<string> = []
  const keep = (...words: ReadonlyArray<unknown>) => void said.push(words.join(" "))
  const run = program.pipe(
    Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnv({ env: environment })),
    Effect.provideService(Console.Console, { ...globalThis.console, log: keep, error: keep }),
    Effect.timeout("30 seconds"),
    Effect.map(() => ({ code: process.exitCode, text: said.join("\n") }))
  )
  const before = process.exitCode
  // The exit code of the start, not of the tests.
  return yield* Effect.ensuring(
    run,
    Effect.sync(() => {
      process.exitCode = before
    })
  )
})

/** It is a message, not a stack trace. */
const assertRefused = ({ code, text }: Effect.Success<ReturnType<typeof refusal>>, ...told: ReadonlyArray<string>) => {
  assert.strictEqual(code, 1)
  assert.match(text, /^Chaintape has \w+/)
  for (const part of told) assert.include(text, part)
  assert.notMatch(text, /\bat \S+ \(|\bat file:/)
}

/** The environment with a configuration file. */
const configured = Effect.fnUntraced(function* (config: unknown) {
  const files = yield* FileSystem.FileSystem
  const folder = yield* files.makeTempDirectoryScoped()
  const file = `${folder}/chaintape.config.json`
  yield* files.writeFileString(file, JSON.stringify(config))
  return { CHAINTAPE_CONFIG: file, CHAINTAPE_DATA_DIR: `${folder}/data` }
})

const provided = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  effect.pipe(Effect.scoped, Effect.provide(NodeServices.layer))

describe("a start that is refused", () => {
  it.live("names every mistake of a wrong configuration file by its path, and opens nothing", () =>
    provided(
      Effect.gen(function* () {
        const environment = yield* configured({
          exchanges: [
            { id: "Kraken" },
            { id: "a", driver: "nonsense", rest: "localhost" },
            { id: "b", record: ["BTCUSD"] }
          ],
          blockchains: [
            { id: "x", name: "", rpc: [] },
            { id: "y", name: "Y", rpc: ["ftp://y"], finality: -1, rcp: 1 }
          ],
          exchnages: []
        })
        assertRefused(
          yield* refusal(environment),
          "exchanges[0].id",
          "exchanges[1].rest",
          "exchanges[2].record[0]",
          "blockchains[0].name",
          "blockchains[0].rpc",
          "blockchains[1].rpc[0]",
          "blockchains[1].finality",
          "blockchains[1].rcp",
          "exchnages"
        )
        const files = yield* FileSystem.FileSystem
        assert.isFalse(yield* files.exists(environment.CHAINTAPE_DATA_DIR))
      })
    )
  )

  it.live.skipIf(process.platform !== "linux")(
    "ends with a message where no directory can be made for the sandbox",
    () =>
      provided(
        Effect.gen(function* () {
          const cwd = yield* Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped())
          for (const place of ["/proc", "/proc/nothing/below"]) {
            // A process of its own, which can be ended: the runtime's recursive `mkdir` never returns there.
            const { status, stderr } = spawnSync(process.execPath, ["--conditions=chaintape-source", main], {
              cwd,
              env: { PATH: process.env["PATH"], PORT: "0", CHAINTAPE_DATA_DIR: place },
              timeout: 60_000,
              killSignal: "SIGKILL",
              encoding: "utf8"
            })
            assertRefused(
              { code: status ?? undefined, text: stderr },
              "cannot be written",
              "set CHAINTAPE_DATA_DIR to another directory"
            )
          }
        })
      ),
    150_000
  )

  it.live.each([
    ["CHAINTAPE_CONFIG", "/nowhere/at-all.json", "cannot be read: there is no such file"],
    ["CHAINTAPE_CONFIG", "/", "cannot be read: it is a folder, so give the path of a file"],
    ["PORT", "65536"],
    ["PORT", "http"],
    ["METRICS_PORT", "65536"],
    ["CHAINTAPE_BOOTSTRAP_KEY", "too short"],
    ["DATABASE_URL", "host=127.0.0.1 dbname=chaintape", "an address that begins with postgres://"],
    ["CHAINTAPE_ROLES", "api,reader", 'Expected "api", "recorder" and "indexer"'],
    ["OTEL_EXPORTER_OTLP_ENDPOINT", "collector:4318", "an address that begins with http:// or https://"]
  ])("refuses %s=%s with a message that names it", ([name = "", value = "", expected = ""]) =>
    provided(
      Effect.gen(function* () {
        const refused = yield* refusal({ ...(yield* configured({})), [name]: value })
        assertRefused(refused, name === "CHAINTAPE_CONFIG" ? value : `${name} is wrong: `, expected)
        if (name === "CHAINTAPE_BOOTSTRAP_KEY") assert.notInclude(refused.text, value)
      })
    )
  )
})
