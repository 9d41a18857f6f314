import { DatabaseSync } from "node:sqlite"
import { Effect, Schedule } from "effect"
import { createFolder } from "./JournalFolder.ts"
import { JournalStoreError, toJournalStoreError } from "./JournalStoreError.ts"

/** A sandbox whose parent was killed ends within this time, also on a busy machine: tries, one every 100 ms. */
const patience = 150

/** SQLite's code where another process holds the lock (https://www.sqlite.org/rescode.html#busy). */
const busy = 5

const isHeld = ({ cause }: JournalStoreError): boolean =>
  cause instanceof Error && "errcode" in cause && cause.errcode === busy

const lock = (path: string): DatabaseSync => {
  const database = new DatabaseSync(path)
  try {
    database.exec("PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE")
    return database
  } catch (cause) {
    database.close()
    throw cause
  }
}

/**
 * Excludes other sandboxes from a folder of journals until the scope ends: two of them would write other trades under the same
 * ids. The kernel holds the lock and releases it when the process dies.
 */
export const lockJournals = Effect.fn("lockJournals")(function* (directory: string, tries = patience) {
  const refused = (message: string) => (cause: unknown) => new JournalStoreError({ message, cause })
  yield* createFolder(directory).pipe(Effect.mapError(toJournalStoreError("create", `the folder "${directory}"`)))
  const taken = Effect.acquireRelease(
    Effect.try({
      try: () => lock(`${directory}/lock`),
      catch: refused(
        `The journals in "${directory}" cannot be locked: another sandbox writes them, or the folder cannot be written. Stop ` +
          "that one, free space if the disk is full, or use another folder."
      )
    }),
    (database) => Effect.sync(() => database.close())
  )
  yield* Effect.retry(taken, {
    while: isHeld,
    schedule: Schedule.max([Schedule.spaced("100 millis"), Schedule.recurs(tries)])
  })
})
