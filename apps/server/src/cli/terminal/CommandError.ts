import { Data } from "effect"
import { Runtime } from "effect"

/** The exit codes of the command line. */
export const exitCodes = { failure: 1, usage: 2, incomplete: 3, different: 4, refused: 5 } as const

/** Ends a command: a message for the user, and the exit code. */
export class CommandError extends Data.TaggedError("CommandError")<{
  readonly message: string
  readonly code: (typeof exitCodes)[keyof typeof exitCodes]
}> {
  override readonly [Runtime.errorExitCode]: number = this.code
  override readonly [Runtime.errorReported] = false
}

/** Without a message, the command has already printed why it ends. */
export const toFailure = (message: string, code: keyof typeof exitCodes = "failure") =>
  new CommandError({ message, code: exitCodes[code] })

export const wrongUsage = (message: string) => toFailure(message, "usage")
