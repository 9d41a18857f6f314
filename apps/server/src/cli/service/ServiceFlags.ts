import { Config, Effect, Option } from "effect"
import { Flag } from "effect/cli"
import { wrongUsage } from "../terminal/CommandError.ts"

/** The service that a command reads, and the key for it. */
export const serviceFlags = {
  url: Flag.String("url").pipe(
    Flag.withMetavar("URL"),
    Flag.withDescription("Where the service is; CHAINTAPE_BASE_URL or http://127.0.0.1:3000 if absent"),
    Flag.optional
  ),
  key: Flag.Redacted("key").pipe(
    Flag.withDescription(
      "Key; if absent CHAINTAPE_KEY or CHAINTAPE_API_KEY, or the local key of a service on this machine"
    ),
    Flag.optional
  )
}

/** Whether a text is the address of a service or a node. */
export const isHttpAddress = (text: string): boolean => /^https?:\/\//.test(text) && URL.canParse(text)

/** The address of the option, of the environment, or of a service on this machine. */
export const serviceUrl = Effect.fnUntraced(function* (given: Option.Option<string>) {
  const standard = Config.String("CHAINTAPE_BASE_URL").pipe(Config.withDefault("http://127.0.0.1:3000"))
  const text = Option.isSome(given) ? given.value : yield* standard
  if (isHttpAddress(text)) return new URL(text)
  return yield* wrongUsage(`--url is "${text}": it must be an address such as http://127.0.0.1:3000.`)
})
