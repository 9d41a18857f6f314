/** Connects a promise client with its streams, which are functions, so that programs without streams do not bundle them. */
import type { Client } from "../../client/Client.ts"

/** The services that the streams of a client need. */
export interface ClientTransport {
  readonly client: Client["Service"]
  readonly fetch: typeof globalThis.fetch | undefined
}

const transports = /* @__PURE__ */ new WeakMap<object, ClientTransport>()

export const setTransport = <A extends object>(chaintape: A, transport: ClientTransport): A => {
  transports.set(chaintape, transport)
  return chaintape
}

export const getTransport = (chaintape: object): ClientTransport => {
  const transport = transports.get(chaintape)
  if (transport === undefined) throw new TypeError("The first argument of a stream must be a client of createClient.")
  return transport
}
