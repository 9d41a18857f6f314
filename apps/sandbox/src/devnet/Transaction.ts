import type { Address, Hex } from "viem"

/** A transaction before it has a nonce. */
export interface Transaction {
  readonly from: Address
  /** Absent when the transaction creates a contract. */
  readonly to?: Address
  readonly data: Hex
  readonly value?: bigint
  /** The most gas it may use. */
  readonly gas: number
}

/** Unix seconds that the chain's clock never reaches, for calls that ask for a deadline. */
export const deadline = 2n ** 64n

/** Anything above the base fee will do. */
const gasPrice = 2_000_000_000

const quantity = (value: bigint | number) => `0x${value.toString(16)}`

/**
 * The transaction as anvil takes it. anvil works on a batch concurrently and orders a block by price: a price that
 * falls with the place in the block makes the order independent of the arrival.
 */
export const toRequest = (transaction: Transaction, nonce: number, place: number) => ({
  from: transaction.from,
  ...(transaction.to === undefined ? {} : { to: transaction.to }),
  data: transaction.data,
  value: quantity(transaction.value ?? 0n),
  gas: quantity(transaction.gas),
  gasPrice: quantity(gasPrice - place),
  nonce: quantity(nonce),
  type: "0x0"
})

export type TransactionRequest = ReturnType<typeof toRequest>
