import { Effect, Layer } from "effect"
import { HttpRouter, HttpServerResponse } from "effect/http"
import { OpenApi } from "effect/http-api"
import * as DemoRoutes from "../../web/demo/DemoRoutes.ts"
import * as GuideRoutes from "../../web/GuideRoutes.ts"
import { problemPages } from "../../web/ProblemPages.ts"
import { DocumentedApi } from "./DocumentedApi.ts"
import type { Examples } from "./ReferencePage.ts"
import { referencePage } from "./ReferencePage.ts"

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
const reference = (examples: Examples) =>
  Layer.unwrap(
    Effect.map(Effect.cached(Effect.sync(() => referencePage(examples))), (page) =>
      HttpRouter.add("GET", "/docs", Effect.map(page, HttpServerResponse.setHeaders(shared)))
    )
  )

/** The examples that the pages show. */
export interface ServiceExamples {
  /** The path of a working operation. */
  readonly path: string
  readonly parameters: Examples
}

/** The API reference, the OpenAPI document, the guide and the demo. */
export const layer = ({ parameters, path }: ServiceExamples) =>
  Layer.mergeAll(documentRoute, reference(parameters), GuideRoutes.layer, DemoRoutes.layer(path), problemRoute)
