import { randomBytes } from "node:crypto"
import { Effect, Redacted } from "effect"

/** A new key: 160 random bits behind a prefix by which people and scanners recognise it. */
export const newKey: Effect.Effect<Redacted.Redacted> = Effect.sync(() =>
  Redacted.make(`chaintape_${randomBytes(20).toString("base64url")}`)
)
