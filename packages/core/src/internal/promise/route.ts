/** Connects a promise client with its streams, which are functions, so that programs without streams do not bundle them. */
import type { Client } from "../../client/Client.ts"

/** What the streams of a client need. */
export interface Route {
  readonly client: Client["Service"]
  readonly fetch: typeof globalThis.fetch | undefined
}

const routes = /* @__PURE__ */ new WeakMap<object, Route>()

export const setRoute = <A extends object>(chaintape: A, route: Route): A => {
  routes.set(chaintape, route)
  return chaintape
}

export const getRoute = (chaintape: object): Route => {
  const route = routes.get(chaintape)
  if (route === undefined) throw new TypeError("The first argument of a stream must be a client of createClient.")
  return route
}
