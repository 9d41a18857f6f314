import { DateTime, Option } from "effect"
import { HttpServerResponse } from "effect/http"

/** Where the rows of a response come from. */
export const sourceHeader = (origins: ReadonlyArray<string>) => ({ "chaintape-source": origins.join(", ") })

/** The header of a response to which every later one is equal. */
export const immutable = { "cache-control": "private, max-age=31536000, immutable" }

/** A response of JSON that is encoded already. */
export const renderJson = (json: string, headers: Record<string, string>) =>
  HttpServerResponse.text(json, { contentType: "application/json", headers })

export const toMillis = (time: DateTime.Utc | undefined) =>
  Option.map(Option.fromUndefinedOr(time), DateTime.toEpochMillis)
