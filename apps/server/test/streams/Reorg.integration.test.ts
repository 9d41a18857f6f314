import { Blocks } from "@chaintape/blocks"
import * as BlocksStream from "@chaintape/blocks/stream"
import { Devnet } from "@chaintape/sandbox"
import { assert, describe, layer, vi } from "@effect/vitest"
import { Effect, Redacted, Stream } from "effect"
import { key, RunningService } from "../RunningService.ts"
import { overDevnet } from "../SandboxService.ts"

// On a machine that does much else, and is slow (milliseconds).
vi.setConfig({ testTimeout: 300_000 })

describe("a stream of blocks over a devnet", () => {
  layer(overDevnet, { excludeTestServices: true, timeout: 240_000 })((it) => {
    it.effect("ends where a reorg takes its block away, and can begin anew", () =>
      Effect.gen(function* () {
        const { origin } = yield* RunningService
        const devnet = yield* Devnet
        yield* Effect.gen(function* () {
          const request = { blockchain: "devnet", pageSize: 5 }
          const pages = BlocksStream.blockPages(request)
          const [first] = yield* Stream.runCollect(Stream.take(pages, 1))
          if (first === undefined) return assert.fail("there is no page")
          yield* devnet.reorg(3)
          const rest = BlocksStream.blocks({ ...request, cursor: first.cursor })
          const error = yield* Effect.flip(Stream.runDrain(rest))
          assert.strictEqual(error._tag, "BlockReplaced")
          if (error._tag !== "BlockReplaced") return
          assert.deepStrictEqual([error.block, error.hash], [first.asOf.number, first.asOf.hash])
          const anew = yield* Stream.runCollect(pages)
          assert.isAtLeast(Number(anew[0]?.asOf.number), Number(first.asOf.number))
          const numbers = anew.flatMap(({ items }) => items.map(({ number }) => Number(number)))
          assert.deepStrictEqual(numbers, [...numbers.keys()].toReversed())
        }).pipe(Effect.provide(Blocks.layer({ baseUrl: origin, apiKey: Redacted.make(key) })))
      })
    )
  })
})
