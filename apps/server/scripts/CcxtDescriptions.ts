import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, resolve } from "node:path"
import { Schema } from "effect"

const decodeManifest = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ version: Schema.String })))

/** The version of the installed package: the constant in its source may lag behind. */
const readVersion = (): string => {
  const root = resolve(dirname(createRequire(import.meta.url).resolve("ccxt")), "..")
  return decodeManifest(readFileSync(resolve(root, "package.json"), "utf8")).version
}

const Texts = Schema.Union([Schema.String, Schema.Array(Schema.String)])

const Description = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  countries: Schema.optional(Schema.Array(Schema.String)),
  has: Schema.Struct({ fetchTrades: Schema.optional(Schema.Unknown), fetchOHLCV: Schema.optional(Schema.Unknown) }),
  timeframes: Schema.optional(Schema.Record(Schema.String, Schema.Unknown)),
  urls: Schema.Struct({
    www: Texts,
    logo: Schema.String,
    doc: Schema.optional(Texts),
    fees: Schema.optional(Texts)
  })
})

/** The part of an exchange's description from which the catalog is generated. */
export type Description = typeof Description.Type

const decode = Schema.decodeUnknownSync(Description)

/** Loads all of ccxt, without the prediction markets, which have a namespace of their own. */
export const ccxtDescriptions = async (): Promise<{
  readonly version: string
  readonly descriptions: ReadonlyArray<Description>
}> => {
  const { default: ccxt } = await import("ccxt")
  // ccxt's own types have no index by id; each value is an exchange class, and decoding checks its description.
  const classes = ccxt as unknown as Readonly<Record<string, new () => unknown>>
  const descriptions = ccxt.exchanges.map((id) => {
    const Exchange = classes[id]
    if (Exchange === undefined) throw new Error(`ccxt lists "${id}" but has no class of that name.`)
    return decode(new Exchange())
  })
  return { version: readVersion(), descriptions }
}
