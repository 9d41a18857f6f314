import { assert, describe, it } from "@effect/vitest"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import * as Schema from "effect/Schema"
import * as Stream from "effect/Stream"
import { PoolAddress, TokenAddress } from "../../src/dex/Address.ts"
import * as Answer from "../../src/operation/Answer.ts"
import { BlockReplaced, InvalidCursor } from "../../src/problem/StreamError.ts"
import { blockPages, blocks } from "../../src/stream/BlocksStream.ts"
import { pools, tokens } from "../../src/stream/DexStream.ts"
import { poolTrades, tokenTrades } from "../../src/stream/DexTradeStream.ts"
import { downFrom, modelChain, numbersOf, readListInPieces } from "./ModelChain.ts"

const between = (minimum: number, maximum: number) => Schema.Int.check(Schema.isBetween({ minimum, maximum }))
const listOf = <S extends Schema.Codec<unknown, unknown>>(schema: S, longest: number) =>
  Schema.Array(schema).check(Schema.isMaxLength(longest))
const heads = between(0, 50)
const pageSizes = between(1, 12)
const cuts = listOf(between(1, 4), 8)
const failures = listOf(between(2, 40), 8)

const blockchain = "model"

describe("the pages of a list", () => {
  it.effect.prop(
    "are the list as of the block of the first, whatever their size, the failures and the cuts, while the chain grows",
    [heads, pageSizes, cuts, failures],
    ([head, pageSize, pieces, failing]) =>
      Effect.gen(function* () {
        const { read } = modelChain({ head, failing: new Set(failing) })
        const pages = yield* readListInPieces(read, { blockchain, pageSize }, pieces)
        assert.deepStrictEqual(numbersOf(pages), downFrom(head))
        for (const { asOf } of pages) assert.strictEqual(asOf.number, BigInt(head))
      })
  )

  it.effect.prop(
    "agree, or fail with the block that a reorg removed",
    [heads, pageSizes, cuts, between(1, 20), heads],
    ([head, pageSize, pieces, atRead, from]) =>
      Effect.gen(function* () {
        const { read } = modelChain({ head, reorg: { read: atRead, from } })
        const result = yield* Effect.result(readListInPieces(read, { blockchain, pageSize }, pieces))
        if (result._tag === "Success") {
          assert.deepStrictEqual(numbersOf(result.success), downFrom(head))
          assert.lengthOf(new Set(result.success.map(({ asOf }) => asOf.hash)), 1)
        } else {
          const block = BigInt(head)
          const hashes = { hash: `0x${head}a`, replacedBy: `0x${head}b` }
          assert.deepStrictEqual(result.failure, new BlockReplaced({ operation: "blocks.blocks", block, ...hashes }))
          assert.isAtLeast(head, from)
        }
      })
  )

  it.effect.prop(
    "are the list of a subgraph, which states the hash of no older block",
    [heads, pageSizes, cuts],
    ([head, pageSize, pieces]) =>
      Effect.gen(function* () {
        const { read } = modelChain({ head, isOfSubgraph: true })
        const pages = yield* readListInPieces(read, { blockchain, pageSize }, pieces)
        assert.deepStrictEqual(numbersOf(pages), downFrom(head))
      })
  )

  it.effect("say what to do after a reorg", () =>
    Effect.gen(function* () {
      const { read } = modelChain({ head: 5, reorg: { read: 2, from: 5 } })
      const error = yield* Effect.flip(Stream.runDrain(blocks(read, { blockchain, pageSize: 2 })))
      assert.strictEqual(
        error.message,
        'The pages of "blocks.blocks" are bound to block 5, "0x5a", which a reorg replaced by "0x5b": start again ' +
          "without the cursor, and discard what was read."
      )
    })
  )

  it.effect("say so if the chain is shorter after a reorg than it was", () =>
    Effect.gen(function* () {
      const before = modelChain({ head: 5 })
      const after = modelChain({ head: 3 })
      let reads = 0
      const read: typeof before.read = (request) => (reads++ === 0 ? before : after).read(request)
      const error = yield* Effect.flip(Stream.runDrain(blocks(read, { blockchain, pageSize: 2 })))
      const block = { block: 5n, hash: "0x5a", replacedBy: "" }
      assert.deepStrictEqual(error, new BlockReplaced({ operation: "blocks.blocks", ...block }))
      assert.strictEqual(
        error.message,
        'The pages of "blocks.blocks" are bound to block 5, "0x5a", which a reorg removed: start again without the ' +
          "cursor, and discard what was read."
      )
    })
  )

  it.effect("belong to the block that was asked for", () =>
    Effect.gen(function* () {
      const { read, requests } = modelChain({ head: 50 })
      const all = yield* Stream.runCollect(blocks(read, { blockchain, block: 7, pageSize: 3 }))
      assert.deepStrictEqual(
        all.map(({ number }) => number),
        downFrom(7)
      )
      assert.deepStrictEqual(
        requests.map(({ block, limit, skip }) => [block, limit, skip]),
        [
          [7, 3, 0],
          [7, 3, 3],
          [7, 3, 6]
        ]
      )
    })
  )

  it.effect("keep the order and the window that were asked for", () =>
    Effect.gen(function* () {
      const { read, requests } = modelChain({ head: 3 })
      const order = { orderBy: "gasUsed", orderDirection: "asc", from: DateTime.makeUnsafe(0) } as const
      yield* Stream.runDrain(blocks(read, { blockchain, pageSize: 2, ...order }))
      assert.lengthOf(requests, 3)
      for (const request of requests) assert.include(request, order)
    })
  )

  it.effect("fail as the read does", () =>
    Effect.gen(function* () {
      const { read } = modelChain({ head: 3 })
      const error = yield* Effect.flip(Stream.runDrain(blocks(read, { blockchain, block: 9 })))
      assert.strictEqual(error._tag, "BlockNotFound")
    })
  )

  it.effect("are refused if no answer states its block", () =>
    Effect.gen(function* () {
      const { read } = modelChain({ head: 3, isSilent: true })
      const error = yield* Effect.flip(Stream.runDrain(blocks(read, { blockchain })))
      assert.strictEqual(
        error.message,
        '"blocks.blocks" was answered with status 200 and an answer without the header Chaintape-As-Of, which binds ' +
          "its pages to one block"
      )
    })
  )

  it.effect("are none before the first block, of which no answer names a block", () =>
    Effect.gen(function* () {
      const read = () => Effect.succeed(Answer.make([], Headers.fromInput({})))
      const place = { exchange: "model-dex", blockchain, block: 0 }
      assert.deepStrictEqual(yield* Stream.runCollect(pools(read, place)), [])
    })
  )

  it.effect("are not requested before they are read", () =>
    Effect.gen(function* () {
      const { read, requests } = modelChain({ head: 50 })
      yield* Stream.runDrain(Stream.take(blocks(read, { blockchain, pageSize: 5 }), 5))
      assert.lengthOf(requests, 1)
    })
  )

  it.effect("are of one request: the cursor of another is refused", () =>
    Effect.gen(function* () {
      const { read } = modelChain({ head: 9 })
      const [page] = yield* Stream.runCollect(Stream.take(blockPages(read, { blockchain, pageSize: 2 }), 1))
      const cursor = page?.cursor
      const others = [{ blockchain: "other" }, { blockchain, block: 3 }, { blockchain, to: DateTime.makeUnsafe(5) }]
      for (const other of others) {
        const error = yield* Effect.flip(Stream.runDrain(blocks(read, { ...other, cursor })))
        assert.instanceOf(error, InvalidCursor)
        assert.include(error.message, "it belongs to another request than [[")
      }
      const rest = yield* Stream.runCollect(blocks(read, { blockchain, pageSize: 5, cursor }))
      assert.deepStrictEqual(
        rest.map(({ number }) => number),
        downFrom(7)
      )
    })
  )
})

const asOf = Headers.fromInput({ "chaintape-as-of": 'number=7, hash="0x7", finalized=?1' })
const place = { exchange: "uniswap-v3", blockchain }

describe("lists of a decentralized exchange", () => {
  it.effect("are read with the filters that were given", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const read = (request: unknown) =>
        Effect.sync(() => {
          seen.push(request)
          return Answer.make([], asOf)
        })
      yield* Stream.runDrain(tokens(read, { ...place, tokenSymbol: "WETH", logo: true }))
      yield* Stream.runDrain(pools(read, { ...place, block: 7 }))
      assert.deepStrictEqual(seen, [
        { ...place, tokenSymbol: "WETH", logo: true, limit: 1000, skip: 0, block: undefined },
        { ...place, limit: 1000, skip: 0, block: 7 }
      ])
    })
  )

  const pool = PoolAddress.make(`0x${"a".repeat(40)}`)
  const token = TokenAddress.make(`0x${"b".repeat(40)}`)

  it.effect.each(["swap", "mint", "burn"] as const)("of trades hold the %ss of a pool only", (kind) =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const all = poolTrades(
        (request) =>
          Effect.sync(() => {
            seen.push(request)
            return Answer.make({ pool, [`${kind}s`]: [] }, asOf)
          }),
        { ...place, pool, kind }
      )
      assert.deepStrictEqual(yield* Stream.runCollect(all), [])
      const flags = { swap: kind === "swap", mint: kind === "mint", burn: kind === "burn" }
      assert.deepStrictEqual(seen, [{ ...place, pool, ...flags, limit: 1000, skip: 0, block: undefined }])
    })
  )

  it.effect.each(["token0", "token1"] as const)("of trades hold those in which a token is %s only", (as) =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const all = tokenTrades(
        (request) =>
          Effect.sync(() => {
            seen.push(request)
            return Answer.make(as === "token0" ? { token, mintsAs0: [] } : { token, mintsAs1: [] }, asOf)
          }),
        { ...place, token, kind: "mint", as }
      )
      assert.deepStrictEqual(yield* Stream.runCollect(all), [])
      const flags = { swap: false, mint: true, burn: false, base: as === "token0", quote: as === "token1" }
      assert.deepStrictEqual(seen, [{ ...place, token, ...flags, limit: 1000, skip: 0, block: undefined }])
    })
  )

  it.effect("of trades fail if an answer lacks the requested kind", () =>
    Effect.gen(function* () {
      const all = poolTrades(() => Effect.succeed(Answer.make({ pool, burns: [] }, asOf)), {
        ...place,
        pool,
        kind: "swap"
      })
      const error = yield* Effect.flip(Stream.runDrain(all))
      assert.strictEqual(
        error.message,
        '"dex.poolTrades" was answered with status 200 and an answer without the trades that it was asked for'
      )
    })
  )
})
