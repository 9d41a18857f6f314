import { fileURLToPath } from "node:url"
import { Context, Effect, FileSystem, Layer, Path } from "effect"
import { HttpServerError, HttpServerRequest, HttpServerResponse } from "effect/http"
import { html } from "./layout/Html.ts"
import { page } from "./layout/Page.ts"
import { addPage } from "./layout/PagePaths.ts"
import { revalidated, contentTypes, immutable } from "./layout/StaticFile.ts"

/** The folder of the built documentation site. By default where `npx -y pnpm@12 site` writes it. */
export const GuideFolder = Context.Reference<string>("@chaintape/server/web/GuideFolder", {
  defaultValue: () => fileURLToPath(new URL("../../../../site/dist/site", import.meta.url))
})

/** Its pages have inline scripts and styles. They load nothing from elsewhere. */
const policy =
  "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; " +
  "font-src 'self'; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const absent = page(
  "Guide",
  html`<p><a href="/">Chaintape</a></p>
    <h1>The guide is not built</h1>
    <p>
      Run <code>npx -y pnpm@12 site</code> in the folder of Chaintape and reload this page. The same documents are
      Markdown files in its folder <code>docs</code>.
    </p>
    <p><a href="/docs">API reference</a></p>`,
  { status: 404 }
)

const toHome = HttpServerResponse.redirect("/guide/", { status: 308 })

/** The documentation site at `/guide/`, if it is built. */
export const layer = Layer.unwrap(
  Effect.gen(function* () {
    const files = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const root = path.resolve(yield* GuideFolder)
    // A folder that cannot be read has no guide to serve.
    const isBuilt = Effect.orElseSucceed(files.exists(path.join(root, "index.html")), () => false)
    const read = Effect.fnUntraced(function* (requested: string) {
      const name = path.resolve(root, `.${requested.endsWith("/") ? `${requested}index.html` : requested}`)
      const contentType = contentTypes[path.extname(name)]
      if (!name.startsWith(`${root}${path.sep}`) || contentType === undefined) return undefined
      // Most paths without a file are mistyped: they are no failure of the service.
      const bytes = yield* Effect.orElseSucceed(files.readFile(name), () => undefined)
      if (bytes === undefined) return undefined
      const control = requested.startsWith("/assets/") ? immutable : revalidated
      const headers = { "content-security-policy": policy, "cache-control": control }
      return HttpServerResponse.uint8Array(bytes, { contentType, headers })
    })
    const response = Effect.gen(function* () {
      const request = yield* HttpServerRequest.HttpServerRequest
      const [url = ""] = request.url.split("?")
      const requested = decodeURIComponent(url).slice("/guide".length)
      if (requested === "") return toHome
      const file = yield* read(requested)
      if (file !== undefined) return file
      if (!(yield* isBuilt)) return absent
      return yield* new HttpServerError.HttpServerError({ reason: new HttpServerError.RouteNotFound({ request }) })
    })
    return addPage("GET", "/guide/*", response)
  })
)
