import { Data } from "effect"

/** Why an archive cannot be written, or is not what it says. */
export class ArchiveError extends Data.TaggedError("ArchiveError")<{
  readonly message: string
  /** The error of the system, if there is one. */
  readonly cause?: unknown
}> {}
