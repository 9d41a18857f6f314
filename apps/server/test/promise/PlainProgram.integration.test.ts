import { fileURLToPath } from "node:url"
import { SandboxExchange } from "@chaintape/sandbox"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Schema, Stream } from "effect"
import { ChildProcess } from "effect/process"
import { key, RunningService } from "../RunningService.ts"
import { overExchange } from "../SandboxService.ts"

const program = fileURLToPath(new URL("program.mjs", import.meta.url))

const Said = Schema.Struct({
  ping: Schema.String,
  isRecent: Schema.Boolean,
  price: Schema.String,
  coverage: Schema.String,
  first: Schema.Array(Schema.String),
  ids: Schema.Array(Schema.String),
  pages: Schema.Array(Schema.String),
  unknown: Schema.Unknown,
  wrong: Schema.Unknown,
  intruder: Schema.Boolean,
  aborted: Schema.String
})

/** The output of the program in a Node process of its own. */
const said = Effect.gen(function* () {
  const { origin } = yield* RunningService
  const command = ChildProcess.make(process.execPath, ["--conditions=chaintape-source", program], {
    env: { CHAINTAPE_BASE_URL: origin, CHAINTAPE_API_KEY: key },
    extendEnv: true
  })
  const child = yield* command
  const output = yield* Stream.mkString(Stream.decodeText(child.all))
  assert.strictEqual(yield* child.exitCode, 0, output)
  return yield* Schema.decodeUnknownEffect(Schema.fromJsonString(Said))(output)
}).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

describe("a program without Effect", () => {
  layer(overExchange, { excludeTestServices: true, timeout: "60 seconds" })((it) => {
    it.effect("reads values, streams and errors of the running service as promises", () =>
      Effect.gen(function* () {
        const { first, ids, pages, ...rest } = yield* said
        assert.deepStrictEqual(rest, {
          ping: rest.ping,
          isRecent: true,
          price: "string",
          coverage: "complete",
          unknown: ["ExchangeNotFound", "nowhere", 404],
          wrong: ["limit"],
          intruder: true,
          aborted: "Error: no longer wanted"
        })
        const exchange = yield* SandboxExchange
        const journal = (yield* exchange.journal("BTC-USD")).map(({ trade_id }) => String(trade_id))
        const start = journal.indexOf(ids[0] ?? "")
        assert.isAtLeast(start, 0)
        const truth = journal.slice(start, start + 40)
        assert.lengthOf(first, 10)
        assert.isTrue(first.every((id) => truth.includes(id)))
        assert.deepStrictEqual(ids, truth)
        assert.deepStrictEqual(pages, truth)
      })
    )
  })
})
