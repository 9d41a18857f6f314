/** The mistakes of a newcomer, one case for each argument, with the text of the error. */
import {
  ChaintapeError,
  type ChaintapeOptions,
  createClient,
  MissingApiKey,
  RateLimited
} from "@chaintape/core/promise"
import { address, key } from "./settings.js"

const [name = ""] = process.argv.slice(2)
const once = { attempts: 1 }
const last = (options: Partial<ChaintapeOptions>, market = "BTC/USD") =>
  createClient({ baseUrl: address, apiKey: key, retry: once, ...options }).cex.lastTrade({ exchange: "stub", market })

const misspelt = { apikey: key }

const cases: Readonly<Record<string, () => Promise<unknown>>> = {
  "wrong-key": () => last({ apiKey: "wrong" }),
  "wrong-market": () => last({}, "NO/PE"),
  "misspelt-option": async () => createClient({ baseUrl: address, ...misspelt }),
  "server-down": () => last({ baseUrl: "http://127.0.0.1:1" }),
  "too-many": () => last({ apiKey: "busy" }),
  "no-key": () => last({ apiKey: undefined })
}

const error: unknown = await cases[name]?.().then(
  () => undefined,
  (error: unknown) => error
)
if (!(error instanceof Error)) throw new Error(`"${name}" did not fail`)
console.log(
  JSON.stringify({
    name: error instanceof ChaintapeError ? error._tag : error.name,
    message: error.message,
    isRetryable: error instanceof ChaintapeError && error.isRetryable,
    waits: error instanceof RateLimited ? error.retryAfterMs : undefined,
    isMissing: error instanceof MissingApiKey,
    isMine: (error.stack ?? "").includes("failures.")
  })
)
