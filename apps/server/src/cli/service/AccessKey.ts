import { Config, Effect, FileSystem, Option, Path, Redacted } from "effect"
import { wrongUsage } from "../terminal/CommandError.ts"
import { dataDirectory } from "../terminal/dataDirectory.ts"

/** A key and its origin, in words that may be printed. */
export interface AccessKey {
  readonly key: Redacted.Redacted
  readonly origin: string
}

const variables = ["CHAINTAPE_KEY", "CHAINTAPE_API_KEY"] as const

const isBlank = (key: Redacted.Redacted) => Redacted.value(key).trim() === ""

const readEnvironmentKey = Effect.fnUntraced(function* () {
  for (const name of variables) {
    const key = yield* Config.option(Config.Redacted(name))
    if (Option.isSome(key) && !isBlank(key.value)) {
      return Option.some<AccessKey>({ key: key.value, origin: `the environment variable ${name}` })
    }
  }
  return Option.none<AccessKey>()
})

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/

/** The key of the offline start is for a service on this machine: it is not sent anywhere else. */
const readLocalKey = Effect.fnUntraced(function* (url: URL) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  if (!loopback.test(url.hostname)) return Option.none<AccessKey>()
  const dataDir = yield* dataDirectory
  const file = path.resolve(dataDir, "local-key")
  // Without such a file there is no local key.
  const text = yield* Effect.option(files.readFileString(file))
  return text.pipe(
    Option.map((found) => found.trim()),
    Option.filter((found) => found !== ""),
    Option.map((found): AccessKey => ({ key: Redacted.make(found), origin: `the file ${file}` }))
  )
})

/** The key of the option, of the environment, or of the offline start if `url` is this machine. */
export const accessKey = Effect.fn("AccessKey.find")(function* (given: Option.Option<Redacted.Redacted>, url: URL) {
  if (Option.isSome(given)) {
    if (isBlank(given.value)) return yield* wrongUsage("--key is empty: give the key, or leave the option out.")
    return Option.some<AccessKey>({ key: given.value, origin: "--key" })
  }
  const environment = yield* readEnvironmentKey()
  return Option.isSome(environment) ? environment : yield* readLocalKey(url)
})
