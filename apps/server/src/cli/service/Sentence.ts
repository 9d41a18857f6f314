import type { trades } from "@chaintape/core/api/CexOperations"
import type { poolTrades, tokens } from "@chaintape/core/api/DexOperations"
import type { Read } from "@chaintape/core/client/Client"
import { Option } from "effect"
import type { Effect } from "effect"
import type { AccessKey } from "./AccessKey.ts"

export type ReadError = Effect.Error<ReturnType<Read<typeof trades | typeof poolTrades | typeof tokens>>>

const howToStart = "Start the service with `npx -y pnpm@12 start`, or say with --url where it is."

/** The client's message for a truncated response. */
const cutOff = "the answer is cut off"

const keySentence = (key: Option.Option<AccessKey>): string =>
  Option.match(key, {
    onNone: () => "Give one with --key or in the environment variable CHAINTAPE_KEY.",
    onSome: ({ origin }) => `It is from ${origin}.`
  })

/** A client error as a message for the user. */
export const toSentence = (error: ReadError, url: URL, key: Option.Option<AccessKey>): string => {
  switch (error._tag) {
    case "TransportError":
      if (error.detail === cutOff) return `The answer of ${url.origin} was cut off, again and again.`
      return `Nothing answers at ${url.origin} (${error.detail}). ${howToStart}`
    case "TimeoutError":
      return `The service at ${url.origin} did not answer in ${Math.round(error.milliseconds / 1000)} s.`
    case "UnexpectedAnswer":
      return `What answers at ${url.origin} is not this service: ${error.message}. ${howToStart}`
    case "MissingApiKey":
    case "InvalidApiKey":
      return `${error.detail} ${keySentence(key)}`
    case "Internal":
      return error.requestId === undefined ? error.detail : `${error.detail} The id is ${error.requestId}.`
    default:
      return error.detail
  }
}
