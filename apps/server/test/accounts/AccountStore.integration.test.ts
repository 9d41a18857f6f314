import { assert, describe, layer } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { AccountStore } from "../../src/accounts/AccountStore.ts"
import { embeddedDatabase, serverDatabase } from "../OwnDatabase.ts"

const server = process.env["DATABASE_URL"]
const epoch = new Date(0)

describe.each([
  ["the embedded database", undefined],
  ["a PostgreSQL server (DATABASE_URL)", server]
])("stored accounts, on %s", (name, url) => {
  const isLacking = name.includes("DATABASE_URL") && url === undefined
  const database = url === undefined ? embeddedDatabase : serverDatabase(url)
  layer(AccountStore.layer.pipe(Layer.provide(database)), { timeout: "60 seconds" })((it) => {
    it.effect.skipIf(isLacking)("get another password only while they are enabled and have the expected one", () =>
      Effect.gen(function* () {
        const store = yield* AccountStore
        const stored = Effect.map(
          store.find("ada"),
          Option.map(({ password }) => password)
        )
        assert.isTrue(yield* store.insert({ id: "ada", email: "ada@example.com", password: "one" }, epoch))
        assert.isFalse(yield* store.replacePassword("ada", "two", "another"))
        assert.isTrue(yield* store.setDisabledAt("ada", epoch))
        assert.isFalse(yield* store.replacePassword("ada", "two"))
        assert.isFalse(yield* store.replacePassword("ada", "two", "one"))
        assert.deepStrictEqual(yield* stored, Option.some("one"))
        assert.isTrue(yield* store.setDisabledAt("ada", null))
        assert.isTrue(yield* store.replacePassword("ada", "two", "one"))
        assert.isTrue(yield* store.replacePassword("ada", "three"))
        assert.deepStrictEqual(yield* stored, Option.some("three"))
      })
    )
  })
})
