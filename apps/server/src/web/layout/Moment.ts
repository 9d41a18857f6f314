import { DateTime } from "effect"
import { html } from "./Html.ts"

/** To the minute, in UTC, for people. */
export const moment = (at: DateTime.Utc) => {
  const iso = DateTime.formatIso(at)
  return html`<time datetime="${iso}">${iso.slice(0, 10)} ${iso.slice(11, 16)}</time>`
}

/** The day, in UTC. */
export const day = (at: DateTime.Utc) =>
  html`<time datetime="${DateTime.formatIso(at)}">${DateTime.formatIsoDateUtc(at)}</time>`
