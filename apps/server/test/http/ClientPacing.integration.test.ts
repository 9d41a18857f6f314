import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { generous, RunningService } from "../RunningService.ts"
import { stubbedService } from "../StubbedService.ts"
import { callAll } from "./ManyCalls.ts"

const bucket = { burst: 50, perSecond: 10 }
const calls = 90

describe("90 calls at once on a key that may make 50 and 10 a second", () => {
  layer(stubbedService({ ...generous, plans: { default: bucket } }), { excludeTestServices: true })((it) => {
    it.effect("are all answered by a client that keeps the pace, each in one attempt", () =>
      Effect.gen(function* () {
        const { origin } = yield* RunningService
        const { tags, took } = yield* callAll(origin, calls, { attempts: 1, rateLimit: true })
        assert.deepStrictEqual(tags, ["ExchangeNotFound"])
        // Units beyond the bucket have to be refilled.
        assert.isAtLeast(took, ((calls - bucket.burst) / bucket.perSecond) * 1000)
      })
    )

    it.effect("are refused in part without it", () =>
      Effect.gen(function* () {
        const { origin } = yield* RunningService
        const { tags } = yield* callAll(origin, calls, { attempts: 1, rateLimit: false })
        assert.include(tags, "RateLimited")
      })
    )
  })
})
