import { Effect, Layer, Scope } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { HttpApiScalar, OpenApi } from "effect/http-api"
import * as DemoRoutes from "../../web/demo/DemoRoutes.ts"
import * as GuideRoutes from "../../web/GuideRoutes.ts"
import { problemPages } from "../../web/ProblemPages.ts"
import { DocumentedApi } from "./DocumentedApi.ts"

/** The same for everyone, until the service is another version. */
const shared = { "cache-control": "public, no-cache" }

const document = Effect.sync(() => HttpServerResponse.jsonUnsafe(OpenApi.fromApi(DocumentedApi), { headers: shared }))

const documentRoute = Layer.unwrap(Effect.map(document, (response) => HttpRouter.add("GET", "/openapi.json", response)))

const problemRoutes = HttpRouter.add("GET", "/problems", problemPages.get("/problems") ?? HttpServerResponse.empty())
const problemRoute = Layer.mergeAll(
  problemRoutes,
  ...[...problemPages]
    .filter(([path]) => path !== "/problems")
    .map(([path, response]) => HttpRouter.add("GET", `/problems/${path.slice("/problems/".length)}`, response))
)

/** The page loads nothing from elsewhere and links nowhere else. */
const reference = {
  withDefaultFonts: false,
  showOperationId: true,
  authentication: { preferredSecurityScheme: "header" },
  // The page's own options, of which the type declares only some.
  showDeveloperTools: "never",
  hideClientButton: true,
  telemetry: false
}

const policy =
  "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src 'self' data:; " +
  "font-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

const underPolicy = HttpRouter.middleware((page) =>
  Effect.map(page, (response) =>
    HttpServerResponse.setHeaders(response, { "content-security-policy": policy, ...shared })
  )
).layer

/** Loaded and made by its first request: it has three megabytes. A request that is cancelled does not cancel that. */
const referencePage = Layer.unwrap(
  Effect.gen(function* () {
    const scope = yield* Effect.scope
    const page = yield* Effect.cached(
      HttpRouter.toHttpEffect(HttpApiScalar.layer(DocumentedApi, { path: "/docs", scalar: reference })).pipe(
        Scope.provide(scope),
        Effect.uninterruptible
      )
    )
    return HttpRouter.add("GET", "/docs", Effect.flatten(page))
  })
)

/** The API reference, the OpenAPI document, the guide and the demo. `example` is the path of a working operation. */
export const layer = (example: string) =>
  Layer.mergeAll(
    documentRoute,
    referencePage.pipe(Layer.provide(underPolicy)),
    GuideRoutes.layer,
    DemoRoutes.layer(example),
    problemRoute
  )
