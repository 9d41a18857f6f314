/**
 * The address and the key from the `ConfigProvider` in the context. Read without the schemas of `effect/Config`, which
 * would be a twentieth of every bundle that contains a client.
 */
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { ClientOptions } from "../../options/ClientOptions.ts"
import { clientOptions, findWrongOption } from "../options/checkOptions.ts"
import { baseUrlRule, isBaseUrl } from "./baseUrl.ts"

const toError = (message: string) => new Config.ConfigError(new ConfigProvider.SourceError({ message }))

/** An empty variable is an absent one, as many environments cannot leave one out. */
const read = (name: string): Effect.Effect<string | undefined, Config.ConfigError> =>
  Effect.gen(function* () {
    const node = yield* (yield* ConfigProvider.ConfigProvider).load([name])
    return node?.value?.trim() || undefined
  }).pipe(Effect.mapError((error) => new Config.ConfigError(error)))

/** Values, or configurations of them. */
export type Configurable<A> = { readonly [K in keyof A]?: A[K] | Config.Config<NonNullable<A[K]>> | undefined }

/** The options with their configurations read. What is not given is read from `CHAINTAPE_BASE_URL` and `CHAINTAPE_API_KEY`. */
export const readOptions = Effect.fnUntraced(function* (options: Configurable<ClientOptions>) {
  const values: { [name: string]: unknown } = {}
  for (const [name, value] of Object.entries(options)) values[name] = Config.isConfig(value) ? yield* value : value
  const variable = "CHAINTAPE_BASE_URL"
  const baseUrl = values["baseUrl"] ?? (yield* read(variable))
  if (!isBaseUrl(String(baseUrl))) {
    const name = values["baseUrl"] === undefined ? variable : "baseUrl"
    return yield* Effect.fail(toError(`${name} is ${baseUrl === undefined ? "not set" : "wrong"}: ${baseUrlRule}`))
  }
  // An undefined key is none: a program may not want the one of its environment.
  const key = "apiKey" in values ? undefined : yield* read("CHAINTAPE_API_KEY")
  const all = { ...values, baseUrl, ...(key && { apiKey: Redacted.make(key) }) }
  const wrong = findWrongOption("the client", all, clientOptions)
  if (wrong !== undefined) return yield* Effect.fail(toError(wrong))
  // Each member was checked.
  return all as ClientOptions
})
