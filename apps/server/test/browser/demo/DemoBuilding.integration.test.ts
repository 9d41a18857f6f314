import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { HttpRouter, HttpServer } from "effect/http"
import { DemoFiles } from "../../../src/web/demo/DemoFiles.ts"
import type { DemoState } from "../../../src/web/demo/DemoFiles.ts"
import * as DemoRoutes from "../../../src/web/demo/DemoRoutes.ts"
import { chromiumPath, openBrowser } from "../Chromium.ts"

const html = new TextEncoder().encode(
  '<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>The demo</title><h1>Alive</h1></html>'
)

/** Building until the test ends it, and for the first three requests. */
const slowlyBuilt = Layer.effect(
  DemoFiles,
  Effect.sync(() => {
    const files = new Map([["index.html", { bytes: html, contentType: "text/html; charset=utf-8" }]])
    let asked = 0
    let isBuilt = false
    return DemoFiles.of({
      state: Effect.sync((): DemoState => (++asked > 3 && isBuilt ? { _tag: "Built", files } : { _tag: "Building" })),
      build: Effect.sync(() => void (isBuilt = true))
    })
  })
)

const served = HttpRouter.serve(DemoRoutes.layer("/v2/cex"), { disableLogger: true, disableListenLog: true }).pipe(
  Layer.provideMerge(slowlyBuilt),
  Layer.provideMerge(NodeHttpServer.layerTest),
  Layer.provideMerge(NodeServices.layer)
)

describe.skipIf(chromiumPath === undefined)("the page at / while the demo is built (CHAINTAPE_CHROMIUM)", () => {
  layer(served, { excludeTestServices: true, timeout: "180 seconds" })((it) => {
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
          yield* Effect.flatMap(DemoFiles, ({ build }) => build)
          yield* Effect.promise(() => page.getByRole("heading", { name: "Alive" }).waitFor())
          assert.strictEqual(new URL(page.url()).hash, "#key=chaintape_example")
          assert.deepStrictEqual(complaints, [])
        }),
      180_000
    )
  })
})
