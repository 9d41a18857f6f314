import * as NodeServices from "@effect/platform-node/NodeServices"
import { Context, Effect, FileSystem, Layer, Schedule } from "effect"
import type { Reply } from "../../HttpCall.ts"
import { call } from "../../HttpCall.ts"
import { ready, start } from "../../StartedProgram.ts"

const until = (origin: string, path: string, isSo: (reply: Reply) => boolean) =>
  call(origin, { path }).pipe(
    Effect.repeat({ until: isSo, schedule: Schedule.spaced("200 millis").pipe(Schedule.upTo({ times: 900 })) }),
    Effect.asVoid
  )

/** Waits until the service has built its demo. Without one, the start page is served at once. */
export const demoIsBuilt = (origin: string) =>
  until(origin, "/", ({ headers }) => headers["cache-control"] !== "no-store")

/** The program as `start` runs it, with its own sandbox. */
export class DemoProgram extends Context.Service<
  DemoProgram,
  {
    readonly origin: string
    readonly key: string
    /** The address that the start prints for the demo, with the key in its fragment. */
    readonly link: string
  }
>()("@chaintape/server/test/browser/DemoProgram") {
  static readonly layer = Layer.effect(
    DemoProgram,
    Effect.gen(function* () {
      const files = yield* FileSystem.FileSystem
      const started = yield* start({ CHAINTAPE_DATA_DIR: yield* files.makeTempDirectoryScoped() })
      const { origin } = yield* ready(started, 180_000)
      const [, link = "", key = ""] = /demo +(http\S+#key=(\S+))/.exec(started.output()) ?? []
      yield* demoIsBuilt(origin)
      // Until its index has reached the head of the chain, the service rejects the demo's requests.
      yield* until(origin, "/health/ready", ({ status }) => status === 200)
      return DemoProgram.of({ origin, key, link })
    })
  ).pipe(Layer.provideMerge(NodeServices.layer))
}
