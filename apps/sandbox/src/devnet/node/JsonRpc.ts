import { Effect, Schema } from "effect"
import { HttpBody, HttpClient } from "effect/http"
import { DevnetError } from "./DevnetError.ts"

export type JsonRpcCall = readonly [method: string, ...params: ReadonlyArray<unknown>]

/** JSON-RPC over HTTP to one address. */
export interface JsonRpc {
  readonly call: (...call: JsonRpcCall) => Effect.Effect<unknown, DevnetError>
  /** Results in the order of the calls. The node processes them concurrently. */
  readonly batch: (calls: ReadonlyArray<JsonRpcCall>) => Effect.Effect<ReadonlyArray<unknown>, DevnetError>
}

const Replies = Schema.fromJsonString(
  Schema.Array(
    Schema.Struct({
      id: Schema.Int,
      result: Schema.optionalKey(Schema.Unknown),
      error: Schema.optionalKey(Schema.Struct({ message: Schema.String }))
    })
  )
)
const decode = Schema.decodeUnknownEffect(Replies)

export const makeJsonRpc = Effect.fnUntraced(function* (
  url: string
): Effect.fn.Return<JsonRpc, never, HttpClient.HttpClient> {
  const http = yield* HttpClient.HttpClient
  const fail = (method: string) => (cause: { readonly message: string }) =>
    new DevnetError({ reason: "Rpc", message: `anvil did not answer "${method}": ${cause.message}`, cause })

  const batch = Effect.fnUntraced(function* (
    calls: ReadonlyArray<JsonRpcCall>
  ): Effect.fn.Return<ReadonlyArray<unknown>, DevnetError> {
    const first = calls[0]
    if (first === undefined) return []
    const requests = calls.map(([method, ...params], id) => ({ jsonrpc: "2.0", id, method, params }))
    const replies = yield* http.post(url, { body: HttpBody.text(JSON.stringify(requests), "application/json") }).pipe(
      Effect.flatMap((response) => response.text),
      Effect.flatMap(decode),
      Effect.mapError(fail(first[0])),
      Effect.provideService(HttpClient.TracerDisabledWhen, () => true)
    )
    const results = new Map(replies.map((reply) => [reply.id, reply]))
    return yield* Effect.forEach(calls, ([method], id) => {
      const reply = results.get(id)
      if (reply === undefined) return Effect.fail(fail(method)({ message: "the reply is missing" }))
      return reply.error === undefined ? Effect.succeed(reply.result) : Effect.fail(fail(method)(reply.error))
    })
  })

  return { batch, call: (...call) => Effect.map(batch([call]), ([result]) => result) }
})
