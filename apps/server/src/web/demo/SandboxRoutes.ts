import { ByteSize, Effect, Layer, Option } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { ApiKeys } from "../../auth/keys/ApiKeys.ts"
import { isFromOwnPage } from "../forms/Browser.ts"
import { addPage } from "../layout/PagePaths.ts"
import { SandboxControl } from "./SandboxControl.ts"
import type { SandboxReply, SandboxSilent } from "./SandboxControl.ts"

const maxOrderBytes = 16 * 1024

const never = { "cache-control": "no-store" }

const sentence = (message: string, status: number) =>
  HttpServerResponse.jsonUnsafe({ message }, { status, headers: never })

const toResponse = (reply: Effect.Effect<SandboxReply, SandboxSilent>) =>
  reply.pipe(
    Effect.map(({ status, text }) =>
      HttpServerResponse.text(text, { status, contentType: "application/json", headers: never })
    ),
    Effect.catch(({ message }) => Effect.succeed(sentence(message, 502)))
  )

/**
 * Accepts an order only from a page of this service and with a valid key, which protects against cross-site requests.
 */
const order = Effect.fnUntraced(function* (
  keys: ApiKeys["Service"],
  pass: (text: string) => Effect.Effect<SandboxReply, SandboxSilent>
) {
  const request = yield* HttpServerRequest.HttpServerRequest
  if (!isFromOwnPage(request)) return sentence("The order does not come from a page of this service.", 403)
  const key = yield* keys.verify(request.headers["api-key"] ?? "")
  if (Option.isNone(key)) return sentence("The order carries no valid key in the header `api-key`.", 401)
  const text = yield* Effect.option(
    request.text.pipe(Effect.provideService(HttpServerRequest.MaxBodySize, ByteSize.fromInputUnsafe(maxOrderBytes)))
  )
  if (Option.isNone(text)) return sentence(`The order holds more than ${maxOrderBytes / 1024} kB.`, 413)
  return yield* toResponse(pass(text.value))
})

const routes = Effect.gen(function* () {
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
export const layer = Layer.unwrap(routes)
