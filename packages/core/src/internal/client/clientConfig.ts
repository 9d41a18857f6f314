/**
 * The address and the key from the `ConfigProvider` in the context. Read without the schemas of `effect/Config`, which
 * would be a twentieth of every bundle that contains a client.
 */
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import type { ClientOptions } from "../../client/ClientOptions.ts"
import { baseUrlRule, isBaseUrl } from "./baseUrl.ts"

const failed = (message: string) => new Config.ConfigError(new ConfigProvider.SourceError({ message }))

const read = (name: string): Effect.Effect<string | undefined, Config.ConfigError> =>
  Effect.gen(function* () {
    const node = yield* (yield* ConfigProvider.ConfigProvider).load([name])
    return node?.value
  }).pipe(Effect.mapError((error) => new Config.ConfigError(error)))

const readAddress = (name: string): Effect.Effect<URL, Config.ConfigError> =>
  Effect.flatMap(read(name), (text) => {
    if (text === undefined) return Effect.fail(failed(`${name} is not set: it must be the address of the service`))
    if (!isBaseUrl(text)) return Effect.fail(failed(`${name} is wrong: ${baseUrlRule}`))
    return Effect.succeed(new URL(text))
  })

const readKey = (name: string): Effect.Effect<Redacted.Redacted | undefined, Config.ConfigError> =>
  Effect.map(read(name), (text) => (text === undefined ? undefined : Redacted.make(text)))

/** Values, or configurations of them. */
export type Configurable<A> = { readonly [K in keyof A]?: A[K] | Config.Config<NonNullable<A[K]>> | undefined }

/** The options with their configurations read. What is not given is read from `CHAINTAPE_BASE_URL` and `CHAINTAPE_API_KEY`. */
export const readOptions = Effect.fnUntraced(function* (options: Configurable<ClientOptions>) {
  const values: { [name: string]: unknown } = {}
  for (const [name, value] of Object.entries(options)) values[name] = Config.isConfig(value) ? yield* value : value
  const baseUrl = values["baseUrl"] ?? (yield* readAddress("CHAINTAPE_BASE_URL"))
  const apiKey = "apiKey" in values ? values["apiKey"] : yield* readKey("CHAINTAPE_API_KEY")
  // Each member has the type of its option: the client checks the values.
  return { ...values, baseUrl, apiKey } as ClientOptions
})
