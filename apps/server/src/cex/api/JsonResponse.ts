import { HttpServerResponse } from "effect/http"

/** Where the rows of a response come from. */
export const sourceHeader = (origins: ReadonlyArray<string>) => ({ "chaintape-source": origins.join(", ") })

/** A response of JSON that is encoded already. */
export const renderJson = (json: string, headers: Record<string, string>) =>
  HttpServerResponse.text(json, { contentType: "application/json", headers })
