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
  const variables: { [name: string]: string } = {}
  if (values["baseUrl"] === undefined) {
    values["baseUrl"] = yield* read((variables["baseUrl"] = "CHAINTAPE_BASE_URL"))
  }
  // An undefined key is none: a program may not want the one of its environment.
  if (!("apiKey" in values)) {
    const key = yield* read((variables["apiKey"] = "CHAINTAPE_API_KEY"))
    values["apiKey"] = key && Redacted.make(key)
  }
  const wrong = findWrongOption("the client", values, clientOptions)
  if (wrong !== undefined) {
    const message = wrong.replace(/^\w+/, (name) => variables[name] ?? name)
    return yield* Effect.fail(new Config.ConfigError(new ConfigProvider.SourceError({ message })))
  }
  // Each member was checked.
  return values as object as ClientOptions
})
