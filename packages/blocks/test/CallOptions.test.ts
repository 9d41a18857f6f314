import { Blocks } from "@chaintape/blocks"
import { RequestTimeout } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"

const atOnce = { deadline: Duration.zero }

const calls = {
  blockchains: (service: Blocks["Service"]) => service.blockchains({}, atOnce),
  blocks: (service: Blocks["Service"]) => service.blocks({ blockchain: "ethereum" }, atOnce)
} satisfies { readonly [Method in keyof Blocks["Service"]["withResponse"]]: unknown }

describe("a method of Blocks", () => {
  it.effect.each(Object.entries(calls))("takes options of the call: %s", ([, call]) =>
    Effect.gen(function* () {
      let requests = 0
      const fetch: typeof globalThis.fetch = () => {
        requests++
        return Promise.reject(new TypeError("not in this test"))
      }
      const error = yield* Blocks.pipe(
        Effect.flatMap((service): Effect.Effect<unknown, unknown> => call(service)),
        Effect.flip,
        Effect.provide(Blocks.layer({ baseUrl: "http://stub.test" })),
        Effect.provideService(FetchHttpClient.Fetch, fetch)
      )
      if (!(error instanceof RequestTimeout)) return assert.fail(String(error))
      assert.deepInclude(error, { limit: "deadline", milliseconds: 0, attempts: 0 })
      assert.strictEqual(requests, 0)
    })
  )
})
