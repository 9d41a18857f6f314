import { HttpServerResponse } from "effect/http"

/** A response of JSON that is encoded already. */
export const renderJson = (json: string, headers: Record<string, string>) =>
  HttpServerResponse.text(json, { contentType: "application/json", headers })
