/**
 * Addresses of contracts and accounts.
 *
 * @since 0.1.0
 *
 * @example
 * ```ts
 * import * as assert from "node:assert/strict"
 * import { PoolAddress, TokenAddress } from "@chaintape/core"
 *
 * // In any letter case, such as that of a checksum
 * const token: TokenAddress = TokenAddress.make("0xC02aaA39b223FE8D0A0e5C4F27eAD9083C756Cc2")
 * const pool: PoolAddress = PoolAddress.make("0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640")
 *
 * assert.equal(token, "0xc02aaa39b223fe8d0a0e5c4f27ead9083c756cc2")
 * assert.equal(pool.length, token.length)
 * ```
 */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"
import { withMake } from "../internal/decode/withMake.ts"

const text = (expected: string) => Schema.String.check(Schema.isPattern(/^0x[0-9a-f]{40}$/, { expected }))

/** Adds a constructor that takes any letter case, such as that of a checksum, and whose error says what it wants. */
const inAnyCase = <S extends Schema.Codec<string, string>>(schema: S, of: string) => {
  const is = Schema.is(schema)
  return withMake(schema, (address): S["Type"] => {
    const lower = String(address).toLowerCase()
    if (!is(lower)) throw new TypeError(`"${address}" is not the address of ${of}: write 0x and 40 hexadecimal digits`)
    return lower
  })
}

/**
 * The address of a token, in lower case. `TokenAddress.make` takes any letter case.
 *
 * @since 0.1.0
 * @category models
 */
export const TokenAddress = /* @__PURE__ */ (() =>
  inAnyCase(text("the address of a token").pipe(Schema.brand("TokenAddress")), "a token"))()

/**
 * @since 0.1.0
 * @category models
 */
export type TokenAddress = typeof TokenAddress.Type

/**
 * The address of a pool, in lower case. `PoolAddress.make` takes any letter case.
 *
 * @since 0.1.0
 * @category models
 */
export const PoolAddress = /* @__PURE__ */ (() =>
  inAnyCase(text("the address of a pool").pipe(Schema.brand("PoolAddress")), "a pool"))()

/**
 * @since 0.1.0
 * @category models
 */
export type PoolAddress = typeof PoolAddress.Type

const anyCase = Schema.String.check(Schema.isPattern(/^0x[0-9a-fA-F]{40}$/))

const lowerCase = SchemaTransformation.transform<string, string>({
  decode: (address) => address.toLowerCase(),
  encode: (address) => address
})

/**
 * The address of a token in any letter case, as a request may write it.
 *
 * @since 0.1.0
 * @category schemas
 */
export const TokenAddressInRequest = anyCase.pipe(Schema.decodeTo(TokenAddress, lowerCase))

/**
 * The address of a pool in any letter case, as a request may write it.
 *
 * @since 0.1.0
 * @category schemas
 */
export const PoolAddressInRequest = anyCase.pipe(Schema.decodeTo(PoolAddress, lowerCase))
