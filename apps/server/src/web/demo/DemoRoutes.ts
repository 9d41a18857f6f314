import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { addPage } from "../layout/PagePaths.ts"
import { revalidated, immutable } from "../layout/StaticFile.ts"
import type { DemoFile } from "./DemoFiles.ts"
import { DemoFiles } from "./DemoFiles.ts"
import { startPage } from "./StartPage.ts"

/** No external resources, nothing inline, and no request except to this service. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const toFile = ({ bytes, contentType }: DemoFile, headers: Readonly<Record<string, string>>) =>
  HttpServerResponse.uint8Array(bytes, { contentType, headers })

const home = { "content-security-policy": policy, "x-frame-options": "DENY", "cache-control": revalidated }

const gone = HttpServerResponse.text("The demo was rebuilt: reload the page.\n", { status: 404 })

const routes = Effect.fnUntraced(function* (example: string) {
  const { state: demo } = yield* DemoFiles
  const start = Effect.gen(function* () {
    const state = yield* demo
    const page = state._tag === "Built" ? state.files.get("index.html") : undefined
    return page === undefined ? yield* startPage(example, state._tag === "Building") : toFile(page, home)
  })
  const asset = Effect.gen(function* () {
    const state = yield* demo
    const { file = "" } = yield* HttpRouter.params
    const found = state._tag === "Built" ? state.files.get(`assets/${file}`) : undefined
    return found === undefined ? gone : toFile(found, { "cache-control": immutable })
  })
  return Layer.mergeAll(
    addPage("GET", "/", start),
    addPage("GET", "/about", startPage(example, false)),
    addPage("GET", "/assets/:file", asset)
  )
})

/** The demo at `/`, and the start page at `/about`. `example` is the path of a working operation. */
export const layer = (example: string) => Layer.unwrap(routes(example))
