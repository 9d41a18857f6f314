import { Data, PlatformError } from "effect"

export class JournalStoreError extends Data.TaggedError("JournalStoreError")<{
  readonly message: string
  readonly cause: unknown
}> {}

/** The message of the operating system: that of a platform error names only the call. */
const toReason = (cause: unknown): string => {
  if (PlatformError.isPlatformError(cause) && cause.cause !== undefined) return toReason(cause.cause)
  return cause instanceof Error ? cause.message : String(cause)
}

/** The failure of a file operation: `verb` is what the exchange could not do. */
export const toJournalStoreError = (verb: string, what: string) => (cause: unknown) =>
  new JournalStoreError({ message: `The sandbox exchange could not ${verb} ${what}: ${toReason(cause)}.`, cause })
