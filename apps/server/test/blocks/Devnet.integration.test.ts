import { Blocks } from "@chaintape/blocks"
import { Devnet } from "@chaintape/sandbox"
import { assert, describe, layer } from "@effect/vitest"
import { DateTime, Effect, Option, Redacted } from "effect"
import type { Reply } from "../HttpCall.ts"
import { records } from "../HttpCall.ts"
import { key, keyed, RunningService } from "../RunningService.ts"
import { overDevnet } from "../SandboxService.ts"

const path = "/v2/blocks/devnet"
const fields = ["number", "timestamp", "size", "gasLimit", "gasUsed", "totalDifficulty", "author"]
const toNumbers = (reply: Reply) => records(reply).map(({ number }) => Number(number))

/** `number=123, hash="0x...", finalized=?0` */
const asOf = ({ headers }: Reply) => {
  const [, number = "", hash = "", finalized = ""] =
    /^number=(\d+), hash="(0x[0-9a-f]{64})", finalized=\?([01])$/.exec(String(headers["chaintape-as-of"])) ?? []
  return { number: Number(number), hash, finalized: finalized === "1" }
}

describe("the blocks of a real chain", () => {
  layer(overDevnet, { excludeTestServices: true })((it) => {
    it.effect("the list of blockchains holds ids and names", () =>
      Effect.gen(function* () {
        const reply = yield* keyed("/v2/blocks")
        assert.strictEqual(reply.body, '[{"id":"devnet","name":"Devnet"}]')
      })
    )

    it.effect("have exactly the fields of a block, all of them text", () =>
      Effect.gen(function* () {
        const { mine } = (yield* Devnet).chain
        const { number } = yield* mine(1)
        const reply = yield* keyed(path)
        const blocks = records(reply)
        assert.strictEqual(blocks.length, Math.min(100, number + 1))
        for (const block of blocks) {
          assert.deepStrictEqual(Object.keys(block), fields)
          for (const field of fields.slice(0, 5)) assert.match(String(block[field]), /^(0|[1-9]\d*)$/)
          assert.match(String(block["totalDifficulty"]), /^\d*$/)
          assert.match(String(block["author"]), /^0x[0-9a-f]{40}$/)
          for (const value of Object.values(block)) assert.isString(value)
        }
        assert.deepStrictEqual(
          toNumbers(reply),
          Array.from({ length: blocks.length }, (_, index) => number - index)
        )
        assert.strictEqual(reply.headers["chaintape-source"], "rpc")
      })
    )

    it.effect("state the block that they are as of, and whether it is final", () =>
      Effect.gen(function* () {
        const { step } = (yield* Devnet).chain
        const head = yield* step
        const newest = asOf(yield* keyed(path))
        assert.deepStrictEqual([newest.number, newest.finalized], [head.number, false])
        for (const [below, finalized] of [
          [0, false],
          [7, false],
          [8, true],
          [20, true]
        ] as const) {
          const one = asOf(yield* keyed(`${path}?block=${head.number - below}&limit=1`))
          assert.deepStrictEqual([one.number, one.finalized], [head.number - below, finalized])
        }
      })
    )

    it.effect("follow a reorg: no block of the old branch is left", () =>
      Effect.gen(function* () {
        const { reorg, step } = (yield* Devnet).chain
        yield* step
        const before = yield* keyed(`${path}?limit=12`)
        const head = yield* reorg(5)
        const after = yield* keyed(`${path}?limit=12`)
        assert.deepStrictEqual(toNumbers(after), toNumbers(before))
        assert.strictEqual(asOf(after).number, head.number)
        assert.notStrictEqual(asOf(after).hash, asOf(before).hash)
        assert.deepStrictEqual(records(after).slice(5), records(before).slice(5))
        assert.notStrictEqual(after.headers.etag, before.headers.etag)
      })
    )

    it.effect("follow a head with a lower number", () =>
      Effect.gen(function* () {
        const { mine, removeBlocks } = (yield* Devnet).chain
        const top = yield* mine(6)
        assert.strictEqual(asOf(yield* keyed(path)).number, top.number)
        const head = yield* removeBlocks(4)
        assert.strictEqual(asOf(yield* keyed(path)).number, head.number)
        // It was there a moment ago, and a node that is behind would say the same.
        assert.strictEqual((yield* keyed(`${path}?block=${head.number + 1}`)).status, 502)
        assert.strictEqual((yield* keyed(`${path}?block=${top.number + 1}`)).status, 404)
      })
    )

    it.effect("are the same whether they are read by number or by time", () =>
      Effect.gen(function* () {
        const all = records(yield* keyed(`${path}?limit=1000&orderBy=number`))
        const times = all.map(({ timestamp }) => Number(timestamp) * 1000)
        const end = all.length - 1
        for (const [low, high] of [
          [3, 9],
          [0, 0],
          [10, end - 4],
          [end - 1, end],
          [0, end]
        ] as const) {
          const query = `from=${times[low]}&to=${times[high]}&orderBy=number&limit=1000`
          assert.deepStrictEqual(records(yield* keyed(`${path}?${query}`)), all.slice(low, high + 1))
        }
      })
    )

    it.effect("pages together equal the whole list", () =>
      Effect.gen(function* () {
        for (const order of ["", "&orderBy=gasUsed", "&orderBy=size&orderDirection=desc", "&orderBy=author"]) {
          const whole = records(yield* keyed(`${path}?limit=1000${order}`))
          const pages: Array<Readonly<Record<string, unknown>>> = []
          for (let skip = 0; skip < whole.length; skip += 17) {
            pages.push(...records(yield* keyed(`${path}?limit=17&skip=${skip}${order}`)))
          }
          assert.deepStrictEqual(pages, [...whole])
        }
      })
    )

    it.effect("the client decodes them", () =>
      Effect.gen(function* () {
        const { origin } = yield* RunningService
        const {
          value,
          asOf: told,
          source
        } = yield* Effect.flatMap(Blocks, ({ withResponse }) =>
          withResponse.blocks({ blockchain: "devnet", limit: 3, orderBy: "timestamp", orderDirection: "desc" })
        ).pipe(Effect.provide(Blocks.layer({ baseUrl: origin, apiKey: Redacted.make(key) })))
        const [newest] = value
        assert.strictEqual(newest?.number, Option.getOrUndefined(told)?.number)
        assert.strictEqual(Option.getOrUndefined(source), "rpc")
        assert.isTrue(newest !== undefined && DateTime.toEpochMillis(newest.timestamp) > 1_700_000_000_000)
      })
    )
  })
})
