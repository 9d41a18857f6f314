/**
 * The address and the key from the `ConfigProvider` in the context. Read without the schemas of `effect/Config`, which
 * would be a twentieth of every bundle that contains a client.
 */
import * as Config from "effect/Config"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import { addressRule, isAddress } from "./address.ts"

const failed = (message: string) => new Config.ConfigError(new ConfigProvider.SourceError({ message }))

const read = (name: string): Effect.Effect<string | undefined, Config.ConfigError> =>
  Effect.gen(function* () {
    const node = yield* (yield* ConfigProvider.ConfigProvider).load([name])
    return node?.value
  }).pipe(Effect.mapError((error) => new Config.ConfigError(error)))

export const readAddress = (name: string): Effect.Effect<URL, Config.ConfigError> =>
  Effect.flatMap(read(name), (text) => {
    if (text === undefined) return Effect.fail(failed(`${name} is not set: it must be the address of the service`))
    if (!isAddress(text)) return Effect.fail(failed(`${name} is wrong: ${addressRule}`))
    return Effect.succeed(new URL(text))
  })

export const readKey = (name: string): Effect.Effect<Redacted.Redacted | undefined, Config.ConfigError> =>
  Effect.map(read(name), (text) => (text === undefined ? undefined : Redacted.make(text)))
