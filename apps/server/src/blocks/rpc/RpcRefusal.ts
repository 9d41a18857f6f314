/** An error of JSON-RPC. */
interface RpcError {
  readonly code: number
  readonly message: string
}

/** Words about the size of a question or of its response: a smaller one may succeed. */
const size = /result|range|blocks?\b|\blogs?\b|response|payload|size|too large|too big|batch/i
const rate =
  /\brates?\b|rate.?limit|too many|per (second|minute|day)|request (limit|count)|requests? .*exceed|quota|capacity|throughput|compute unit|throttl|slow down|retry in|try again/i
/** -32005 and -32029 are "limit exceeded": of a rate at some providers, of a range or a number of results at others. */
const limitCodes: ReadonlySet<number> = new Set([429, -32_005, -32_029])

/** Whether the error means that the caller sends too many requests. Codes differ by provider: the text decides. */
export const isRateLimit = ({ code, message }: RpcError): boolean => {
  const isAboutSize = size.test(message.replace(/block(ed|ing)/gi, ""))
  if (isAboutSize) return /rate.?limit|too many requests|per second/i.test(message)
  return limitCodes.has(code) || rate.test(message)
}

const excess = /\b(response|result)\b[^.]{0,40}\btoo (large|big)\b/i

/** The refusal of a call whose response this service does not read to its end, in the words of a node. */
export const toExcess = (what: string): RpcError => ({ code: -32_005, message: `the response is too large: ${what}` })

/** Whether the response to a call is more than a node sends, or than this service reads. */
export const isExcess = ({ message }: RpcError): boolean => excess.test(message)

const demand = /(?:retry|try again|wait)\D{0,20}?(\d+(?:\.\d+)?)\s*(ms|millisecond|s\b|sec|second|m\b|min|minute)/i
const unitMs: Readonly<Record<string, number>> = { ms: 1, millisecond: 1, s: 1000, sec: 1000, second: 1000 }

/** The pause that a rate limit demands, in milliseconds: "retry in 10s". Undefined if it demands none. */
export const findDemandedMs = (message: string): number | undefined => {
  const [, amount, unit] = demand.exec(message) ?? []
  return amount === undefined || unit === undefined
    ? undefined
    : Number(amount) * (unitMs[unit.toLowerCase()] ?? 60_000)
}

/** Whether the error refuses the batch, and not a call of it. */
export const isBatchLimit = ({ message }: RpcError): boolean => /batch/i.test(message)

const suggestedRange = /\[\s*(0x[0-9a-f]+)\s*,\s*(0x[0-9a-f]+)\s*\]/i
const largestRange =
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
  const [, amount = "", unit = ""] = largestRange.exec(message) ?? []
  const blocks = Math.floor(Number(amount.replaceAll(",", "")) * (multiples[unit.toLowerCase()] ?? 1))
  return blocks >= 1 ? blocks : undefined
}
