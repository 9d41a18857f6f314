import { Data } from "effect"

/** A file cannot be imported. Nothing of it was. */
export class DumpError extends Data.TaggedError("DumpError")<{ readonly message: string }> {}
