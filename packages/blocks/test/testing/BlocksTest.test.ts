import { Blocks } from "@chaintape/blocks"
import { BlocksTest } from "@chaintape/blocks/testing"
import { Client } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

const ways: ReadonlyArray<readonly [string, (script: BlocksTest.BlocksScript) => Layer.Layer<Blocks>]> = [
  ["layer", BlocksTest.layer],
  [
    "layerHttp",
    (script) =>
      Blocks.layerNoDeps.pipe(
        Layer.provide(Client.layerNoDeps({ baseUrl: "http://service.test", retry: { attempts: 1 } })),
        Layer.provide(BlocksTest.layerHttp(script))
      )
  ]
]

const chain = Array.from({ length: 40 }, (_, number) => BlocksTest.block({ number: BigInt(number) }))

const numbers = Schema.Option(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 39 })))
const requests = Schema.Struct({ block: numbers, from: numbers, to: numbers, skip: numbers, limit: numbers })

describe.each(ways)("a Blocks by %s", (_, layerOf) => {
  it.effect.prop("serves the window, the page and the branch that a request asks for", [requests], ([drawn]) =>
    Effect.gen(function* () {
      const { block, skip } = { block: Option.getOrUndefined(drawn.block), skip: Option.getOrUndefined(drawn.skip) }
      const limit = Option.getOrElse(drawn.limit, () => 0) + 1
      const [from = 0, to = 39] = [Option.getOrUndefined(drawn.from), Option.getOrUndefined(drawn.to)].sort(
        (a, b) => (a ?? 0) - (b ?? 39)
      )
      const { blocks } = (yield* Blocks).withResponse
      const answer = yield* blocks({
        blockchain: "devnet",
        block,
        skip,
        limit,
        from: chain[from]?.timestamp,
        to: chain[to]?.timestamp
      })
      const expected = chain
        .map(({ number }) => Number(number))
        .filter((number) => number >= from && number <= to && number <= (block ?? 39))
        .reverse()
        .slice(skip ?? 0, (skip ?? 0) + limit)
      assert.deepStrictEqual(
        answer.value.map(({ number }) => Number(number)),
        expected
      )
      assert.strictEqual(Option.getOrThrow(answer.asOf).number, BigInt(block ?? 39))
    }).pipe(Effect.provide(layerOf({ blocks: chain })))
  )

  it.effect("sorts by any field, and knows no block beyond its head", () =>
    Effect.gen(function* () {
      const { blocks } = yield* Blocks
      const sorted = yield* blocks({ blockchain: "devnet", orderBy: "gasUsed", orderDirection: "desc" })
      assert.deepStrictEqual(
        sorted.map(({ gasUsed }) => gasUsed),
        [10n ** 20n, 10n, 9n]
      )
      const error = yield* Effect.flip(blocks({ blockchain: "devnet", block: 4 }))
      assert.deepInclude(error, { _tag: "BlockNotFound", block: "4", head: "3" })
    }).pipe(
      Effect.provide(
        layerOf({
          blocks: [9n, 10n ** 20n, 10n].map((gasUsed, at) => BlocksTest.block({ number: BigInt(at + 1), gasUsed }))
        })
      )
    )
  )

  it.effect("lists blockchains", () =>
    Effect.gen(function* () {
      const { blockchains } = yield* Blocks
      assert.deepStrictEqual(
        (yield* blockchains({})).map(({ id }) => id),
        ["devnet"]
      )
    }).pipe(Effect.provide(layerOf({ blockchains: [{ id: "devnet", name: "Devnet" }] })))
  )
})
