import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer, Ref } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { DemoFiles } from "../../src/pages/DemoFiles.ts"
import type { DemoState } from "../../src/pages/DemoFiles.ts"
import * as DemoRoutes from "../../src/pages/DemoRoutes.ts"
import { chromiumPath, openBrowser } from "./Chromium.ts"

const html = new TextEncoder().encode(
  '<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>The demo</title><h1>Alive</h1></html>'
)

/** Built when it has been asked for three times. */
const slowlyBuilt = Layer.effect(
  DemoFiles,
  Effect.map(Ref.make(0), (asked) => ({
    state: Effect.map(
      Ref.updateAndGet(asked, (count) => count + 1),
      (count): DemoState =>
        count <= 3
          ? { _tag: "Building" }
          : {
              _tag: "Built",
              files: new Map([["index.html", { bytes: html, contentType: "text/html; charset=utf-8" }]])
            }
    ),
    build: Effect.void
  }))
)

const served = HttpRouter.serve(DemoRoutes.layer("/v2/cex"), { disableLogger: true, disableListenLog: true }).pipe(
  Layer.provide(slowlyBuilt),
  Layer.provideMerge(NodeHttpServer.layerTest),
  Layer.provideMerge(NodeServices.layer)
)

describe.skipIf(chromiumPath === undefined)("the page at / while the demo is built (CHAINTAPE_CHROMIUM)", () => {
  layer(served, { excludeTestServices: true, timeout: "60 seconds" })((it) => {
    it.effect(
      "becomes the demo by itself, also at an address with a key in its fragment",
      () =>
        Effect.gen(function* () {
          const origin = yield* HttpServer.addressFormattedWith(Effect.succeed)
          const browser = yield* openBrowser()
          const page = yield* Effect.promise(() => browser.newPage())
          const complaints: Array<string> = []
          page.on("console", (message) => complaints.push(message.text()))
          yield* Effect.promise(() => page.goto(`${origin}/#key=chaintape_example`))
          assert.include(yield* Effect.promise(() => page.innerText("main")), "The demo is being built.")
          yield* Effect.promise(() => page.getByRole("heading", { name: "Alive" }).waitFor({ timeout: 15_000 }))
          assert.strictEqual(new URL(page.url()).hash, "#key=chaintape_example")
          assert.deepStrictEqual(complaints, [])
        }),
      60_000
    )
  })
})
