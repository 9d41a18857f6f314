import { Context } from "effect"
import type { HttpServerRequest } from "effect/http"

/** From where a request comes: an IP address, or an empty text where nobody knows. */
export class CallerAddress extends Context.Service<
  CallerAddress,
  { readonly of: (request: HttpServerRequest.HttpServerRequest) => string }
>()("@chaintape/server/keys/CallerAddress") {}
