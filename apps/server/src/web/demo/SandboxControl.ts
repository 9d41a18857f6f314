import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Context, Effect, Layer, Option } from "effect"
import { HttpClient, HttpClientRequest, HttpServerRequest, HttpServerResponse } from "effect/http"
import { ApiKeys } from "../../auth/keys/ApiKeys.ts"
import { isFromOwnPage } from "../forms/Browser.ts"
import { readBody } from "../forms/FormBody.ts"
import { addPage } from "../layout/PagePaths.ts"

/** The addresses of the sandbox's two control interfaces. */
export interface SandboxAddresses {
  readonly exchange: string
  readonly chain: string
}

const json = "application/json"
const noStore = { "cache-control": "no-store" }

const sentence = (message: string, status: number) =>
  HttpServerResponse.jsonUnsafe({ message }, { status, headers: noStore })

/** Passes orders of the demo on to the service's own sandbox, whose responses are unchanged. */
const makeOrders = Effect.fnUntraced(function* ({ chain, exchange }: SandboxAddresses) {
  const client = yield* HttpClient.HttpClient
  const send = Effect.fnUntraced(
    function* (request: HttpClientRequest.HttpClientRequest) {
      const response = yield* client.execute(request)
      const { status } = response
      return HttpServerResponse.text(yield* response.text, { status, contentType: json, headers: noStore })
    },
    Effect.timeout("20 seconds"),
    Effect.catch(({ message }) => Effect.succeed(sentence(`The sandbox did not take the order: ${message}`, 502)))
  )
  const faults = `${exchange}/sandbox/faults`
  return {
    faults: send(HttpClientRequest.get(faults)),
    /** Replaces all faults by those in the JSON text. */
    setFaults: (text: string) => send(HttpClientRequest.put(faults).pipe(HttpClientRequest.bodyText(text, json))),
    reorg: (text: string) =>
      send(HttpClientRequest.post(`${chain}/sandbox/reorg`).pipe(HttpClientRequest.bodyText(text, json)))
  }
})

type Orders = Effect.Success<ReturnType<typeof makeOrders>>

/** Used if the service runs on its own configuration. */
const SandboxControl = Context.Reference<Orders | undefined>("@chaintape/server/web/demo/SandboxControl", {
  defaultValue: () => undefined
})

export const layer = (addresses: SandboxAddresses | undefined) =>
  addresses === undefined
    ? Layer.empty
    : Layer.effect(SandboxControl, makeOrders(addresses)).pipe(Layer.provide(NodeHttpClient.layerUndici))

/**
 * Accepts an order only from a page of this service and with a valid key, which protects against cross-site requests.
 */
const order = Effect.fnUntraced(function* (keys: ApiKeys["Service"], pass: Orders["reorg"]) {
  const request = yield* HttpServerRequest.HttpServerRequest
  if (!isFromOwnPage(request)) return sentence("The order does not come from a page of this service.", 403)
  const key = yield* keys.verify(request.headers["api-key"] ?? "")
  if (Option.isNone(key)) return sentence("The order carries no valid key in the header `api-key`.", 401)
  return yield* readBody(request, "order").pipe(
    Effect.flatMap(pass),
    Effect.catch(({ message, status }) => Effect.succeed(sentence(message, status)))
  )
})

/** Faults and reorgs of the sandbox on demand. Without a sandbox these paths do not exist. */
export const routes = Layer.unwrap(
  Effect.gen(function* () {
    const orders = yield* SandboxControl
    const keys = yield* ApiKeys
    if (orders === undefined) return Layer.empty
    return Layer.mergeAll(
      addPage("GET", "/sandbox/faults", orders.faults),
      addPage("POST", "/sandbox/faults", order(keys, orders.setFaults)),
      addPage("POST", "/sandbox/reorg", order(keys, orders.reorg))
    )
  })
)
