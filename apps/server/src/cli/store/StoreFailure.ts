import { Predicate } from "effect"
import { StoreInUseError, toDatabaseCause } from "../../internal/StoreError.ts"
import { CommandError, toFailure } from "../terminal/CommandError.ts"

interface Failure {
  readonly message: string
}

const inUse =
  "The service has its embedded store open, which is for one process at a time: stop the service, give the command " +
  "again, and start the service. With a PostgreSQL server (DATABASE_URL) the service can keep running."

const isInUse = (error: Failure): boolean =>
  Predicate.hasProperty(error, "cause") && error.cause instanceof StoreInUseError

/** The failure of a command that reads or replaces the files of the embedded store. */
export const toFilesFailure = (error: Failure): CommandError => toFailure(isInUse(error) ? inUse : error.message)

/** The failure of a command that opens the store. */
export const toStoreFailure = (error: Failure): CommandError => {
  if (error instanceof CommandError) return error
  if (isInUse(error)) return toFailure(inUse)
  const reason = toDatabaseCause(error).message
  return toFailure(
    // An embedded engine that ends on a full disk leaves this text of the system, and no code.
    reason.includes("No space left on device")
      ? `The disk of the store is full: free space, and give the command again. (${reason})`
      : `The store does not answer. ${reason}`
  )
}
