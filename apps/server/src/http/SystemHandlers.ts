import { Api } from "@chaintape/core/api/Api"
import { Ping } from "@chaintape/core/api/Ping"
import { Effect, Option } from "effect"
import { HttpServerRequest } from "effect/http"
import { HttpApiBuilder } from "effect/http-api"

const greeting = "Hello from Chaintape."

/** IPv4 in its usual form, also where the socket speaks IPv6. */
const plain = (address: string) => address.replace(/^::ffff:(?=\d+\.)/, "")

export const SystemHandlers = HttpApiBuilder.group(Api, "system", (handlers) =>
  handlers.handle("ping", () =>
    Effect.map(
      HttpServerRequest.HttpServerRequest,
      ({ remoteAddress }) => new Ping({ ping: greeting, ip: plain(Option.getOrElse(remoteAddress, () => "")) })
    )
  )
)
