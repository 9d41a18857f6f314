import { spawn } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { Effect, Schema } from "effect"
import { key, metrics, RunningService } from "../../RunningService.ts"

const program = fileURLToPath(new URL("../../internal/slowReaders.ts", import.meta.url))

const decodeAnswered = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Struct({ served: Schema.Int, refused: Schema.Int }))
)

const maxMs = 120_000

/** Readers of a kilobyte a second, all of which have received the beginning of a response: returns their statuses. */
export const slowReaders = (path: string, count: number) =>
  Effect.gen(function* () {
    const { origin } = yield* RunningService
    const child = yield* Effect.acquireRelease(
      Effect.sync(() =>
        spawn(process.execPath, [program, origin, path, key, count, maxMs].map(String), {
          stdio: ["pipe", "pipe", "inherit"]
        })
      ),
      (started) => Effect.sync(() => started.kill("SIGKILL"))
    )
    const [line] = yield* Effect.promise(() => once(createInterface({ input: child.stdout }), "line"))
    return decodeAnswered(line)
  })

/** How many readers the service has cut off. They do not notice while data is still in their buffers. */
export const cutReaders = Effect.map(metrics, (body) =>
  Number(/^chaintape_http_slow_readers_total (\d+)$/m.exec(body)?.[1] ?? 0)
)

/** Large responses in progress. */
export const places = 16
