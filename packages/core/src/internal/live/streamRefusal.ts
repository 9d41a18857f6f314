/** The response of a test kit without live streams, so that the program under test polls. */
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"

export const refuseStream = (
  request: HttpClientRequest.HttpClientRequest
): HttpClientResponse.HttpClientResponse | undefined =>
  request.headers["accept"] === "text/event-stream"
    ? HttpClientResponse.fromWeb(request, new Response(null, { status: 404 }))
    : undefined
