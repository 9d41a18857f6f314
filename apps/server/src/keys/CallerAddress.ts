import { Context } from "effect"
import type { HttpServerRequest } from "effect/http"

/** From where a request comes: an IP address, or an empty text where nobody knows. */
export class CallerAddress extends Context.Service<
  CallerAddress,
  {
    readonly of: (request: HttpServerRequest.HttpServerRequest) => string
    /** Of a request that comes from this address of a socket. */
    readonly behind: (socket: string, headers: Readonly<Record<string, string | undefined>>) => string
  }
>()("@chaintape/server/keys/CallerAddress") {}
