/** Responses whose body is an Effect stream, so that a test clock drives it. */
import type * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Stream from "effect/Stream"
import type { LiveLine } from "../../testing/script/LiveScript.ts"

type Body = Stream.Stream<Uint8Array, HttpClientError.HttpClientError>

/** The same response with another body. The cast says that nothing else of it is replaced. */
export const withStream = (
  response: HttpClientResponse.HttpClientResponse,
  stream: Body
): HttpClientResponse.HttpClientResponse =>
  Object.create(response, { stream: { value: stream } }) as HttpClientResponse.HttpClientResponse

/** The live events of a request. The cast says that the request is one of the line's operation. */
export const liveResponse = (
  request: HttpClientRequest.HttpClientRequest,
  line: LiveLine,
  parameters: object
): HttpClientResponse.HttpClientResponse => {
  const open = { name: "open", id: "", data: "{}" }
  const events = Stream.concat(Stream.make(open), line.events(parameters as never))
  const headers = { "content-type": "text/event-stream; charset=utf-8" }
  const bytes = Stream.map(events, ({ data, id, name }) =>
    new TextEncoder().encode(`event: ${name}\n${id === "" ? "" : `id: ${id}\n`}data: ${data}\n\n`)
  )
  return withStream(HttpClientResponse.fromWeb(request, new Response(null, { headers })), bytes)
}
