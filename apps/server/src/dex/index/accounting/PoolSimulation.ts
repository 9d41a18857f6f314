import type { Burn, EventPosition, Flash, Mint, PoolEvent, Swap } from "../decode/ChainEvents.ts"
import type { ProtocolShare, Protocol, ProtocolFee } from "../protocol/Protocol.ts"
import type { BlockDraft } from "./BlockDraft.ts"
import type { Pool, PoolSimulation } from "./Entities.ts"
import { highestTick, lowestTick, sqrtRatioAt } from "./PoolTicks.ts"

/** The bits after the binary point of prices (Q64.96) and of fee growth (Q128.128). */
const x96 = 96n
const x128 = 128n
const million = 1_000_000n
const toUint256 = (value: bigint): bigint => BigInt.asUintN(256, value)

const divideUp = (dividend: bigint, divisor: bigint): bigint => {
  const quotient = dividend / divisor
  return quotient * divisor === dividend ? quotient : quotient + 1n
}

/** The input that moves the price from one square root to another at the liquidity, rounded up as the contracts do. */
const amountIn = (from: bigint, to: bigint, liquidity: bigint): bigint => {
  if (from === to || liquidity === 0n) return 0n
  return to < from
    ? divideUp(divideUp((liquidity << x96) * (from - to), from), to)
    : divideUp(liquidity * (to - from), 1n << x96)
}

/** The values of the pool that the log of a swap states. */
type StatedSwap = Omit<Swap, "event" | "pool" | "sender" | "recipient" | "fees" | keyof EventPosition>

/** A pool before a swap. */
interface PoolBeforeSwap
  extends Readonly<Pick<Pool, "sqrtPrice" | "liquidity" | "fee">>, Pick<PoolSimulation, "tickSpacing" | "ticks"> {
  readonly tick: number
  /** The protocol's share of the fees of each token. */
  readonly share0: ProtocolShare
  readonly share1: ProtocolShare
}

const isAtTick = (tick: number, sqrtPrice: bigint): boolean =>
  tick >= lowestTick && tick < highestTick && sqrtRatioAt(tick) <= sqrtPrice && sqrtPrice < sqrtRatioAt(tick + 1)

const toProtocolPart = (fee: bigint, { of, part }: ProtocolShare): bigint => (part === 0n ? 0n : (fee * part) / of)

/** The fee growth when this much is paid to the liquidity in range, times 2^128. */
const feeGrowth = (paid: bigint, liquidity: bigint): bigint => (liquidity === 0n ? 0n : (paid << x128) / liquidity)

/**
 * The fee growth of the input token during a swap, times 2^128 and modulo 2^256. Undefined if the swap in the log
 * cannot come from this pool by the rules of Uniswap V3, or if the log states another part of the protocol. The price
 * moves from step to step, each with its own rounding, up to the price in the log. In a step that ends at its bound the
 * fee follows from the amount. In the last step it is the remaining input, whether the input or the output was the
 * specified amount.
 */
export const computeFeeGrowth = (pool: PoolBeforeSwap, stated: StatedSwap): bigint | undefined => {
  const { fee, tickSpacing, ticks } = pool
  const final = stated.sqrtPriceX96
  const isDown = stated.amount0 > 0n || (stated.amount1 <= 0n && final < pool.sqrtPrice)
  if (isDown ? final > pool.sqrtPrice : final < pool.sqrtPrice) return undefined
  if (final < sqrtRatioAt(lowestTick) || final > sqrtRatioAt(highestTick)) return undefined
  const share = isDown ? pool.share0 : pool.share1
  const protocolFee = isDown ? stated.protocolFee0 : stated.protocolFee1
  let { liquidity, sqrtPrice, tick } = pool
  let left = isDown ? stated.amount0 : stated.amount1
  let growth = 0n
  let ofProtocol = 0n
  for (;;) {
    const end = isDown ? ticks.nextBelow(tick, tickSpacing) : ticks.nextAbove(tick, tickSpacing)
    const bound = sqrtRatioAt(end.tick)
    if (isDown ? final > bound : final < bound) {
      const paid = left - amountIn(sqrtPrice, final, liquidity)
      if (paid < 0n || liquidity !== stated.liquidity || (liquidity === 0n && paid > 0n)) return undefined
      if (sqrtPrice === final ? tick !== stated.tick : !isAtTick(stated.tick, final)) return undefined
      const part = toProtocolPart(paid, share)
      if (protocolFee !== undefined && protocolFee !== ofProtocol + part) return undefined
      return toUint256(growth + feeGrowth(paid - part, liquidity))
    }
    const amount = amountIn(sqrtPrice, bound, liquidity)
    const paid = divideUp(amount * fee, million - fee)
    left -= amount + paid
    if (left < 0n) return undefined
    const part = toProtocolPart(paid, share)
    ofProtocol += part
    growth += feeGrowth(paid - part, liquidity)
    liquidity += isDown ? -end.net : end.net
    if (liquidity < 0n) return undefined
    tick = isDown ? end.tick - 1 : end.tick
    sqrtPrice = bound
    if (final === bound && left === 0n) {
      if (protocolFee !== undefined && protocolFee !== ofProtocol) return undefined
      return tick === stated.tick && liquidity === stated.liquidity ? toUint256(growth) : undefined
    }
    if (tick < lowestTick || tick >= highestTick) return undefined
  }
}

const getShare0 = ({ radix, toShare }: ProtocolFee, { feeProtocol }: PoolSimulation): ProtocolShare =>
  toShare(feeProtocol % radix)
const getShare1 = ({ radix, toShare }: ProtocolFee, { feeProtocol }: PoolSimulation): ProtocolShare =>
  toShare(Math.floor(feeProtocol / radix))

/** The contract's observations are a ring of `observationCardinality` entries, one per timestamp. */
const observe = (pool: Pool, simulation: PoolSimulation, timestamp: number): PoolSimulation => {
  if (simulation.observedAt === timestamp) return simulation
  const { observationCardinality, observationCardinalityNext } = simulation
  const isFull = pool.observationIndex === observationCardinality - 1
  const cardinality = isFull ? Math.max(observationCardinality, observationCardinalityNext) : observationCardinality
  pool.observationIndex = (pool.observationIndex + 1) % cardinality
  return { ...simulation, observationCardinality: cardinality, observedAt: timestamp }
}

const swap = (
  protocolFee: ProtocolFee,
  pool: Pool,
  tick: number,
  simulation: PoolSimulation,
  event: Swap,
  timestamp: number
) => {
  const before = {
    sqrtPrice: pool.sqrtPrice,
    tick,
    liquidity: pool.liquidity,
    fee: pool.fee,
    share0: getShare0(protocolFee, simulation),
    share1: getShare1(protocolFee, simulation),
    tickSpacing: simulation.tickSpacing,
    ticks: simulation.ticks
  }
  const growth = computeFeeGrowth(before, event)
  if (growth === undefined) return undefined
  if (event.amount0 > 0n) pool.feeGrowthGlobal0X128 = toUint256(pool.feeGrowthGlobal0X128 + growth)
  else pool.feeGrowthGlobal1X128 = toUint256(pool.feeGrowthGlobal1X128 + growth)
  return event.tick === tick ? simulation : observe(pool, simulation, timestamp)
}

const applyFlash = (protocolFee: ProtocolFee, pool: Pool, simulation: PoolSimulation, { paid0, paid1 }: Flash) => {
  if (pool.liquidity === 0n) return undefined
  const left0 = paid0 - toProtocolPart(paid0, getShare0(protocolFee, simulation))
  const left1 = paid1 - toProtocolPart(paid1, getShare1(protocolFee, simulation))
  pool.feeGrowthGlobal0X128 = toUint256(pool.feeGrowthGlobal0X128 + feeGrowth(left0, pool.liquidity))
  pool.feeGrowthGlobal1X128 = toUint256(pool.feeGrowthGlobal1X128 + feeGrowth(left1, pool.liquidity))
  return simulation
}

const changePosition = (
  draft: BlockDraft,
  pool: Pool,
  tick: number,
  simulation: PoolSimulation,
  { amount, event, tickLower, tickUpper }: Mint | Burn,
  timestamp: number
) => {
  if (amount === 0n) return simulation
  draft.changeTicks(simulation.ticks, tickLower, tickUpper, event === "Mint" ? amount : -amount)
  return tickLower <= tick && tick < tickUpper ? observe(pool, simulation, timestamp) : simulation
}

/**
 * Computes the pool's fee growth and observation index after the event; undefined if the event cannot be of this pool.
 */
const simulateNext = (
  protocolFee: ProtocolFee,
  draft: BlockDraft,
  pool: Pool,
  simulation: PoolSimulation,
  event: PoolEvent,
  timestamp: number
): PoolSimulation | undefined => {
  const { initial, radix } = protocolFee
  if (event.event === "Initialize") {
    const number = initial(pool.fee)
    return { ...simulation, observedAt: timestamp, feeProtocol: number + number * radix }
  }
  if (event.event === "Collect") return simulation
  if (pool.tick === undefined) return undefined
  switch (event.event) {
    case "Swap":
      return swap(protocolFee, pool, pool.tick, simulation, event, timestamp)
    case "Mint":
    case "Burn":
      return changePosition(draft, pool, pool.tick, simulation, event, timestamp)
    case "Flash":
      return applyFlash(protocolFee, pool, simulation, event)
    case "SetFeeProtocol":
      return { ...simulation, feeProtocol: event.feeProtocol0New + event.feeProtocol1New * radix }
    case "IncreaseObservationCardinalityNext":
      return { ...simulation, observationCardinalityNext: event.observationCardinalityNextNew }
    case "Fee":
    case "SwapFee":
    case "ExcessTokens":
      return undefined // Of protocols whose pools are not simulated.
    default:
      return event satisfies never
  }
}

/**
 * Simulates an event before the accounting applies it. A pool that cannot be simulated is read from its contract from
 * then on.
 */
export const simulate = (
  { protocolFee }: Protocol,
  draft: BlockDraft,
  pool: Pool,
  event: PoolEvent,
  timestamp: number
): void => {
  if (pool.simulation === undefined || protocolFee === undefined) return
  pool.simulation = simulateNext(protocolFee, draft, pool, pool.simulation, event, timestamp)
}
