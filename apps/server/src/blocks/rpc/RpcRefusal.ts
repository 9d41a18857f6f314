/** An error of JSON-RPC. */
interface RpcError {
  readonly code: number
  readonly message: string
}

/** The thing that a node refuses: the rate of the caller, the size of a batch or of a response, or else the call. A smaller one may succeed. */
export type RefusalScope = "rate" | "batch" | "response" | "call"

interface Rule {
  readonly refused: RefusalScope
  readonly says: RegExp
  readonly codes?: ReadonlyArray<number>
}

/**
 * The first rule that applies decides. A code decides last: -32005 is about the rate at some providers, about a range or a
 * number of results at others (ethereum/execution-apis#876). `RpcRefusal.test.ts` has further messages with their sources.
 */
const rules: ReadonlyArray<Rule> = [
  // Infura: -32005 "daily request count exceeded, request rate limited".
  // Alchemy: 429 "Your app has exceeded its compute units per second capacity".
  { refused: "rate", says: /rate.?limit|too many requests|per second/i },
  // go-ethereum: -32600 "batch too large". Erigon: "batch limit 100 exceeded (can increase by --rpc.batch.limit)".
  { refused: "batch", says: /batch/i },
  // go-ethereum: -32003 "response too large". Optimism: "backend response too large".
  { refused: "response", says: /\b(response|result)\b[^.]{0,40}\btoo (large|big)\b/i },
  // QuickNode: -32614 "eth_getLogs is limited to a 10,000 range". Infura: -32005 "query returned more than 10000 results".
  { refused: "call", says: /result|range|blocks?\b|\blogs?\b|response|payload|size|too large|too big/i },
  // Of no known source: the words that remain are about time, and so are the codes.
  {
    refused: "rate",
    says: /\brates?\b|too many|per (minute|day)|request (limit|count)|requests? .*exceed|quota|capacity|throughput|compute unit|throttl|slow down|retry in|try again/i,
    codes: [429, -32_005, -32_029]
  }
]

export const toRefused = ({ code, message }: RpcError): RefusalScope =>
  rules.find(({ codes, says }) => says.test(message) || codes?.includes(code) === true)?.refused ?? "call"

const demand = /(?:retry|try again|wait)\D{0,20}?(\d+(?:\.\d+)?)\s*(ms|millisecond|s\b|sec|second|m\b|min|minute)/i
const unitMs: Readonly<Record<string, number>> = { ms: 1, millisecond: 1, s: 1000, sec: 1000, second: 1000 }

/** The pause that a rate limit demands, in milliseconds: "retry in 10s". Undefined if it demands none. */
export const findDemandedMs = (message: string): number | undefined => {
  const [, amount, unit] = demand.exec(message) ?? []
  return amount === undefined || unit === undefined
    ? undefined
    : Number(amount) * (unitMs[unit.toLowerCase()] ?? 60_000)
}

const suggestedRange = /\[\s*(0x[0-9a-f]+)\s*,\s*(0x[0-9a-f]+)\s*\]/i
const refusedRange =
  /(?:up to|limited to|maximum|max(?:imum)? block range:?|over|than|exceeds?)\D{0,30}?(\d[\d,]*(?:\.\d+)?)(?:\s*([km])\b)?/i
const multiples: Readonly<Record<string, number>> = { k: 1000, m: 1_000_000 }

/** The number of blocks that a refusal of a range suggests; undefined if it suggests none. */
export const findSuggestedBlocks = (message: string): number | undefined => {
  const range = suggestedRange.exec(message)
  if (range !== null) {
    const blocks = Number(range[2]) - Number(range[1]) + 1
    return blocks >= 1 ? blocks : undefined
  }
  if (!/block|range/i.test(message)) return undefined
  const [, amount = "", unit = ""] = refusedRange.exec(message) ?? []
  const blocks = Math.floor(Number(amount.replaceAll(",", "")) * (multiples[unit.toLowerCase()] ?? 1))
  return blocks >= 1 ? blocks : undefined
}
