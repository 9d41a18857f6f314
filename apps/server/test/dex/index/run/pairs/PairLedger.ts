import type { PairLog } from "./PairTruth.ts"

const noAccount = `0x${"0".repeat(40)}`

const isSame = (a: string, b: string) => a.toLowerCase() === b.toLowerCase()

const isInCall = (log: PairLog, other: PairLog) =>
  other.transactionHash === log.transactionHash && isSame(other.address, log.address)

interface PairRecord {
  readonly kind: "mint" | "burn" | "swap"
  readonly pool: string
  readonly id: string
  readonly amount0: bigint
  readonly amount1: bigint
  readonly sender: string | undefined
  readonly recipient: string | undefined
  readonly owner: string | undefined
  readonly liquidity: bigint | undefined
  readonly sqrtPriceX96: string | undefined
}

/** The record that each mint, burn and swap of the receipts stands for. */
export const toRecords = (logs: ReadonlyArray<PairLog>): ReadonlyArray<PairRecord> =>
  logs.flatMap((log): ReadonlyArray<PairRecord> => {
    const { address: pool, logIndex, transactionHash } = log
    const shared = { pool: pool.toLowerCase(), id: `${transactionHash}#${logIndex}` }
    const none = { recipient: undefined, owner: undefined, liquidity: undefined, sqrtPriceX96: undefined }
    const lpTransfers = logs.flatMap((other) =>
      other.eventName === "Transfer" && isInCall(log, other) && other.logIndex < logIndex ? [other.args] : []
    )
    if (log.eventName === "Swap") {
      const { amount0In, amount0Out, amount1In, amount1Out, sender, to } = log.args
      const amounts = { amount0: amount0In - amount0Out, amount1: amount1In - amount1Out }
      const [from, recipient] = [sender.toLowerCase(), to.toLowerCase()]
      return [{ kind: "swap", ...shared, ...amounts, ...none, sender: from, recipient, sqrtPriceX96: "" }]
    }
    if (log.eventName === "Mint") {
      const { amount0, amount1, sender } = log.args
      // The receiver of fees and the first 1,000 come before.
      const minted = lpTransfers.findLast(({ from }) => from === noAccount)
      const owner = minted?.to.toLowerCase()
      return [
        {
          kind: "mint",
          ...shared,
          amount0,
          amount1,
          ...none,
          sender: sender.toLowerCase(),
          owner,
          liquidity: minted?.value
        }
      ]
    }
    if (log.eventName === "Burn") {
      const { amount0, amount1, sender } = log.args
      // What the holder sent to the pair.
      const sent = lpTransfers.find(({ from, to }) => isSame(to, pool) && !isSame(from, pool))
      const owner = sender.toLowerCase()
      return [{ kind: "burn", ...shared, amount0, amount1, ...none, sender: undefined, owner, liquidity: sent?.value }]
    }
    return []
  })

/** How often each kind of call occurs, by the logs that it leaves. */
export const countKinds = (logs: ReadonlyArray<PairLog>, trader: string) => {
  const transfers = logs.flatMap((log) => (log.eventName === "Transfer" ? [log.args] : []))
  const ofCalls = logs.filter(({ eventName }) => eventName === "Mint" || eventName === "Burn")
  const hasFee = (log: PairLog) =>
    logs.some(
      (other) =>
        other.eventName === "Transfer" &&
        isInCall(log, other) &&
        other.args.from === noAccount &&
        other.args.to !== noAccount &&
        !isSame(other.args.to, trader)
    )
  const swaps = logs.flatMap((log) => (log.eventName === "Swap" ? [log.args] : []))
  return {
    mints: logs.filter(({ eventName }) => eventName === "Mint").length,
    burns: logs.filter(({ eventName }) => eventName === "Burn").length,
    swaps: swaps.length,
    flashSwaps: swaps.filter(({ amount0In, amount0Out }) => amount0In > 0n && amount0Out > 0n).length,
    syncs: logs.filter(
      (log, index) => log.eventName === "Sync" && !["Mint", "Burn", "Swap"].includes(logs[index + 1]?.eventName ?? "")
    ).length,
    firstMints: transfers.filter(({ from, to, value }) => from === noAccount && to === noAccount && value === 1000n)
      .length,
    gifts: transfers.filter(({ from, to }) => isSame(from, trader) && to === noAccount).length,
    feesOn: ofCalls.filter(hasFee).length,
    feesOff: ofCalls.filter((log) => !hasFee(log)).length
  }
}

/** How often a pair sent tokens away in a transaction in which it emitted nothing: in `skim()`. */
export const countSkims = (logs: ReadonlyArray<PairLog>, transfers: ReadonlyArray<PairLog>): number => {
  const pairs = new Set(logs.map(({ address }) => address))
  const calls = new Set(logs.map(({ transactionHash }) => transactionHash))
  return transfers.filter(
    (log) =>
      log.eventName === "Transfer" &&
      pairs.has(`0x${log.args.from.slice(2).toLowerCase()}`) &&
      log.args.value > 0n &&
      !calls.has(log.transactionHash)
  ).length
}

/** What was sent to a pair, or taken out of it, since it last set its reserves. */
export const toDonations = (
  logs: ReadonlyArray<PairLog>,
  transfers: ReadonlyArray<PairLog>,
  pair: string,
  tokens: readonly [string, string],
  block: number
): readonly [bigint, bigint] => {
  const isPast = (log: PairLog) => log.blockNumber <= BigInt(block)
  const last = logs.findLast((log) => log.eventName === "Sync" && isSame(log.address, pair) && isPast(log))
  const isLater = (log: PairLog) =>
    last === undefined ||
    log.blockNumber > last.blockNumber ||
    (log.blockNumber === last.blockNumber && log.logIndex > last.logIndex)
  const sent = (token: string) =>
    transfers.reduce((sum, log) => {
      if (log.eventName !== "Transfer" || !isSame(log.address, token) || !isPast(log) || !isLater(log)) return sum
      const { from, to, value } = log.args
      return sum + (isSame(to, pair) ? value : 0n) - (isSame(from, pair) ? value : 0n)
    }, 0n)
  return [sent(tokens[0]), sent(tokens[1])]
}
