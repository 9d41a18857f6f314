import { assert, beforeAll, describe, it } from "vitest"
import { type Bundle, bundle, lastTrade, lastTradeFunction, promiseLastTrade } from "../../Bundle.ts"

interface Program {
  readonly program: string
  /** The whole program, minified and gzipped, including Effect. */
  readonly limit: number
  /** The part of our packages. */
  readonly limitOfOurs: number
  /** The forbidden parts: folders of core, and other modules. */
  readonly without: ReadonlyArray<string>
}

const streams = [
  "packages/core/src/stream/",
  "packages/core/src/problem/StreamError.ts",
  "packages/core/src/internal/live/"
]

const ofOthers = [
  ...streams,
  "packages/core/src/promise/",
  "packages/core/src/testing/",
  "packages/contract/",
  "packages/core/src/dex/",
  "packages/core/src/blocks/",
  "packages/dex/",
  "packages/blocks/",
  "packages/core/src/api/DexOperations.ts",
  "packages/core/src/api/DexParameter.ts",
  "packages/core/src/client/AnswerCache.ts",
  "effect/dist/http-api/"
]

const programs: Readonly<Record<string, Program>> = {
  "a program that only calls lastTrade": {
    program: lastTradeFunction,
    limit: 46_600,
    limitOfOurs: 7_200,
    without: [
      ...ofOthers,
      "packages/cex/src/Cex.ts",
      "packages/core/src/cex/Candle.ts",
      "packages/core/src/cex/Exchange.ts",
      "packages/core/src/internal/decode/instant.ts",
      "packages/core/src/internal/decode/jsonDecoder.ts"
    ]
  },
  "a program that calls lastTrade of a Cex with all operations of the group": {
    program: lastTrade,
    limit: 51_300,
    limitOfOurs: 11_000,
    without: ofOthers
  },
  "a program that calls lastTrade of the promise client": {
    program: promiseLastTrade,
    limit: 55_000,
    limitOfOurs: 14_300,
    without: [
      "packages/cex/",
      "packages/dex/",
      "packages/blocks/",
      "packages/contract/",
      "effect/dist/http-api/",
      ...streams
    ]
  }
}

describe.each(Object.entries(programs))("%s", (_, { limit, limitOfOurs, program, without }) => {
  let built: Bundle
  beforeAll(async () => {
    built = await bundle(program)
  }, 180_000)

  it(`weighs ${limit} bytes at most, ${limitOfOurs} of them ours`, () => {
    assert.isAtMost(built.gzip, limit)
    assert.isAtMost(built.ours, limitOfOurs)
    assert.isAbove(built.ours, 1000)
  })

  it.each(without)("does not carry %s", (path) => {
    assert.isAbove(built.modules.filter((module) => module.startsWith("packages/core/src/")).length, 10)
    assert.deepStrictEqual(
      built.modules.filter((module) => module.includes(path)),
      []
    )
  })
})
