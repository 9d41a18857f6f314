/**
 * Tokens, pools and trades with defaults for tests.
 *
 * @since 0.1.0
 */
import type { Burn, Mint, Pool, PoolCandle, PoolTick, Swap, Token } from "@chaintape/core"
import type { Script } from "@chaintape/core/testing"
import * as DateTime from "effect/DateTime"

/**
 * @since 0.1.0
 * @category models
 */
export type TokenRow = Script.Unbranded<Token>

/**
 * @since 0.1.0
 * @category models
 */
export type PoolRow = Script.Unbranded<Pool>

/**
 * @since 0.1.0
 * @category models
 */
export type CandleRow = Script.Unbranded<PoolCandle>

/**
 * @since 0.1.0
 * @category models
 */
export type TickRow = Script.Unbranded<PoolTick>

const start = DateTime.makeUnsafe("2026-01-01T00:00:00Z")
const address = (digit: string) => `0x${digit.repeat(40)}`

/**
 * A token with defaults: WETH, address 0x11…, 18 decimals, and 0 in every figure.
 *
 * @example
 * ```ts
 * import { DexTest } from "@chaintape/dex/testing"
 *
 * const usdc = DexTest.token({ id: `0x${"2".repeat(40)}`, symbol: "USDC", name: "USD Coin", decimals: "6" })
 * ```
 *
 * @since 0.1.0
 * @category values
 */
export const token = (given: Partial<TokenRow> = {}): TokenRow => ({
  id: address("1"),
  name: "Wrapped Ether",
  symbol: "WETH",
  decimals: "18",
  supply: "0",
  totalValueLocked: "0",
  totalValueLockedUSD: "0",
  totalValueLockedUSDUntracked: "0",
  volume: "0",
  volumeUSD: "0",
  untrackedVolumeUSD: "0",
  txCount: "0",
  derivedETH: "0",
  feesUSD: "0",
  poolCount: "0",
  ...given
})

const usdc = token({ id: address("2"), name: "USD Coin", symbol: "USDC", decimals: "6" })

/** A token in a pool has neither a logo nor an untracked value. */
const inPool = ({ logo: _logo, totalValueLockedUSDUntracked: _value, ...row }: TokenRow): PoolRow["token0"] => row

const figures = {
  createdAtBlockNumber: "1",
  feeGrowthGlobal0X128: "0",
  feeGrowthGlobal1X128: "0",
  feeTier: "3000",
  feesUSD: "0",
  liquidity: "0",
  liquidityProviderCount: "0",
  observationIndex: "0",
  sqrtPrice: "0",
  tick: "",
  token0Price: "0",
  token1Price: "0",
  totalValueLockedToken0: "0",
  totalValueLockedToken1: "0",
  totalValueLockedETH: "0",
  totalValueLockedUSD: "0",
  totalValueLockedUSDUntracked: "0",
  txCount: "0",
  volumeUSD: "0",
  volumeToken0: "0",
  volumeToken1: "0",
  untrackedVolumeUSD: "0"
}

/**
 * A pool with defaults: WETH/USDC, address 0xaa…, a fee of 0.3 %, not initialized, and 0 in every figure.
 *
 * @example
 * ```ts
 * import { DexTest } from "@chaintape/dex/testing"
 *
 * const pool = DexTest.pool({ token1Price: "2000", token0: DexTest.token({ symbol: "UNI", name: "Uniswap" }) })
 * ```
 *
 * @since 0.1.0
 * @category values
 */
export const pool = ({
  token0 = token(),
  token1 = usdc,
  ...given
}: Partial<Omit<PoolRow, "token0" | "token1">> & {
  readonly token0?: TokenRow
  readonly token1?: TokenRow
} = {}): PoolRow => ({
  id: address("a"),
  createdAtTimestamp: start,
  ...figures,
  ...given,
  token0: inPool(token0),
  token1: inPool(token1)
})

const hash = `0x${"e".repeat(64)}`

const trade = {
  id: `${hash}#0`,
  amount0: "0",
  amount1: "0",
  amountUSD: "0",
  logIndex: "0",
  origin: address("b"),
  timestamp: start,
  pool: {
    token0: { id: address("1"), name: "Wrapped Ether", symbol: "WETH" },
    token1: { id: address("2"), name: "USD Coin", symbol: "USDC" }
  },
  transactionId: hash
}

/**
 * A swap with defaults: zero amounts, in the pool of WETH/USDC at 2026-01-01.
 *
 * @example
 * ```ts
 * import { DexTest } from "@chaintape/dex/testing"
 *
 * const sellOfWeth = DexTest.swap({ amount0: "1.5", amount1: "-3000", amountUSD: "3000" })
 * ```
 *
 * @since 0.1.0
 * @category values
 */
export const swap = (given: Partial<Script.Unbranded<Swap>> = {}): Script.Unbranded<Swap> => ({
  ...trade,
  sender: address("c"),
  recipient: address("d"),
  sqrtPriceX96: "0",
  ...given
})

/**
 * A mint with defaults: zero amounts, in the pool of WETH/USDC at 2026-01-01.
 *
 * @example
 * ```ts
 * import { DexTest } from "@chaintape/dex/testing"
 *
 * const deposit = DexTest.mint({ amount: "1000", amount0: "1", amount1: "2000" })
 * ```
 *
 * @since 0.1.0
 * @category values
 */
export const mint = (given: Partial<Script.Unbranded<Mint>> = {}): Script.Unbranded<Mint> => ({
  ...trade,
  amount: "0",
  owner: address("b"),
  sender: address("c"),
  ...given
})

/**
 * A burn with defaults: zero amounts, in the pool of WETH/USDC at 2026-01-01.
 *
 * @example
 * ```ts
 * import { DexTest } from "@chaintape/dex/testing"
 *
 * const withdrawal = DexTest.burn({ amount: "1000", amount0: "1", amount1: "2000" })
 * ```
 *
 * @since 0.1.0
 * @category values
 */
export const burn = (given: Partial<Script.Unbranded<Burn>> = {}): Script.Unbranded<Burn> => ({
  ...trade,
  amount: "0",
  owner: address("b"),
  ...given
})
