import { assert, describe, it } from "@effect/vitest"
import { ConfigProvider, Effect } from "effect"
import * as Roles from "../../src/ownership/Roles.ts"

const read = (CHAINTAPE_ROLES: string | undefined) =>
  Roles.config.pipe(
    Effect.provideService(
      ConfigProvider.ConfigProvider,
      ConfigProvider.fromEnv({ env: CHAINTAPE_ROLES === undefined ? {} : { CHAINTAPE_ROLES } })
    )
  )

describe("the roles of an instance", () => {
  it.effect.each([
    [undefined, ["api", "recorder", "indexer"]],
    ["", ["api", "recorder", "indexer"]],
    ["api", ["api"]],
    [" indexer , recorder ", ["recorder", "indexer"]],
    ["api,api", ["api"]]
  ] as const)("%j are %j", ([text, roles]) =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* read(text), roles)
    })
  )

  it.effect.each(["api,", "api recorder", "API", "api,reader"])("%j are none", (text) =>
    Effect.gen(function* () {
      const { message } = yield* Effect.flip(read(text))
      assert.include(message, '"api", "recorder" and "indexer", or some of them, with commas between them')
      assert.include(message, "CHAINTAPE_ROLES")
    })
  )
})
