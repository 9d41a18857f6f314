/** One library of the decoding benchmark: `trades|pools LIBRARY FILE ROUNDS`. */
import { readFileSync } from "node:fs"
import { Ajv } from "ajv"
import { Type } from "typebox"
import { Compile } from "typebox/compile"
import * as v from "valibot"
import { z } from "zod"
import { medians, processing } from "../Measure.ts"

const digits = /^(0|[1-9]\d{0,15})$/
const decimal = /^-?\d+(\.\d+)?$/
const decimalOrNothing = /^(|-?\d+(\.\d+)?)$/
const address = /^0x[0-9a-f]{40}$/
const market = /^[^\s/-]{1,40}\/[^\s/-]{1,40}$/u

/** The type of each field, defined once for all libraries. */
const trade = { id: "text", timestamp: "millis", price: "number", size: "number", cost: "number", side: "side" }
const decimals = (names) => Object.fromEntries(names.split(" ").map((name) => [name, "decimal"]))
const token = {
  id: "address",
  name: "text",
  symbol: "text",
  ...decimals(
    "decimals supply totalValueLocked totalValueLockedUSD volume volumeUSD untrackedVolumeUSD txCount derivedETH feesUSD poolCount"
  )
}
const pool = {
  id: "address",
  createdAtBlockNumber: "decimal",
  createdAtTimestamp: "seconds",
  feeGrowthGlobal0X128: "decimalOrNothing",
  feeGrowthGlobal1X128: "decimalOrNothing",
  ...decimals("feeTier feesUSD liquidity liquidityProviderCount observationIndex sqrtPrice"),
  tick: "decimalOrNothing",
  ...decimals(
    "token0Price token1Price totalValueLockedToken0 totalValueLockedToken1 totalValueLockedETH totalValueLockedUSD totalValueLockedUSDUntracked txCount volumeUSD volumeToken0 volumeToken1 untrackedVolumeUSD"
  )
}

const libraries = {
  zod: () => {
    const time = (unit) =>
      z
        .string()
        .regex(digits)
        .transform((text) => new Date(Number(text) * unit))
    const kinds = {
      text: z.string(),
      number: z.number(),
      side: z.enum(["buy", "sell"]),
      millis: time(1),
      seconds: time(1000),
      decimal: z.string().regex(decimal),
      decimalOrNothing: z.string().regex(decimalOrNothing),
      address: z.string().regex(address),
      market: z.string().regex(market)
    }
    const object = (fields, more = {}) =>
      z.object({ ...Object.fromEntries(Object.entries(fields).map(([name, kind]) => [name, kinds[kind]])), ...more })
    const pools = z.array(object(pool, { token0: object(token), token1: object(token) }))
    const trades = object({ exchange: "text", market: "market" }, { trades: z.array(object(trade)) })
    return { pools: (json) => pools.parse(json), trades: (json) => trades.parse(json) }
  },
  valibot: () => {
    const text = (pattern) => v.pipe(v.string(), v.regex(pattern))
    const time = (unit) =>
      v.pipe(
        v.string(),
        v.regex(digits),
        v.transform((text) => new Date(Number(text) * unit))
      )
    const kinds = {
      text: v.string(),
      number: v.pipe(v.number(), v.finite()),
      side: v.picklist(["buy", "sell"]),
      millis: time(1),
      seconds: time(1000),
      decimal: text(decimal),
      decimalOrNothing: text(decimalOrNothing),
      address: text(address),
      market: text(market)
    }
    const object = (fields, more = {}) =>
      v.object({ ...Object.fromEntries(Object.entries(fields).map(([name, kind]) => [name, kinds[kind]])), ...more })
    const pools = v.array(object(pool, { token0: object(token), token1: object(token) }))
    const trades = object({ exchange: "text", market: "market" }, { trades: v.array(object(trade)) })
    return { pools: (json) => v.parse(pools, json), trades: (json) => v.parse(trades, json) }
  },
  typebox: () => {
    const text = (pattern) => Type.String({ pattern: pattern.source })
    const kinds = {
      text: Type.String(),
      number: Type.Number(),
      side: Type.Union([Type.Literal("buy"), Type.Literal("sell")]),
      millis: text(digits),
      seconds: text(digits),
      decimal: text(decimal),
      decimalOrNothing: text(decimalOrNothing),
      address: text(address),
      market: text(market)
    }
    const object = (fields, more = {}) =>
      Type.Object({ ...Object.fromEntries(Object.entries(fields).map(([name, kind]) => [name, kinds[kind]])), ...more })
    return checked(
      Compile(Type.Array(object(pool, { token0: object(token), token1: object(token) }))),
      Compile(object({ exchange: "text", market: "market" }, { trades: Type.Array(object(trade)) }))
    )
  },
  ajv: () => {
    const text = (pattern) => ({ type: "string", pattern: pattern.source })
    const kinds = {
      text: { type: "string" },
      number: { type: "number" },
      side: { enum: ["buy", "sell"] },
      millis: text(digits),
      seconds: text(digits),
      decimal: text(decimal),
      decimalOrNothing: text(decimalOrNothing),
      address: text(address),
      market: text(market)
    }
    const object = (fields, more = {}) => {
      const properties = {
        ...Object.fromEntries(Object.entries(fields).map(([name, kind]) => [name, kinds[kind]])),
        ...more
      }
      return { type: "object", properties, required: Object.keys(properties) }
    }
    const ajv = new Ajv()
    const pools = ajv.compile({
      type: "array",
      items: object(pool, { token0: object(token), token1: object(token) })
    })
    const trades = ajv.compile(
      object({ exchange: "text", market: "market" }, { trades: { type: "array", items: object(trade) } })
    )
    return checked({ Check: pools }, { Check: trades })
  }
}

/** These two validate, and leave the text of a time as it is. */
const checked = (pools, trades) => {
  const decode = (check) => (json) => {
    if (!check.Check(json)) throw new Error("The library refuses the JSON.")
    return json
  }
  return { pools: decode(pools), trades: decode(trades) }
}

const [kind, name, file, rounds] = process.argv.slice(2)
const text = readFileSync(file, "utf8")
const decode = libraries[name]()[kind]
decode(JSON.parse(text))
const measured = medians(
  { parse: () => JSON.parse(text), decode: () => decode(JSON.parse(text)) },
  Number(rounds),
  processing
)
console.log(JSON.stringify(measured.map(({ ms }) => ms)))
