import { DatabaseSync } from "node:sqlite"
import { Effect, FileSystem } from "effect"
import { JournalStoreError } from "./JournalStore.ts"

/** A sandbox whose parent was killed ends within this time, also on a busy machine. */
const longestWaitMs = 15_000

/**
 * Excludes other sandboxes from a folder of journals until the scope ends: two of them would write other trades under the same
 * ids. The kernel holds the lock and releases it when the process dies.
 */
export const lockJournals = Effect.fn("lockJournals")(function* (directory: string, waitMs = longestWaitMs) {
  const fs = yield* FileSystem.FileSystem
  const refused = (message: string) => (cause: unknown) => new JournalStoreError({ message, cause })
  yield* fs
    .makeDirectory(directory, { recursive: true })
    .pipe(Effect.mapError(refused(`The sandbox exchange could not create the folder "${directory}".`)))
  yield* Effect.acquireRelease(
    Effect.try({
      try: () => {
        const database = new DatabaseSync(`${directory}/lock`)
        try {
          database.exec(`PRAGMA busy_timeout = ${waitMs}; BEGIN EXCLUSIVE`)
        } catch (cause) {
          database.close()
          throw cause
        }
        return database
      },
      catch: refused(
        `The journals in "${directory}" cannot be locked: another sandbox writes them, or the folder cannot be written. Stop ` +
          "that one, or use another folder."
      )
    }),
    (database) => Effect.sync(() => database.close())
  )
})
