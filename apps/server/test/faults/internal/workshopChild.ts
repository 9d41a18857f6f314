/** A run of the suite as a child process, which a test kills. Prints the pid of its own child, and its directory. */
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Effect } from "effect"
import { startChild } from "../world/Child.ts"
import { Workshop } from "../world/Workshop.ts"

const program = Effect.gen(function* () {
  const { directory } = yield* Workshop
  const { pid } = yield* startChild({ name: "sleep", command: "sleep", args: ["120"], ending: "SIGTERM" })
  yield* Console.log(JSON.stringify({ pid, directory }))
  return yield* Effect.never
})

NodeRuntime.runMain(program.pipe(Effect.scoped, Effect.provide(Workshop.layer)))
