import { Effect, FileSystem } from "effect"
import { ready, start } from "../StartedProgram.ts"
import { demoIsBuilt } from "./demo/DemoProgram.ts"

/** The program with its own configuration and the embedded database. Returns its address. */
export const startProgram = Effect.gen(function* () {
  const files = yield* FileSystem.FileSystem
  const folder = yield* files.makeTempDirectoryScoped()
  yield* files.writeFileString(`${folder}/config.json`, "{}")
  const started = yield* start({ CHAINTAPE_CONFIG: `${folder}/config.json`, CHAINTAPE_DATA_DIR: `${folder}/data` })
  const { origin } = yield* ready(started, 180_000)
  yield* demoIsBuilt(origin)
  return origin
})
