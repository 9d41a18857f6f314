import { Api, openApiDocument, operations } from "@chaintape/contract"
import { OpenApi } from "effect/http-api"
import { LiveApi } from "../live/LiveApi.ts"
import { liveOperations } from "../live/LiveOperations.ts"

/** The contract and the streams, which the contract itself cannot describe: each of its operations has one response. */
export const DocumentedApi = Api.annotate(OpenApi.Transform, ({ components, paths, ...document }) => {
  const live = OpenApi.fromApi(LiveApi)
  const all = {
    ...document,
    paths: { ...paths, ...live.paths },
    components: { ...components, schemas: { ...live.components.schemas, ...components.schemas } }
  }
  return openApiDocument(all, [...operations, ...liveOperations])
})
