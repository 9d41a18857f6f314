import type { Abi, Address, ContractFunctionName, EncodeFunctionDataParameters, Hex } from "viem"
import { encodeFunctionData } from "viem/utils"

/** A transaction before it has a nonce. */
export interface Transaction {
  readonly from: Address
  /** Absent if the transaction creates a contract. */
  readonly to?: Address
  readonly data: Hex
  readonly value?: bigint
  /** The gas limit. */
  readonly gas: number
}

/** The call of a contract's function. */
export const call = <
  const abi extends Abi | ReadonlyArray<unknown>,
  functionName extends ContractFunctionName<abi> | undefined = undefined
>(
  from: Address,
  to: Address,
  gas: number,
  parameters: EncodeFunctionDataParameters<abi, functionName>
): Transaction => ({ from, to, data: encodeFunctionData(parameters), gas })

/** A deadline in Unix seconds that the chain's clock never reaches. */
export const deadline = 2n ** 64n

/** Any price above the base fee is accepted. */
const gasPrice = 2_000_000_000

const quantity = (value: bigint | number) => `0x${value.toString(16)}`

/**
 * The transaction in anvil's format. anvil processes a batch concurrently and orders a block by price: a price that
 * falls with the position makes the order deterministic.
 */
export const toRequest = (transaction: Transaction, nonce: number, index: number) => ({
  from: transaction.from,
  ...(transaction.to === undefined ? {} : { to: transaction.to }),
  data: transaction.data,
  value: quantity(transaction.value ?? 0n),
  gas: quantity(transaction.gas),
  gasPrice: quantity(gasPrice - index),
  nonce: quantity(nonce),
  type: "0x0"
})

export type TransactionRequest = ReturnType<typeof toRequest>
