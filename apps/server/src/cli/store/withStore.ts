import { Config, Console, Effect, FileSystem, Option, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import { toFailure } from "../terminal/CommandError.ts"
import { dataDirectory } from "../terminal/dataDirectory.ts"
import { toStoreFailure } from "./StoreFailure.ts"

/** The location of the service's data, from the same environment variables as the service. */
export const storeLocation = Effect.gen(function* () {
  const dataDir = yield* dataDirectory
  const given = yield* Config.option(Config.Redacted("DATABASE_URL"))
  const url = Option.filter(given, (value) => Redacted.value(value) !== "")
  return { dataDir: `${dataDir}/database`, url: Option.getOrUndefined(url) }
}).pipe(Effect.mapError(({ message }) => toFailure(message)))

/** Runs `use` on the service's store, whose modules are loaded only here: other commands do not need them. */
export const withStore = Effect.fnUntraced(function* <A, E extends { readonly message: string }, R>(
  use: Effect.Effect<A, E, R | SqlClient.SqlClient>
) {
  const location = yield* storeLocation
  const { dataDir, url } = location
  const files = yield* FileSystem.FileSystem
  // The store says why it cannot be looked for.
  if (url === undefined && !(yield* Effect.orElseSucceed(files.exists(dataDir), () => true))) {
    yield* Console.error(
      `There was no store in "${dataDir}": a new one is made. If the service has another, set CHAINTAPE_DATA_DIR to its directory.`
    )
  }
  const { layer } = yield* Effect.promise(() => import("../../store/Database.ts"))
  return yield* Effect.provide(use, layer(location)).pipe(Effect.mapError(toStoreFailure))
})
