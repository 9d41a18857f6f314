import { Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import { OpenApi } from "effect/http-api"
import { addPage } from "../../web/layout/PagePaths.ts"
import { DocumentedApi } from "./DocumentedApi.ts"
import type { Examples } from "./ReferencePage.ts"
import { referencePage } from "./ReferencePage.ts"

/** The same for everyone, until the service is another version. */
const shared = { "cache-control": "public, no-cache" }

const document = Effect.sync(() => HttpServerResponse.jsonUnsafe(OpenApi.fromApi(DocumentedApi), { headers: shared }))

const documentRoute = Layer.unwrap(Effect.map(document, (response) => addPage("GET", "/openapi.json", response)))

/** Made by its first request. */
const reference = (examples: Examples) =>
  Layer.unwrap(
    Effect.map(Effect.cached(Effect.sync(() => referencePage(examples))), (page) =>
      addPage("GET", "/docs", Effect.map(page, HttpServerResponse.setHeaders(shared)))
    )
  )

/** The API reference, with examples for parameters, and the OpenAPI document. */
export const layer = (examples: Examples) => Layer.merge(documentRoute, reference(examples))
