import { Blocks } from "@chaintape/blocks"
import { Client } from "@chaintape/core"
import { assert, describe, it } from "@effect/vitest"
import * as ConfigProvider from "effect/ConfigProvider"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as FetchHttpClient from "effect/http/FetchHttpClient"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"

const block = {
  number: "17",
  timestamp: "1767323045",
  size: "540",
  gasLimit: "30000000",
  gasUsed: "21000",
  totalDifficulty: "",
  author: "0x00"
}
const answers: Readonly<Record<string, unknown>> = {
  "/v2/blocks": [{ id: "ethereum", name: "Ethereum" }],
  "/v2/blocks/ethereum": [block]
}

const fetch: typeof globalThis.fetch = async (input) =>
  Response.json(answers[new URL(String(input)).pathname], {
    headers: { "chaintape-as-of": 'number=17, hash="0xab", finalized=?1' }
  })

const options = { baseUrl: "http://stub.test" }

const layers = {
  "Blocks.layer": Blocks.layer(options),
  "Blocks.layerNoDeps": Blocks.layerNoDeps.pipe(Layer.provide(Client.layer(options))),
  "Blocks.layerConfig": Blocks.layerConfig().pipe(
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ CHAINTAPE_BASE_URL: options.baseUrl })))
  )
}

describe.each(Object.entries(layers))("%s", (_, layer) => {
  const provided = <A, E>(effect: Effect.Effect<A, E, Blocks>) =>
    effect.pipe(Effect.provide(layer), Effect.provideService(FetchHttpClient.Fetch, fetch))

  it.effect("reads the blockchains", () =>
    provided(
      Effect.gen(function* () {
        const blockchains = yield* (yield* Blocks).blockchains({})
        assert.deepStrictEqual(
          blockchains.map(({ id }) => id),
          ["ethereum"]
        )
      })
    )
  )

  it.effect("reads blocks, and as of which block", () =>
    provided(
      Effect.gen(function* () {
        const blocks = yield* Blocks
        const [first] = yield* blocks.blocks({ blockchain: "ethereum" })
        assert.deepStrictEqual(first, {
          number: 17n,
          timestamp: DateTime.makeUnsafe("2026-01-02T03:04:05Z"),
          size: 540n,
          gasLimit: 30_000_000n,
          gasUsed: 21_000n,
          totalDifficulty: Option.none(),
          author: "0x00"
        })
        const { asOf } = yield* blocks.withResponse.blocks({ blockchain: "ethereum" })
        assert.deepStrictEqual(asOf, Option.some({ number: 17n, hash: "0xab", finalized: true, proven: false }))
      })
    )
  )
})
