import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { OpenApi } from "effect/http-api"
import * as DemoRoutes from "../../web/demo/DemoRoutes.ts"
import * as GuideRoutes from "../../web/GuideRoutes.ts"
import { problemPages } from "../../web/ProblemPages.ts"
import { DocumentedApi } from "./DocumentedApi.ts"
import { referencePage, toExamples } from "./ReferencePage.ts"

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

/** Made by its first request. */
const reference = (example: string) =>
  Layer.unwrap(
    Effect.map(Effect.cached(Effect.sync(() => referencePage(toExamples(example)))), (page) =>
      HttpRouter.add("GET", "/docs", Effect.map(page, HttpServerResponse.setHeaders(shared)))
    )
  )

/** The API reference, the OpenAPI document, the guide and the demo. `example` is the path of a working operation. */
export const layer = (example: string) =>
  Layer.mergeAll(documentRoute, reference(example), GuideRoutes.layer, DemoRoutes.layer(example), problemRoute)
