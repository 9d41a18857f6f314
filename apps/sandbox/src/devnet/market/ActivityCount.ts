import type { Receipt } from "../node/Receipt.ts"
import { eventName } from "./MarketState.ts"

/** Counters since the start. Events of blocks that a reorg replaced stay counted. */
export interface ActivityCount {
  readonly blocks: number
  readonly transactions: number
  /** Transactions of the bots that were reverted or not mined. */
  readonly failed: number
  readonly swaps: number
  readonly mints: number
  readonly burns: number
  readonly collects: number
  readonly flashes: number
}

export const noActivity: ActivityCount = {
  blocks: 0,
  transactions: 0,
  failed: 0,
  swaps: 0,
  mints: 0,
  burns: 0,
  collects: 0,
  flashes: 0
}

const kinds = { Swap: "swaps", Mint: "mints", Burn: "burns", Collect: "collects", Flash: "flashes" } as const

const isKind = (name: string | undefined): name is keyof typeof kinds => name !== undefined && name in kinds

/** Adds a block. `sent` is how many transactions the bots sent for it. */
export const count = (before: ActivityCount, sent: number, receipts: ReadonlyArray<Receipt>): ActivityCount => {
  const succeeded = receipts.filter(({ status }) => status === "0x1").length
  const after = {
    ...before,
    blocks: before.blocks + 1,
    transactions: before.transactions + receipts.length,
    failed: before.failed + Math.max(0, sent - succeeded)
  }
  for (const { logs } of receipts) {
    for (const log of logs) {
      const name = eventName(log)
      if (isKind(name)) after[kinds[name]] += 1
    }
  }
  return after
}
