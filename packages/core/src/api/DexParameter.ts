/**
 * The parameters of operations on decentralized exchanges.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import { PoolAddressInRequest, TokenAddressInRequest } from "../dex/Address.ts"
import { fromText } from "../internal/contract/fromText.ts"
import * as Parameter from "../operation/Parameter.ts"

const address = { type: "string", pattern: "^0x[0-9a-fA-F]{40}$" }
const addressRule = "an address: 0x and 40 hexadecimal digits"

/**
 * A token by its address, in any letter case; decoded to lower case.
 *
 * @since 0.1.0
 * @category parameters
 */
export const token = Parameter.parameter({
  schema: TokenAddressInRequest,
  convert: /* @__PURE__ */ fromText(TokenAddressInRequest),
  rule: addressRule,
  description: "Address of the token, in any letter case",
  json: address,
  example: "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2"
})

/**
 * A pool by its address, in any letter case; decoded to lower case.
 *
 * @since 0.1.0
 * @category parameters
 */
export const pool = Parameter.parameter({
  schema: PoolAddressInRequest,
  convert: /* @__PURE__ */ fromText(PoolAddressInRequest),
  rule: addressRule,
  description: "Address of the pool, in any letter case",
  json: address,
  example: "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640"
})

/**
 * Filters by the token with this address.
 *
 * @since 0.1.0
 * @category parameters
 */
export const tokenFilter = Parameter.parameter({
  schema: Schema.optionalKey(TokenAddressInRequest),
  convert: /* @__PURE__ */ fromText(TokenAddressInRequest),
  rule: addressRule,
  description: "Only the token with this address",
  json: address
})

/**
 * Filters by the pool with this address.
 *
 * @since 0.1.0
 * @category parameters
 */
export const poolFilter = Parameter.parameter({
  schema: Schema.optionalKey(PoolAddressInRequest),
  convert: /* @__PURE__ */ fromText(PoolAddressInRequest),
  rule: addressRule,
  description: "Only the pool with this address",
  json: address
})

/**
 * A decentralized exchange by its id.
 *
 * @since 0.1.0
 * @category parameters
 */
export const dex = Parameter.text("Id of the decentralized exchange", "uniswap-v3")

const kindsWith: { readonly [field: string]: ReadonlyArray<string> } = {
  amount: ["burn", "mint"],
  owner: ["burn", "mint"],
  sender: ["mint", "swap"],
  recipient: ["swap"],
  sqrtPriceX96: ["swap"]
}

/**
 * The sort field must belong to at least one of the requested arrays of trades.
 *
 * @since 0.1.0
 * @category parameters
 */
export const orderIsOfRequestedTrades: Parameter.Relation = {
  parameter: "orderBy",
  rule: "orderBy names a field that none of the requested trades has",
  holds: ({ base, orderBy, quote, ...flags }) =>
    typeof orderBy !== "string" ||
    ((base !== false || quote !== false) &&
      (kindsWith[orderBy] ?? ["burn", "mint", "swap"]).some((kind) => flags[kind] !== false))
}

/**
 * Sorting by the logo requires `logo=true`.
 *
 * @since 0.1.0
 * @category parameters
 */
export const logoOrderNeedsLogo: Parameter.Relation = {
  parameter: "orderBy",
  rule: "orderBy=logo needs logo=true",
  holds: ({ logo, orderBy }) => orderBy !== "logo" || logo === true
}
