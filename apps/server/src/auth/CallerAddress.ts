import { Context } from "effect"
import type { HttpServerRequest } from "effect/http"

/** The address of a request's client: an IP address, or an empty text if unknown. */
export class CallerAddress extends Context.Service<
  CallerAddress,
  {
    readonly of: (request: HttpServerRequest.HttpServerRequest) => string
    /** For a request from this socket address. */
    readonly behind: (socket: string, headers: Readonly<Record<string, string | undefined>>) => string
  }
>()("@chaintape/server/auth/CallerAddress") {}
