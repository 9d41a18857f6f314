import { Authorization, Caller } from "@chaintape/core/api/Authorization"
import { invalidParameter } from "@chaintape/core/api/ParameterIssues"
import { InvalidApiKey, MissingApiKey, NotReady } from "@chaintape/core/problem/Problem"
import { Effect, Layer, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { ApiKeys } from "./ApiKeys.ts"

const missing = () =>
  new MissingApiKey({
    detail: "The request carries no API key: send it in the query parameter `apiKey` or in the header `api-key`."
  })

const invalid = () =>
  new InvalidApiKey({
    detail: "The API key is not valid: copy it again, or make a new one."
  })

const notReady = () =>
  new NotReady({ retryAfterMs: 1000, detail: "The service cannot read its keys at the moment: try again in a second." })

/** Accepts the key in the query, in the header, or the same key in both. */
export const layer = Layer.effect(
  Authorization,
  Effect.gen(function* () {
    const keys = yield* ApiKeys
    return Authorization.of((app) =>
      Effect.gen(function* () {
        const request = yield* HttpServerRequest.HttpServerRequest
        const { apiKey } = yield* HttpServerRequest.ParsedSearchParams
        if (typeof apiKey === "object") {
          const message = `"apiKey" is given ${apiKey.length} times: give it once`
          return yield* invalidParameter([{ parameter: "apiKey", message }])
        }
        const given = [...new Set([apiKey ?? "", request.headers["api-key"] ?? ""])].filter((key) => key !== "")
        const [key] = given
        if (key === undefined) return yield* missing()
        const found = yield* keys.verify(key).pipe(
          Effect.timeout("2 seconds"),
          Effect.catch((error) => Effect.andThen(Effect.logError("The keys cannot be read", error), notReady()))
        )
        if (Option.isNone(found) || given.length > 1) return yield* invalid()
        return yield* Effect.provideService(app, Caller, { keyId: found.value })
      })
    )
  })
)
