import { textOf } from "@chaintape/contract"
import type { Operation } from "@chaintape/core/operations"
import * as DateTime from "effect/DateTime"
import * as Predicate from "effect/Predicate"
import { useEffect, useSyncExternalStore } from "react"
import { makeStore } from "./Store.ts"

/** A request of the page, as code. */
export interface ShownRequest {
  readonly summary: string
  /** Path and query. */
  readonly path: string
  readonly typescript: string
}

type Values = object

const getDefinedEntries = (request: Values): ReadonlyArray<readonly [string, unknown]> =>
  Object.entries(request).filter(([, value]) => value !== undefined)

const toUrlText = (value: unknown): string =>
  DateTime.isDateTime(value) ? String(DateTime.toEpochMillis(value)) : String(value)

const getPath = (operation: Operation.Any, request: Values): string => {
  const values = new Map(getDefinedEntries(request))
  const toPathSegment = (name: string) => encodeURIComponent(toUrlText(values.get(name)).replace("/", "-"))
  const path = operation.path.replace(/:(\w+)/g, (_, name: string) => toPathSegment(name))
  const query = new URLSearchParams(
    Object.keys(operation.query).flatMap((name) => {
      const value = values.get(name)
      return value === undefined ? [] : [[name, toUrlText(value)]]
    })
  ).toString()
  return query === "" ? path : `${path}?${query}`
}

const literal = (name: string, value: unknown): string => {
  if (DateTime.isDateTime(value)) return `DateTime.makeUnsafe("${DateTime.formatIso(value)}")`
  if (Predicate.isBigInt(value)) return `${value}n`
  if (!Predicate.isString(value)) return String(value)
  if (name === "market") return `Market.make("${value}")`
  if (name === "pool") return `PoolAddress.make("${value}")`
  return name === "token" ? `TokenAddress.make("${value}")` : JSON.stringify(value)
}

const services: Readonly<Record<string, string>> = { cex: "Cex", dex: "Dex", blocks: "Blocks" }

const getTypescript = (operation: Operation.Any, request: Values): string => {
  const service = services[operation.group] ?? ""
  const fields = getDefinedEntries(request).map(([name, value]) => `    ${name}: ${literal(name, value)}`)
  const words = ["Market", "PoolAddress", "TokenAddress"].filter((word) =>
    fields.some((field) => field.includes(`${word}.make(`))
  )
  const dateTime = fields.some((field) => field.includes("DateTime.")) ? "DateTime, " : ""
  return [
    `import { ${service} } from "@chaintape/${operation.group}"`,
    ...(words.length === 0 ? [] : [`import { ${words.join(", ")} } from "@chaintape/core"`]),
    `import { Console, ${dateTime}Effect } from "effect"`,
    "",
    "const program = Effect.gen(function* () {",
    `  const ${operation.group} = yield* ${service}`,
    `  const { value } = yield* ${operation.group}.withResponse.${operation.name}(${fields.length === 0 ? "{}" : `{\n${fields.join(",\n")}\n  }`})`,
    "  yield* Console.log(value)",
    "})",
    "",
    `await Effect.runPromise(Effect.provide(program, ${service}.layerConfig()))`
  ].join("\n")
}

export const toShownRequest = (operation: Operation.Any, request: Values): ShownRequest => ({
  summary: textOf(operation).summary,
  path: getPath(operation, request),
  typescript: getTypescript(operation, request)
})

const none: ReadonlyArray<ShownRequest> = []
const store = makeStore<ReadonlyArray<ShownRequest>>(none)

/** Registers the requests of the current view. */
export const useShowRequests = (requests: ReadonlyArray<ShownRequest>): void => {
  const name = requests.map(({ path }) => path).join("\n")
  useEffect(() => {
    store.set(requests)
    return () => store.set(none)
    // The paths identify the requests.
  }, [name])
}

export const useShownRequests = (): ReadonlyArray<ShownRequest> => useSyncExternalStore(store.subscribe, store.get)
