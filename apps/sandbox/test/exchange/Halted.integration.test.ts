import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, Logger, Schema } from "effect"
import { SandboxExchange } from "../../src/exchange/SandboxExchange.ts"
import { call, ids, listen, matches, subscribe, until, untilSo } from "./RunningExchange.ts"

const Status = Schema.fromJsonString(Schema.Struct({ halted: Schema.NullOr(Schema.String) }))

const readHalted = Effect.fnUntraced(function* (exchange: SandboxExchange["Service"]) {
  const { body } = yield* call(exchange, "/sandbox/status")
  return (yield* Schema.decodeUnknownEffect(Status)(body)).halted
})

describe("SandboxExchange, whose journal cannot be written", () => {
  it.live(
    "halts, says why, and continues with the next trade once the journal can be written",
    () =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const journalDir = yield* fs.makeTempDirectoryScoped()
        const file = `${journalDir}/BTC-USD.ndjson`
        const lines: Array<string> = []
        const logger = Logger.make<unknown, void>(({ logLevel, message }) => void lines.push(`${logLevel} ${message}`))
        yield* Effect.gen(function* () {
          const exchange = yield* SandboxExchange
          const listener = yield* listen(exchange)
          listener.send(subscribe("BTC-USD"))
          yield* until("trades", () => matches(listener).length > 20)
          // A folder in the place of the file: also a privileged user cannot append to it.
          yield* fs.rename(file, `${file}.away`)
          yield* fs.makeDirectory(file)
          yield* untilSo(
            "the halt",
            Effect.map(readHalted(exchange), (halted) => halted !== null)
          )
          yield* fs.remove(file, { recursive: true })
          yield* fs.rename(`${file}.away`, file)
          yield* untilSo(
            "the end of the halt",
            Effect.map(readHalted(exchange), (halted) => halted === null)
          )
          const before = matches(listener).length
          yield* until("further trades", () => matches(listener).length > before + 20)
          const seen = ids(matches(listener))
          assert.deepStrictEqual(
            seen,
            seen.map((_, index) => (seen[0] ?? 0) + index)
          )
        }).pipe(
          Effect.scoped,
          Effect.provide(
            SandboxExchange.layer({ journalDir, rateLimit: "none", tradesPerSecond: 500, tick: "5 millis" }).pipe(
              Layer.provide(Logger.layer([logger]))
            )
          )
        )
        assert.match(
          lines[0] ?? "",
          /^Error The sandbox exchange could not \w+( to)? its journal ".*BTC-USD\.ndjson": EISDIR: .*\. It halts until it can\.$/
        )
        assert.strictEqual(lines.at(-1), "Info The sandbox exchange writes its journal again, and continues.")
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
    90_000
  )
})
