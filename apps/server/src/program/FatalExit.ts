import { Console, Effect, Predicate } from "effect"
import { isPortInUse } from "../internal/process/PortInUse.ts"
import { toMessage } from "../internal/toMessage.ts"

interface Known {
  readonly _tag: string
  readonly message: string
  readonly cause?: unknown
}

/** The message for a malformed or missing variable: what is expected, and its name. */
const schemaError = /^SchemaError\(([^]*?)\s+at \["(.+?)"\]\)$/

/** The port that Node's error names, with a space behind it. */
const toPort = (cause: unknown): string =>
  Predicate.hasProperty(cause, "port") && Predicate.isNumber(cause.port) ? `${cause.port} ` : ""

const toSentence = ({ _tag, cause, message }: Known): string => {
  if (_tag === "ConfigError") return message.replace(schemaError, "The environment variable $2 is wrong: $1.")
  if (_tag !== "ServeError") return message
  return isPortInUse(cause)
    ? `Port ${toPort(cause)}is in use: stop the other program, or set PORT to another one (0 takes any free one).`
    : `The service cannot listen: check HOST and PORT (${toMessage(cause)})`
}

/** Ends a program that cannot continue with a message for the operator, without a stack trace, and with exit code 1. */
export const exitWithMessage = (error: Known) =>
  Effect.andThen(
    Console.error(`Chaintape has stopped. ${toSentence(error)}`),
    Effect.sync(() => {
      process.exitCode = 1
    })
  )
