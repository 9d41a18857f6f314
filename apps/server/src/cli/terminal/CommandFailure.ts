import { Data } from "effect"
import { Runtime } from "effect"

/** The exit codes of the command line. */
export const exitCodes = { failure: 1, usage: 2, incomplete: 3, different: 4, refused: 5 } as const

/** Ends a command: a message for the user, and the exit code. */
export class CommandFailure extends Data.TaggedError("CommandFailure")<{
  readonly message: string
  readonly code: (typeof exitCodes)[keyof typeof exitCodes]
}> {
  override readonly [Runtime.errorExitCode]: number = this.code
  override readonly [Runtime.errorReported] = false
}

export const toFailure = (message: string) => new CommandFailure({ message, code: exitCodes.failure })

export const wrongUsage = (message: string) => new CommandFailure({ message, code: exitCodes.usage })
