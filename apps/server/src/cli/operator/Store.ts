import { Config, Effect, Option, Redacted } from "effect"
import type { SqlClient } from "effect/sql"
import { failed, Failure } from "../Failure.ts"

/** Where the service keeps its data, as its own environment says. */
export const storePlace = Effect.gen(function* () {
  const dataDir = yield* Config.String("CHAINTAPE_DATA_DIR").pipe(Config.withDefault(".chaintape"))
  const given = yield* Config.option(Config.Redacted("DATABASE_URL"))
  const url = Option.filter(given, (value) => Redacted.value(value) !== "")
  return { dataDir: `${dataDir}/database`, url: Option.getOrUndefined(url) }
}).pipe(Effect.mapError(({ message }) => failed(message)))

const inUse =
  "The service has its embedded store open, which is for one process at a time: stop the service, give the command " +
  "again, and start the service. Where the store is a PostgreSQL server (DATABASE_URL), it can go on."

/** A failure of the store as a sentence. */
export const sentenceOf = (message: string): string =>
  message.includes("is open in another process") ? inUse : message

const failureOf = (error: { readonly message: string }): Failure =>
  error instanceof Failure ? error : failed(sentenceOf(`The store does not answer. ${error.message}`))

/** Runs `use` on the service's store. Its modules are loaded only here: other commands do not need them. */
export const withStore = Effect.fnUntraced(function* <A, E extends { readonly message: string }>(
  use: Effect.Effect<A, E, SqlClient.SqlClient>
) {
  const place = yield* storePlace
  const { layer } = yield* Effect.promise(() => import("../../store/Database.ts"))
  return yield* Effect.provide(use, layer(place)).pipe(Effect.mapError(failureOf))
})
