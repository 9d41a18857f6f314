import { Api } from "@chaintape/contract"
import { SystemOperations } from "@chaintape/core/operations"
import { Effect } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"
import { CallerAddress } from "../auth/CallerAddress.ts"
import { handlerGroup } from "../internal/handler/RequestServices.ts"

const greeting = "Hello from Chaintape."

export const SystemHandlers = handlerGroup(
  Effect.gen(function* () {
    const addresses = yield* CallerAddress
    return HttpApiBuilder.group(Api, "system", (handlers) =>
      handlers.handle("ping", () =>
        Effect.map(
          HttpServerRequest.HttpServerRequest,
          (request) => new SystemOperations.ping.success({ ping: greeting, ip: addresses.of(request) })
        )
      )
    )
  })
)
