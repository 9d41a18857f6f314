import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Stream } from "effect"
import { identifyFile, streamTrades } from "../../../src/cex/dumps/DumpFile.ts"

const expected = {
  exchange: "gate",
  driver: "gate",
  hasConsecutiveIds: true,
  market: { base: "BTC", quote: "USDT" },
  now: Date.UTC(2026, 0, 1)
}

describe("a published file", () => {
  it.effect("is read if it begins with a byte order mark, also without a header", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const path = `${yield* files.makeTempDirectoryScoped()}/BTC_USDT-202501.csv`
      yield* files.writeFileString(path, "\ufeff1735776000.123456,77,94000.5,0.01,1\r\n1735776000.2,78,94000,1,2\r\n")
      const batches = yield* Stream.runCollect(streamTrades(path, expected, { rows: 10, skip: 0 }))
      assert.deepStrictEqual(
        batches.flatMap(({ trades }) => trades).map(({ id, timestamp }) => [id, timestamp]),
        [
          ["77", 1_735_776_000_123],
          ["78", 1_735_776_000_200]
        ]
      )
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.effect("is refused with what to do if there is none, or a folder in its place", () =>
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const folder = yield* files.makeTempDirectoryScoped()
      const refusals = [
        [`${folder}/absent.csv`, "there is no such file."],
        [folder, "it is a folder, so give the paths of its files."]
      ] as const
      for (const [path, reason] of refusals) {
        const { message } = yield* Effect.flip(identifyFile(path))
        assert.strictEqual(message, `"${path}" cannot be imported: ${reason}`)
      }
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
