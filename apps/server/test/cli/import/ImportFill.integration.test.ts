import { writeFileSync } from "node:fs"
import { SandboxExchange } from "@chaintape/sandbox"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import { chaintape } from "../CommandRun.ts"

const exchange = SandboxExchange.layer({
  tradesPerSecond: 20,
  tick: "50 millis",
  history: "1 minute",
  rateLimit: "none"
})
const words = ["import", "sandbox", "BTC-USD"]

describe("chaintape import --fill", () => {
  it.live(
    "requests the trades that the files lack from the exchange",
    () =>
      Effect.gen(function* () {
        const { journal, rest, websocket } = yield* SandboxExchange
        const files = yield* FileSystem.FileSystem
        const cwd = yield* files.makeTempDirectoryScoped()
        const trades = yield* journal("BTC-USD")
        const rows = trades.map(({ price, side, size, time, trade_id }) =>
          // The journal has the side of the maker.
          [trade_id, Date.parse(time), time, price, size, "", side === "buy" ? "sell" : "buy"].join(",")
        )
        const missing = rows.splice(10, 5)
        assert.strictEqual(missing.length, 5)
        const head = "id,timestamp,time,price,size,cost,side"
        writeFileSync(`${cwd}/trades.csv`, [head, ...rows, ""].join("\n"))
        const exchanges = [{ id: "sandbox", driver: "coinbaseexchange", rest, websocket }]
        writeFileSync(`${cwd}/chaintape.config.json`, JSON.stringify({ exchanges }))
        const environment = { CHAINTAPE_DATA_DIR: `${cwd}/data` }

        const without = yield* chaintape([...words, "trades.csv"], { cwd, environment })
        assert.strictEqual(without.code, 3, without.stderr)
        assert.include(without.stdout, "5 ids are missing in 1 gap.")

        const filled = yield* chaintape([...words, "--fill", "trades.csv"], { cwd, environment })
        assert.strictEqual(filled.code, 0, filled.stderr)
        assert.include(filled.stdout, "5 missing trades came from the exchange.")
        assert.match(filled.stdout, /No id from \d+ to \d+ is missing\./)
      }).pipe(Effect.scoped, Effect.provide(Layer.merge(exchange, NodeServices.layer))),
    120_000
  )
})
