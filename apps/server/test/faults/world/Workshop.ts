import { spawn } from "node:child_process"
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Context, Effect, Layer } from "effect"

/** Waits for the end of its input, which comes however the suite ends, and undoes what is left, the newest first. */
const undoing = `trap '' INT TERM HUP
cat > /dev/null
for file in $(ls -r "$1/undo"); do sh "$1/undo/$file"; done
rm -rf "$1"`

/**
 * The directory of a run, and cleanup of what must not outlive it: processes, network namespaces, mounted file systems.
 */
export class Workshop extends Context.Service<
  Workshop,
  {
    readonly directory: string
    /** Registers a shell command to run at the end, unless the returned effect is run before. */
    readonly atTheEnd: (command: string) => () => void
  }
>()("@chaintape/server/test/faults/Workshop") {
  static readonly layer = Layer.effect(
    Workshop,
    Effect.acquireRelease(
      Effect.sync(() => {
        const directory = mkdtempSync(join(tmpdir(), "chaintape-faults-"))
        // A database server that does not run as root must be able to enter.
        chmodSync(directory, 0o755)
        mkdirSync(join(directory, "undo"))
        const guard = spawn("sh", ["-c", undoing, "guard", directory], {
          stdio: ["pipe", "ignore", "ignore"],
          detached: true
        })
        const gone = new Promise<void>((resolve) => guard.on("close", () => resolve()))
        let count = 0
        const atTheEnd = (command: string) => {
          const file = join(directory, "undo", String(count++).padStart(8, "0"))
          writeFileSync(file, `${command} 2> /dev/null\n`)
          return () => rmSync(file, { force: true })
        }
        return { workshop: Workshop.of({ directory, atTheEnd }), end: () => guard.stdin.end(), gone }
      }),
      ({ end, gone }) =>
        Effect.andThen(
          Effect.sync(end),
          Effect.promise(() => gone)
        )
    ).pipe(Effect.map(({ workshop }) => workshop))
  )
}
