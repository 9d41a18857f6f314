import { Effect, Layer, Redacted } from "effect"
import { AuditLog } from "../../src/auth/AuditLog.ts"
import { ApiKeys } from "../../src/auth/keys/ApiKeys.ts"
import { ApiKeyStore } from "../../src/auth/keys/ApiKeyStore.ts"
import * as Database from "../../src/store/Database.ts"

// Creates one key after the other until it is killed, and prints the name of each once it is stored.
const [, , dataDir = ""] = process.argv

const store = ApiKeys.layer.pipe(
  Layer.provideMerge(ApiKeyStore.layer),
  Layer.provide(AuditLog.layer),
  Layer.provide(Database.layer({ url: undefined, dataDir }))
)

const write = Effect.gen(function* () {
  const { install } = yield* ApiKeys
  for (let number = 1; ; number++) {
    yield* install(`name-${number}`, Redacted.make(`key-number-${number}-of-the-writer`))
    yield* Effect.sync(() => process.stdout.write(`${number}\n`))
  }
}).pipe(Effect.provide(store))

await Effect.runPromise(write)
