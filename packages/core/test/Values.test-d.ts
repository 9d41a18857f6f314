import {
  type Candle,
  candleEnd,
  type Client,
  Decimal,
  type Market,
  type Pool,
  PoolAddress,
  PoolMath,
  type Swap,
  TokenAddress
} from "@chaintape/core"
import { expectTypeOf } from "@effect/vitest"
import type * as DateTime from "effect/DateTime"
import type * as Option from "effect/Option"
import * as BlocksOperations from "../src/api/BlocksOperations.ts"
import * as CexOperations from "../src/api/CexOperations.ts"
import * as DexOperations from "../src/api/DexOperations.ts"

declare const client: Client["Service"]
declare const market: Market
declare const pool: Pool
declare const swap: Swap

const place = { exchange: "uniswap-v3", blockchain: "ethereum" }
const poolAddress = PoolAddress.make(`0x${"a".repeat(40)}`)
const tokenAddress = TokenAddress.make(`0x${"b".repeat(40)}`)

// The address of a pool and that of a token look the same, but are texts of different types.
expectTypeOf<PoolAddress>().not.toEqualTypeOf<TokenAddress>()
expectTypeOf<Pool["id"]>().toEqualTypeOf<PoolAddress>()
expectTypeOf<Pool["token0"]["id"]>().toEqualTypeOf<TokenAddress>()
expectTypeOf<Swap["pool"]["token0"]["id"]>().toEqualTypeOf<TokenAddress>()
export const accepted = [
  client.call(DexOperations.pool, { ...place, pool: poolAddress }),
  client.call(DexOperations.pool, { ...place, pool: pool.id }),
  client.call(DexOperations.tokenTrades, { ...place, token: pool.token0.id }),
  client.call(DexOperations.tokenTrades, { ...place, token: swap.pool.token1.id })
]

// Times carry no unit, amounts are not doubles, and optional values are typed so.
expectTypeOf<Candle["openTime"]>().toEqualTypeOf<DateTime.Utc>()
expectTypeOf(candleEnd).returns.toEqualTypeOf<DateTime.Utc>()
expectTypeOf<Swap["amount0"]>().toEqualTypeOf<Decimal.Decimal>()
expectTypeOf<Pool["tick"]>().toEqualTypeOf<Decimal.Decimal | "">()
expectTypeOf(PoolMath.poolPrice).returns.toEqualTypeOf<Option.Option<Decimal.Decimal>>()

export const refused = [
  // @ts-expect-error a token's address where a pool's is meant
  () => client.call(DexOperations.pool, { ...place, pool: tokenAddress }),

  // @ts-expect-error a pool's address where a token's is meant
  () => client.call(DexOperations.tokenTrades, { ...place, token: pool.id }),

  // @ts-expect-error any text where an address is meant
  () => client.call(DexOperations.poolTrades, { ...place, pool: "0x88e6a0c2ddd26feeb64f039a2c41296fcb3f5640" }),

  // @ts-expect-error nothing to skip: trades continue by their time
  () => client.call(CexOperations.trades, { exchange: "kraken", market, skip: 100 }),

  // @ts-expect-error nothing to skip: there is one
  () => client.call(CexOperations.lastTrade, { exchange: "kraken", market, skip: 1 }),

  // @ts-expect-error nothing to skip: there is one
  () => client.call(DexOperations.pool, { ...place, pool: poolAddress, skip: 1 }),

  // @ts-expect-error nothing to skip: all are listed
  () => client.call(BlocksOperations.blockchains, { skip: 1 }),

  // @ts-expect-error a number is no decimal
  () => Decimal.format(1.5),

  // @ts-expect-error neither is any text
  () => Decimal.toNumber("1.5"),

  // @ts-expect-error the decimal of an unknown tick
  () => Decimal.toNumber(pool.tick)
]
