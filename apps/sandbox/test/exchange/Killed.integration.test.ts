import { fileURLToPath } from "node:url"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Schema, Stream } from "effect"
import { ChildProcess } from "effect/process"
import { SandboxExchange } from "../../src/exchange/SandboxExchange.ts"
import { ids, listen, matches, subscribe, until } from "./RunningExchange.ts"

const Addresses = Schema.fromJsonString(Schema.Struct({ rest: Schema.String, websocket: Schema.String }))
const program = fileURLToPath(new URL("./internal/childExchange.ts", import.meta.url))

/** Starts an exchange in its own process, watches it, and kills it while it works. */
const watchAndKill = (journalDir: string, frames: number) =>
  Effect.gen(function* () {
    const child = yield* ChildProcess.make(process.execPath, ["--conditions=chaintape-source", program, journalDir])
    const [line = ""] = yield* child.stdout.pipe(
      Stream.decodeText(),
      Stream.splitLines,
      Stream.take(1),
      Stream.runCollect
    )
    const listener = yield* listen(yield* Schema.decodeUnknownEffect(Addresses)(line))
    listener.send(subscribe("BTC-USD"))
    yield* until("enough frames", () => matches(listener).length > frames)
    yield* child.kill({ killSignal: "SIGKILL" }).pipe(Effect.ignore)
    yield* until("the end", listener.closed)
    return matches(listener)
  }).pipe(Effect.scoped)

describe("SandboxExchange, killed", () => {
  it.live(
    "still has every trade that it showed before it was killed",
    () =>
      Effect.gen(function* () {
        const journalDir = yield* (yield* FileSystem.FileSystem).makeTempDirectoryScoped()
        const seen = [...(yield* watchAndKill(journalDir, 150)), ...(yield* watchAndKill(journalDir, 150))]
        const journal = yield* Effect.flatMap(SandboxExchange, (exchange) => exchange.journal("BTC-USD")).pipe(
          Effect.provide(SandboxExchange.layer({ journalDir }))
        )
        assert.isAbove(seen.length, 300)
        assert.strictEqual(new Set(ids(seen)).size, seen.length)
        for (const { price, sequence, size, time, trade_id } of seen) {
          const truth = journal[(trade_id ?? 0) - 1]
          assert.deepStrictEqual(
            { price, sequence, size, time, trade_id },
            {
              price: truth?.price,
              sequence: truth?.sequence,
              size: truth?.size,
              time: truth?.time,
              trade_id: truth?.trade_id
            }
          )
        }
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
    180_000
  )
})
