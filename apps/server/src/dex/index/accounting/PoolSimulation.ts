import type { Burn, Flash, Mint, PoolEvent, Swap } from "../decode/LogDecoder.ts"
import type { Protocol, ProtocolFee, ProtocolShare } from "../protocol/Protocol.ts"
import type { BlockDraft } from "./BlockDraft.ts"
import type { Pool, PoolSimulation } from "./Entities.ts"
import { feeGrowthOfSwap, feeGrowth, toProtocolPart } from "./ticks/SwapSteps.ts"

const shareOf0 = ({ radix, toShare }: ProtocolFee, { feeProtocol }: PoolSimulation): ProtocolShare =>
  toShare(feeProtocol % radix)
const shareOf1 = ({ radix, toShare }: ProtocolFee, { feeProtocol }: PoolSimulation): ProtocolShare =>
  toShare(Math.floor(feeProtocol / radix))
const toUint256 = (value: bigint): bigint => BigInt.asUintN(256, value)

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
    share0: shareOf0(protocolFee, simulation),
    share1: shareOf1(protocolFee, simulation),
    tickSpacing: simulation.tickSpacing,
    ticks: simulation.ticks
  }
  const growth = feeGrowthOfSwap(before, event)
  if (growth === undefined) return undefined
  if (event.amount0 > 0n) pool.feeGrowthGlobal0X128 = toUint256(pool.feeGrowthGlobal0X128 + growth)
  else pool.feeGrowthGlobal1X128 = toUint256(pool.feeGrowthGlobal1X128 + growth)
  return event.tick === tick ? simulation : observe(pool, simulation, timestamp)
}

const applyFlash = (protocolFee: ProtocolFee, pool: Pool, simulation: PoolSimulation, { paid0, paid1 }: Flash) => {
  if (pool.liquidity === 0n) return undefined
  const left0 = paid0 - toProtocolPart(paid0, shareOf0(protocolFee, simulation))
  const left1 = paid1 - toProtocolPart(paid1, shareOf1(protocolFee, simulation))
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
