import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"
import { Context, Data, Effect, Layer } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"

/** The addresses of the sandbox's two control interfaces. */
export interface SandboxAddresses {
  readonly exchange: string
  readonly chain: string
}

export class SandboxSilent extends Data.TaggedError("SandboxSilent")<{ readonly message: string }> {}

/** The response of the sandbox, unchanged. */
export interface SandboxReply {
  readonly status: number
  /** JSON. */
  readonly text: string
}

type Reply = Effect.Effect<SandboxReply, SandboxSilent>

/** Passes orders of the demo on to the service's own sandbox. */
interface Orders {
  readonly faults: Reply
  /** Replaces all faults by those in the JSON text. */
  readonly setFaults: (text: string) => Reply
  readonly reorg: (text: string) => Reply
}

const json = "application/json"

const makeOrders = Effect.fnUntraced(function* ({ chain, exchange }: SandboxAddresses) {
  const client = yield* HttpClient.HttpClient
  const send = (request: HttpClientRequest.HttpClientRequest): Reply =>
    client.execute(request).pipe(
      Effect.flatMap((response) => Effect.map(response.text, (text) => ({ status: response.status, text }))),
      Effect.timeout("20 seconds"),
      Effect.mapError((error) => new SandboxSilent({ message: `The sandbox did not take the order: ${error.message}` }))
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
export const SandboxControl = Context.Reference<Orders | undefined>("@chaintape/server/web/demo/SandboxControl", {
  defaultValue: () => undefined
})

export const layer = (addresses: SandboxAddresses | undefined) =>
  addresses === undefined
    ? Layer.empty
    : Layer.effect(SandboxControl, makeOrders(addresses)).pipe(Layer.provide(NodeHttpClient.layerUndici))
