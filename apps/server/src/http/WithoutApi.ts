import { NotReady } from "@chaintape/core/problem/Problem"
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { Instance } from "../sources/Instance.ts"
import { problemResponse } from "./Problems.ts"

/** Every request that is not about the instance itself, where it has other roles than that of answering callers. */
export const layer = HttpRouter.add(
  "*",
  "/*",
  Effect.gen(function* () {
    const { roles } = yield* (yield* Instance).status
    const detail = `This instance has the roles "${roles.join(", ")}" and answers no callers: ask one with the role "api".`
    return problemResponse(new NotReady({ retryAfterMs: 5000, detail }))
  })
)
