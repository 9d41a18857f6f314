import { assert, describe, layer } from "@effect/vitest"
import { Effect } from "effect"
import { chromiumPath, step } from "../Chromium.ts"
import { openDemo } from "../demo/DemoPage.ts"
import { DemoProgram } from "../demo/DemoProgram.ts"

describe.skipIf(chromiumPath === undefined)("the demo of a slow service (CHAINTAPE_CHROMIUM)", () => {
  layer(DemoProgram.layer, { excludeTestServices: true, timeout: "400 seconds" })((it) => {
    it.effect(
      "says that candles are being read until they are there",
      () =>
        Effect.gen(function* () {
          const [demo] = yield* openDemo()
          const { complaints, page } = demo ?? assert.fail("there is no page")
          const held = Promise.withResolvers<void>()
          yield* step(() =>
            page.route("**/aggregates/5m?*", async (route) => {
              await held.promise
              await route.continue()
            })
          )
          yield* step(() => page.getByRole("button", { name: "5m", exact: true }).click())
          const note = page.getByText("The candles are being read.")
          yield* step(() => note.waitFor())
          held.resolve()
          yield* step(() => page.getByText(/prove every candle of this chart/).waitFor())
          assert.strictEqual(yield* step(() => note.count()), 0)
          assert.deepStrictEqual(complaints, [])
        }).pipe(Effect.scoped),
      300_000
    )
  })
})
