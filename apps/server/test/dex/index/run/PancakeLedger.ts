import type { ChainEvent } from "../../ChainTruth.ts"

/** The sums of the events of a pool of PancakeSwap V3, for token 0 and token 1 in smallest units. */
export interface PancakeLedger {
  /** What the pool holds. */
  readonly balances: [bigint, bigint]
  /** Of it, what it owes to the protocol. */
  readonly protocolFees: [bigint, bigint]
  /** In swaps, absolute. */
  readonly volumes: [bigint, bigint]
  /** The protocol's shares, in 1/10,000. */
  readonly shares: [bigint, bigint]
}

const signed = (word: bigint | undefined) => BigInt.asIntN(256, word ?? 0n)
const absolute = (value: bigint) => (value < 0n ? -value : value)

export const emptyLedger = (): PancakeLedger => ({
  balances: [0n, 0n],
  protocolFees: [0n, 0n],
  volumes: [0n, 0n],
  shares: [0n, 0n]
})

/** The share of a new pool (`PancakeV3Pool.initialize`). */
const initialShares: Readonly<Record<number, bigint>> = { 100: 3300n, 500: 3400n, 2500: 3200n, 10_000: 3200n }

/** Adds an event of the pool. */
export const post = (ledger: PancakeLedger, fee: number, { name, words }: ChainEvent): void => {
  for (const side of [0, 1] as const) {
    const word = (at: number) => words[at + side] ?? 0n
    if (name === "Initialize") ledger.shares[side] = initialShares[fee] ?? 0n
    if (name === "SetFeeProtocol") ledger.shares[side] = word(2)
    if (name === "Mint") ledger.balances[side] += word(2)
    if (name === "Collect") ledger.balances[side] -= word(1)
    if (name === "Swap") {
      ledger.balances[side] += signed(word(0))
      ledger.volumes[side] += absolute(signed(word(0)))
      ledger.protocolFees[side] += word(5)
    }
    if (name === "Flash") {
      ledger.balances[side] += word(2)
      ledger.protocolFees[side] += (word(2) * ledger.shares[side]) / 10_000n
    }
    if (name === "CollectProtocol") {
      ledger.balances[side] -= word(0)
      ledger.protocolFees[side] -= word(0)
    }
  }
}
