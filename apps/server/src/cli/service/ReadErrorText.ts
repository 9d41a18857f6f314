import type { ClientError } from "@chaintape/core"
import type { Operation } from "@chaintape/core/operations"
import type * as CexOperations from "@chaintape/core/operations/cex"
import type * as DexOperations from "@chaintape/core/operations/dex"
import { Option } from "effect"
import { toFailure } from "../terminal/CommandError.ts"
import type { AccessKey } from "./AccessKey.ts"

export type ReadError =
  | Operation.Problem<
      | typeof CexOperations.trades
      | typeof CexOperations.candles
      | typeof DexOperations.poolTrades
      | typeof DexOperations.candles
      | typeof DexOperations.tokens
    >
  | ClientError

const howToStart = "Start the service with `npx -y pnpm@12 start`, or give its address with --url."

const toKeySentence = (key: Option.Option<AccessKey>): string =>
  Option.match(key, {
    onNone: () => "Give one with --key or in the environment variable CHAINTAPE_KEY or CHAINTAPE_API_KEY.",
    onSome: ({ origin }) => `It is from ${origin}.`
  })

export const unreadable = (url: URL) =>
  toFailure(`The answer of ${url.origin} is not written as this program reads it: do their versions differ?`)

/** A client error as a message for the user. */
export const toReadErrorText = (error: ReadError, url: URL, key: Option.Option<AccessKey>): string => {
  switch (error._tag) {
    case "TransportError":
      return `No complete response from ${url.origin} (${error.detail}). ${howToStart}`
    case "RequestTimeout":
      return `The service at ${url.origin} did not answer in ${Math.round(error.milliseconds / 1000)} s.`
    case "UnexpectedResponse":
      return `The server at ${url.origin} is not this service: ${error.message}. ${howToStart}`
    case "MissingApiKey":
    case "InvalidApiKey":
      return `${error.detail} ${toKeySentence(key)}`
    case "Internal":
      return error.requestId === undefined ? error.detail : `${error.detail} The id is ${error.requestId}.`
    default:
      return error.detail
  }
}
