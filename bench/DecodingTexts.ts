/** The same JSON in every run: trades and pools with values of realistic lengths. */
import { tradesJson } from "../apps/server/src/cex/CexJson.ts"
import type { SourceTrade } from "../apps/server/src/cex/ExchangeSource.ts"

const trade = (index: number): SourceTrade => ({
  id: String(index + 1),
  timestamp: 1_795_200_000_000 + index,
  price: `67${100 + (index % 900)}.${10 + (index % 90)}`,
  size: `0.0${1000 + (index % 9000)}`,
  cost: `67${100 + (index % 900)}.${1000 + (index % 9000)}`,
  side: index % 2 === 0 ? "buy" : "sell"
})

export const tradesText = (rows: number): string =>
  tradesJson(
    "sandbox",
    "BTC/USD",
    Array.from({ length: rows }, (_, index) => trade(index))
  )

/** Digits, without a leading zero. */
const digits = (seed: number, length: number): string => {
  let text = String(1 + (seed % 9))
  for (let state = seed; text.length < length;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    text += String(state)
  }
  return text.slice(0, length)
}

/** 34 significant digits, as in the accounting. */
const decimal = (seed: number): string => {
  const all = digits(seed, 34)
  const point = seed % 14
  return point === 0 ? `0.${all}` : `${all.slice(0, point)}.${all.slice(point)}`
}

const address = (kind: string, which: number) => `0x${kind}${which.toString(16).padStart(39, "0")}`

const token = (which: number) => ({
  id: address("a", which),
  name: `Token ${which}`,
  symbol: `T${which}`,
  decimals: "18",
  supply: digits(which, 27),
  totalValueLocked: decimal(which + 1),
  totalValueLockedUSD: decimal(which + 2),
  volume: decimal(which + 3),
  volumeUSD: decimal(which + 4),
  untrackedVolumeUSD: decimal(which + 5),
  txCount: digits(which, 6),
  derivedETH: decimal(which + 6),
  feesUSD: decimal(which + 7),
  poolCount: digits(which, 2)
})

const pool = (which: number) => ({
  id: address("b", which),
  createdAtBlockNumber: String(12_000_000 + which),
  createdAtTimestamp: String(1_600_000_000 + which),
  feeGrowthGlobal0X128: digits(which, 38),
  feeGrowthGlobal1X128: digits(which + 1, 38),
  feeTier: "3000",
  feesUSD: decimal(which + 2),
  liquidity: digits(which + 3, 24),
  liquidityProviderCount: "0",
  observationIndex: digits(which, 3),
  sqrtPrice: digits(which + 4, 29),
  tick: `-${digits(which, 6)}`,
  token0Price: decimal(which + 5),
  token1Price: decimal(which + 6),
  totalValueLockedToken0: decimal(which + 7),
  totalValueLockedToken1: decimal(which + 8),
  totalValueLockedETH: decimal(which + 9),
  totalValueLockedUSD: decimal(which + 10),
  totalValueLockedUSDUntracked: decimal(which + 11),
  txCount: digits(which, 6),
  volumeUSD: decimal(which + 12),
  volumeToken0: decimal(which + 13),
  volumeToken1: decimal(which + 14),
  untrackedVolumeUSD: decimal(which + 15),
  token0: token(which),
  token1: token(which + 1)
})

export const poolsText = (rows: number): string =>
  JSON.stringify(Array.from({ length: rows }, (_, index) => pool(index)))
