/**
 * Addresses of contracts and accounts.
 *
 * @since 0.1.0
 */
import * as Schema from "effect/Schema"
import * as SchemaTransformation from "effect/SchemaTransformation"

const text = (expected: string) => Schema.String.check(Schema.isPattern(/^0x[0-9a-f]{40}$/, { expected }))

/**
 * The address of a token, in lower case.
 *
 * @since 0.1.0
 * @category models
 */
export const TokenAddress = text("the address of a token").pipe(Schema.brand("TokenAddress"))

/**
 * @since 0.1.0
 * @category models
 */
export type TokenAddress = typeof TokenAddress.Type

/**
 * The address of a pool, in lower case.
 *
 * @since 0.1.0
 * @category models
 */
export const PoolAddress = text("the address of a pool").pipe(Schema.brand("PoolAddress"))

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
