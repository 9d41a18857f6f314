import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Context, Data, Effect, Layer, Option } from "effect"
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

class SandboxControlError extends Data.TaggedError("SandboxControlError")<{ readonly message: string }> {}

/** The response of the sandbox, unchanged. */
interface SandboxResponse {
  readonly status: number
  /** JSON. */
  readonly text: string
}

type Order = Effect.Effect<SandboxResponse, SandboxControlError>

/** Passes orders of the demo on to the service's own sandbox. */
interface Orders {
  readonly faults: Order
  /** Replaces all faults by those in the JSON text. */
  readonly setFaults: (text: string) => Order
  readonly reorg: (text: string) => Order
}

const json = "application/json"

const makeOrders = Effect.fnUntraced(function* ({ chain, exchange }: SandboxAddresses) {
  const client = yield* HttpClient.HttpClient
  const send = (request: HttpClientRequest.HttpClientRequest): Order =>
    client.execute(request).pipe(
      Effect.flatMap((response) => Effect.map(response.text, (text) => ({ status: response.status, text }))),
      Effect.timeout("20 seconds"),
      Effect.mapError(
        (error) => new SandboxControlError({ message: `The sandbox did not take the order: ${error.message}` })
      )
    )
  const orders: Orders = {
    faults: send(HttpClientRequest.get(`${exchange}/sandbox/faults`)),
    setFaults: (text) =>
      send(HttpClientRequest.put(`${exchange}/sandbox/faults`).pipe(HttpClientRequest.bodyText(text, json))),
    reorg: (text) => send(HttpClientRequest.post(`${chain}/sandbox/reorg`).pipe(HttpClientRequest.bodyText(text, json)))
  }
  return orders
})

/** Used if the service runs on its own configuration. */
const SandboxControl = Context.Reference<Orders | undefined>("@chaintape/server/web/demo/SandboxControl", {
  defaultValue: () => undefined
})

export const layer = (addresses: SandboxAddresses | undefined) =>
  addresses === undefined
    ? Layer.empty
    : Layer.effect(SandboxControl, makeOrders(addresses)).pipe(Layer.provide(NodeHttpClient.layerUndici))

const never = { "cache-control": "no-store" }

const sentence = (message: string, status: number) =>
  HttpServerResponse.jsonUnsafe({ message }, { status, headers: never })

const toResponse = (response: Order) =>
  response.pipe(
    Effect.map(({ status, text }) =>
      HttpServerResponse.text(text, { status, contentType: "application/json", headers: never })
    ),
    Effect.catch(({ message }) => Effect.succeed(sentence(message, 502)))
  )

/**
 * Accepts an order only from a page of this service and with a valid key, which protects against cross-site requests.
 */
const order = Effect.fnUntraced(function* (keys: ApiKeys["Service"], pass: (text: string) => Order) {
  const request = yield* HttpServerRequest.HttpServerRequest
  if (!isFromOwnPage(request)) return sentence("The order does not come from a page of this service.", 403)
  const key = yield* keys.verify(request.headers["api-key"] ?? "")
  if (Option.isNone(key)) return sentence("The order carries no valid key in the header `api-key`.", 401)
  return yield* readBody(request, "order").pipe(
    Effect.flatMap((text) => toResponse(pass(text))),
    Effect.catch(({ message, status }) => Effect.succeed(sentence(message, status)))
  )
})

const makeRoutes = Effect.gen(function* () {
  const orders = yield* SandboxControl
  const keys = yield* ApiKeys
  if (orders === undefined) return Layer.empty
  return Layer.mergeAll(
    addPage("GET", "/sandbox/faults", toResponse(orders.faults)),
    addPage("POST", "/sandbox/faults", order(keys, orders.setFaults)),
    addPage("POST", "/sandbox/reorg", order(keys, orders.reorg))
  )
})

/** Faults and reorgs of the sandbox on demand. Without a sandbox these paths do not exist. */
export const routes = Layer.unwrap(makeRoutes)
