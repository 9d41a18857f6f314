import type { SwapFees, EventPosition } from "../decode/ChainEvents.ts"
import type { BlockFacts } from "../decode/ChainFacts.ts"
import type { IndexedBlock, IndexedTrade, InitialPrice } from "../IndexedBlock.ts"
import type { AccountingRules } from "./AccountingRules.ts"
import type { AccountingState } from "./AccountingState.ts"
import type { Decimal34 } from "./Decimal34.ts"
import type { Pool, Token, Totals } from "./Entities.ts"
import { deploymentRow, poolRow, tokenRow } from "./Entities.ts"
import type { PoolTicks } from "./PoolTicks.ts"

/** Restores an entity's value from before the block. */
const restore = <Entity>(current: Map<string, Entity>, before: ReadonlyMap<string, Entity | undefined>) => {
  for (const [id, entity] of before) {
    if (entity === undefined) current.delete(id)
    else current.set(id, entity)
  }
}

/**
 * The changes of one block to a state. The first access to an entity puts a copy into the state, which the events of
 * this block may change. The previous value is stored, so that the block can be undone.
 */
export class BlockDraft {
  readonly state: AccountingState
  readonly #tokens = new Map<string, Token | undefined>()
  readonly #pools = new Map<string, Pool | undefined>()
  readonly #totals: Totals | undefined
  readonly #tickChanges: Array<() => void> = []
  #touchesTotals = false
  readonly trades: Array<IndexedTrade> = []
  readonly initialPrices: Array<InitialPrice> = []
  /** By pool: the fees of its next swap, where a log of their own states them. */
  readonly swapFees = new Map<string, SwapFees>()
  /** Pools whose contract must be read, because it diverges from what follows from the events. */
  readonly diverged = new Set<string>()

  constructor(state: AccountingState) {
    this.state = state
    this.#totals = state.totals
  }

  totals(): Totals | undefined {
    if (this.state.totals !== undefined && !this.#touchesTotals) {
      this.state.totals = { ...this.state.totals }
      this.#touchesTotals = true
    }
    return this.state.totals
  }

  createTotals(totals: Totals): void {
    this.state.totals = totals
    this.#touchesTotals = true
  }

  token(id: string): Token | undefined {
    const current = this.state.tokens.get(id)
    if (current === undefined || this.#tokens.has(id)) return current
    const copy = { ...current }
    this.#tokens.set(id, current)
    this.state.tokens.set(id, copy)
    return copy
  }

  addToken(token: Token): void {
    this.#tokens.set(token.id, undefined)
    this.state.tokens.set(token.id, token)
  }

  pool(id: string): Pool | undefined {
    const current = this.state.pools.get(id)
    if (current === undefined || this.#pools.has(id)) return current
    const copy = { ...current }
    this.#pools.set(id, current)
    this.state.pools.set(id, copy)
    return copy
  }

  addPool(pool: Pool): void {
    this.#pools.set(pool.id, undefined)
    this.state.pools.set(pool.id, pool)
  }

  changeTicks(ticks: PoolTicks, lower: number, upper: number, amount: bigint): void {
    ticks.change(lower, upper, amount)
    this.#tickChanges.push(() => ticks.change(lower, upper, -amount))
  }

  /** The rows after all events of the block. */
  finish(factory: string, { hash, number, parentHash, proof, timestamp }: BlockFacts): IndexedBlock {
    const { pools, tokens, totals } = this.state
    return {
      number,
      hash,
      parentHash,
      timestamp,
      proof,
      deployment: totals !== undefined && this.#touchesTotals ? deploymentRow(factory, totals) : undefined,
      tokens: pickTouched(this.#tokens, tokens).map(tokenRow),
      pools: pickTouched(this.#pools, pools).map(poolRow),
      trades: this.trades,
      initialPrices: this.initialPrices
    }
  }

  /** Undoes the block. Blocks must be undone newest first. */
  undo(): void {
    restore(this.state.tokens, this.#tokens)
    restore(this.state.pools, this.#pools)
    for (const undo of this.#tickChanges.toReversed()) undo()
    this.state.totals = this.#totals
  }
}

const pickTouched = <Entity>(touched: ReadonlyMap<string, unknown>, current: ReadonlyMap<string, Entity>) =>
  [...touched.keys()].flatMap((id) => {
    const entity = current.get(id)
    return entity === undefined ? [] : [entity]
  })

/** The entities that an event of a pool can change. */
export interface EventScope {
  readonly rules: AccountingRules
  readonly draft: BlockDraft
  readonly facts: BlockFacts
  readonly totals: Totals
  readonly pool: Pool
  readonly token0: Token
  readonly token1: Token
}

/** Undefined for a pool that is left out of the index. */
export const findScope = (
  rules: AccountingRules,
  draft: BlockDraft,
  facts: BlockFacts,
  address: string
): EventScope | undefined => {
  if (!draft.state.pools.has(address)) return undefined
  const totals = draft.totals()
  const pool = draft.pool(address)
  const token0 = pool && draft.token(pool.token0)
  const token1 = pool && draft.token(pool.token1)
  return totals && pool && token0 && token1 ? { rules, draft, facts, totals, pool, token0, token1 } : undefined
}

export const countTransaction = ({ pool, token0, token1, totals }: EventScope): void => {
  totals.txCount += 1n
  token0.txCount += 1n
  token1.txCount += 1n
  pool.txCount += 1n
}

/** The columns that mints, burns and swaps share. */
export const tradeColumns = (
  { facts, pool }: EventScope,
  { logIndex, transactionHash }: EventPosition,
  amounts: Readonly<Record<"amount0" | "amount1" | "amountUSD", Decimal34>>
) => ({
  id: `${transactionHash}#${logIndex}`,
  amount0: amounts.amount0.toText(),
  amount1: amounts.amount1.toText(),
  amountUSD: amounts.amountUSD.toText(),
  logIndex: logIndex.toString(),
  origin: facts.origins.get(transactionHash) ?? "",
  timestamp: facts.timestamp.toString(),
  pool: pool.id,
  transactionId: transactionHash
})
