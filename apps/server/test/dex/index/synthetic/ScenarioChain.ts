import { createRequire } from "node:module"
import { arch, platform } from "node:process"
import { gunzipSync } from "node:zlib"
import { Effect, FileSystem, Schema, Stream } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"
import { ChildProcess } from "effect/process"

const Scenario = Schema.Struct({
  anvil: Schema.Struct({ args: Schema.Array(Schema.String) }),
  config: Schema.Struct({
    chainId: Schema.Int,
    factory: Schema.String,
    referenceToken: Schema.String,
    stablePool: Schema.String,
    whitelist: Schema.Array(Schema.String),
    stablecoins: Schema.Array(Schema.String),
    minimumNativeLocked: Schema.String,
    startBlock: Schema.Int
  }),
  steps: Schema.Array(Schema.TupleWithRest(Schema.Tuple([Schema.String]), [Schema.Unknown])),
  headNumber: Schema.Int,
  headHash: Schema.String
})

const ExpectedLine = Schema.fromJsonString(
  Schema.Struct({
    block: Schema.Int,
    type: Schema.Literals(["factory", "token", "pool", "mint", "burn", "swap"]),
    id: Schema.String,
    pool: Schema.optionalKey(Schema.String),
    fields: Schema.Record(Schema.String, Schema.Unknown)
  })
)
export type ExpectedLine = typeof ExpectedLine.Type

const folder = new URL("../../../fixtures/uniswap-v3/", import.meta.url)

export const readScenario = Effect.fnUntraced(function* (name: string) {
  const files = yield* FileSystem.FileSystem
  const text = yield* files.readFileString(new URL(`${name}.scenario.json`, folder).pathname)
  return yield* Schema.decodeUnknownEffect(Schema.fromJsonString(Scenario))(text)
})

/** The expected state: a line for each entity and block in which it changes. */
export const readExpected = Effect.fnUntraced(function* (file: string) {
  const files = yield* FileSystem.FileSystem
  const bytes = yield* files.readFile(new URL(file, folder).pathname)
  const text = (file.endsWith(".gz") ? gunzipSync(bytes) : Buffer.from(bytes)).toString("utf8")
  const decode = Schema.decodeUnknownEffect(ExpectedLine)
  return yield* Effect.forEach(text.trimEnd().split("\n"), (line) => decode(line))
})

/** npm installs the program beside its wrapper package, which is a dependency of the sandbox. */
const anvilBinary = Effect.sync(() => {
  const sandbox = new URL("../../../../../sandbox/package.json", import.meta.url)
  const wrapper = createRequire(sandbox).resolve("@foundry-rs/anvil/package.json")
  const architecture = arch === "x64" ? "amd64" : arch
  return createRequire(wrapper).resolve(`@foundry-rs/anvil-${platform}-${architecture}/bin/anvil`)
})

/** An anvil that ends with the scope. Returns its address. */
const startAnvil = Effect.fnUntraced(function* (args: ReadonlyArray<string>) {
  const child = yield* ChildProcess.make(yield* anvilBinary, ["--host", "127.0.0.1", "--port", "0", ...args], {
    stderr: "ignore",
    forceKillAfter: "3 seconds"
  })
  const lines = child.stdout.pipe(Stream.decodeText, Stream.splitLines)
  const port = yield* lines.pipe(
    Stream.map((line) => /^Listening on .*:(\d+)$/.exec(line)?.[1]),
    Stream.filter((found) => found !== undefined),
    Stream.runHead,
    Effect.flatMap(Effect.fromOption)
  )
  return `http://127.0.0.1:${port}`
})

const Reply = Schema.Struct({
  result: Schema.optionalKey(Schema.Unknown),
  error: Schema.optionalKey(Schema.Struct({ message: Schema.String }))
})

const callNode = Effect.fnUntraced(function* (url: string, method: string, params: ReadonlyArray<unknown> = []) {
  const http = yield* HttpClient.HttpClient
  const response = yield* http.execute(
    HttpClientRequest.post(url).pipe(HttpClientRequest.bodyJsonUnsafe({ jsonrpc: "2.0", id: 1, method, params }))
  )
  const { error, result } = yield* Schema.decodeUnknownEffect(Reply)(yield* response.json)
  if (error !== undefined) return yield* Effect.die(new Error(`${method}: ${error.message}`))
  return result
})

/** Replays a scenario on a new anvil, and checks that its head is the recorded one. */
export const replay = Effect.fnUntraced(function* (scenario: typeof Scenario.Type) {
  const url = yield* startAnvil(scenario.anvil.args)
  yield* callNode(url, "anvil_setLoggingEnabled", [false])
  yield* Effect.forEach(scenario.steps, ([method, ...params]) => callNode(url, method, params), { discard: true })
  const head = yield* callNode(url, "eth_getBlockByNumber", [`0x${scenario.headNumber.toString(16)}`, false])
  const { hash } = yield* Schema.decodeUnknownEffect(Schema.Struct({ hash: Schema.String }))(head)
  if (hash !== scenario.headHash) return yield* Effect.die(new Error(`the head is "${hash}"`))
  return url
})
