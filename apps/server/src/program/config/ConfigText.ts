import { Schema } from "effect"

export const Address = Schema.String.check(
  Schema.isPattern(/^0x[0-9a-fA-F]{40}$/u, { expected: "an address: 0x and 40 hexadecimal digits" })
)

export const Id = Schema.String.check(
  Schema.isPattern(/^[a-z0-9][a-z0-9-]{0,62}$/u, { expected: "an id: lower-case letters, digits and hyphens" })
)

export const HttpUrl = Schema.String.check(
  Schema.isPattern(/^https?:\/\/[^\s]+$/u, { expected: "an address that begins with http:// or https://" })
)
