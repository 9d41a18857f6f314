import { Schema } from "effect"

export const Address = Schema.String.check(
  Schema.isPattern(/^0x[0-9a-fA-F]{40}$/u, { expected: "an address: 0x and 40 hexadecimal digits" })
)

export const Id = Schema.String.check(
  Schema.isPattern(/^[a-z0-9][a-z0-9-]{0,62}$/u, { expected: "an id: lower-case letters, digits and hyphens" })
)

/** An address that starts in the right way may still have no host, or a port that does not exist. */
export const isUrl = Schema.makeFilter((text: string) => URL.canParse(text), {
  expected: "a valid address, with a host and a port up to 65535"
})

export const HttpUrl = Schema.String.check(
  isUrl,
  Schema.isPattern(/^https?:\/\/[^\s]+$/u, { expected: "an address that begins with http:// or https://" })
)
