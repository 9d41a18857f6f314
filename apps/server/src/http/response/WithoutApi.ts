import { NotReady } from "@chaintape/core"
import { Effect, Layer } from "effect"
import { HttpRouter } from "effect/http"
import { Instance } from "../../sources/Instance.ts"
import { problemResponse } from "./Problems.ts"

/**
 * Rejects every request that is not about the instance itself, if the instance does not have the role of an API server.
 */
export const layer = Layer.unwrap(
  Effect.map(Instance, (instance) =>
    HttpRouter.add(
      "*",
      "/*",
      Effect.map(instance.status, ({ roles }) => {
        const detail = `This instance has the roles "${roles.join(", ")}" and answers no callers: ask one with the role "api".`
        return problemResponse(new NotReady({ retryAfterMs: 5000, detail }))
      })
    )
  )
)
