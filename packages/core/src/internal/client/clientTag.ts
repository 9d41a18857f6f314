import * as Context from "effect/Context"
import type { Client } from "../../client/Client.ts"
import { clientKey } from "./calling.ts"

/** The service `Client`, without the layers that its class carries. */
export const client = /* @__PURE__ */ Context.Service<Client, Client["Service"]>(clientKey)
