import type { ChainLog } from "../../../../src/dex/index/decode/ChainEvents.ts"
import { pairTopics } from "../../../../src/dex/index/protocol/UniswapV2.ts"

// Logs of pairs as a node states them.

const word = (value: bigint) => value.toString(16).padStart(64, "0")
const topicOf = (account: string) => `0x${account.slice(2).padStart(64, "0")}`

export const accountOf = (digit: string) => `0x${digit.repeat(40)}`
export const noAccount = accountOf("0")

export interface PairLogOptions {
  readonly pair: string
  readonly logIndex: number
  readonly transaction?: string
}

const toLog = (
  { logIndex, pair, transaction = "ab" }: PairLogOptions,
  name: keyof typeof pairTopics,
  accounts: ReadonlyArray<string>,
  values: ReadonlyArray<bigint>
): ChainLog => ({
  blockNumber: 7,
  transactionHash: `0x${transaction.repeat(32)}`,
  logIndex,
  address: pair,
  topics: [pairTopics[name], ...accounts.map(topicOf)],
  data: `0x${values.map(word).join("")}`
})

export const transferLog = (at: PairLogOptions, from: string, to: string, value: bigint) =>
  toLog(at, "Transfer", [from, to], [value])
export const syncLog = (at: PairLogOptions, reserve0: bigint, reserve1: bigint) =>
  toLog(at, "Sync", [], [reserve0, reserve1])
export const mintLog = (at: PairLogOptions, sender: string, amount0: bigint, amount1: bigint) =>
  toLog(at, "Mint", [sender], [amount0, amount1])
export const burnLog = (at: PairLogOptions, sender: string, to: string, amount0: bigint, amount1: bigint) =>
  toLog(at, "Burn", [sender, to], [amount0, amount1])
export const swapLog = (
  at: PairLogOptions,
  sender: string,
  to: string,
  amounts: readonly [bigint, bigint, bigint, bigint]
) => toLog(at, "Swap", [sender, to], amounts)
