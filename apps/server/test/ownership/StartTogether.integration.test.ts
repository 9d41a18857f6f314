import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { call } from "../HttpCall.ts"
import { ready, start } from "../StartedProgram.ts"
import { ownDatabase } from "./Instances.ts"

const server = process.env["DATABASE_URL"]

describe.skipIf(server === undefined)("instances that start on an empty PostgreSQL database (DATABASE_URL)", () => {
  it.live(
    "at the same moment make its tables and one key together, which is good on all of them",
    () =>
      Effect.gen(function* () {
        const database = yield* ownDatabase(server ?? "")
        const files = yield* FileSystem.FileSystem
        const folder = yield* files.makeTempDirectoryScoped()
        const config = `${folder}/chaintape.config.json`
        yield* files.writeFileString(config, "{}")
        const environment = { DATABASE_URL: database, CHAINTAPE_CONFIG: config, CHAINTAPE_DATA_DIR: `${folder}/data` }
        const all = yield* Effect.forEach(["one", "two", "three"], () => start(environment))
        const origins = yield* Effect.forEach(all, (started) =>
          Effect.map(ready(started, 180_000), ({ origin }) => origin)
        )
        const keys = all.flatMap((started) => /^ {2}key +(chaintape_\S+)$/m.exec(started.output())?.slice(1) ?? [])
        assert.lengthOf(keys, 1, all.map((started) => started.output()).join("\n"))
        for (const origin of origins) {
          const answer = yield* call(origin, { path: "/v2/cex/exchanges", headers: { "api-key": keys[0] } })
          assert.strictEqual(answer.status, 200, answer.body)
        }
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)),
    600_000
  )
})
