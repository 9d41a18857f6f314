import { Client } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as calls from "../src/BlocksCalls.ts"

const chain = { id: "ethereum", name: "Ethereum" }
const served = new Map<string, unknown>([
  ["/v2/blocks", [chain]],
  ["/v2/blocks/ethereum?limit=1", []]
])

const fetch: typeof globalThis.fetch = async (input) => {
  const { pathname, search } = new URL(String(input))
  return Response.json(served.get(pathname + search), { status: served.has(pathname + search) ? 200 : 404 })
}

const provided = <A, E>(call: Effect.Effect<A, E, Client>) =>
  call.pipe(
    Effect.provide(Client.layer({ baseUrl: "http://stub.test" })),
    Effect.provideService(FetchHttpClient.Fetch, fetch)
  )

describe("the functions of operations", () => {
  it.effect("read the blockchains", () =>
    Effect.gen(function* () {
      const all = yield* provided(calls.blockchains({}))
      assert.deepStrictEqual(
        all.map(({ id, name }) => ({ id, name })),
        [chain]
      )
    })
  )

  it.effect("read blocks", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* provided(calls.blocks({ blockchain: "ethereum", limit: 1 })), [])
    })
  )
})
