import { isCallFailure, RpcFault, toFailureText } from "../../../blocks/rpc/RpcCall.ts"
import type { RpcCall } from "../../../blocks/rpc/RpcCall.ts"
import type { PoolFacts } from "./ChainFacts.ts"

/** Function selectors: the first four bytes of the keccak-256 of the signature. */
export const selectors = {
  name: "0x06fdde03",
  symbol: "0x95d89b41",
  decimals: "0x313ce567",
  totalSupply: "0x18160ddd",
  balanceOf: "0x70a08231",
  owner: "0x8da5cb5b",
  token0: "0x0dfe1681",
  token1: "0xd21220a7",
  slot0: "0x3850c7bd",
  getReserves: "0x0902f1ac",
  liquidity: "0x1a686502",
  feeGrowthGlobal0X128: "0xf3058399",
  feeGrowthGlobal1X128: "0x46141319",
  feeAmountTickSpacing: "0x22afcccb",
  poolByPair: "0xd9a641e1",
  baseFeeConfiguration: "0x9832853a"
} as const

const encodeUint = (value: number): string => value.toString(16).padStart(64, "0")

/** Calldata for a function of numbers, or of addresses that are numbers. */
export const encodeCall = (selector: string, ...values: ReadonlyArray<number>): string =>
  `${selector}${values.map(encodeUint).join("")}`

/** Calldata for `balanceOf` of an address. */
export const balanceOf = (address: string): string => `${selectors.balanceOf}${address.slice(2).padStart(64, "0")}`

/** By hash and not by number, so that the result belongs to the branch of the events. */
export const callAt = (hash: string, to: string, data: string): RpcCall => ({
  method: "eth_call",
  params: [{ to, data }, { blockHash: hash }]
})

/** The words of nodes for a failure of the contract. Where no contract called another, those of go-ethereum stand alone. */
const failuresOfContracts = new RegExp(
  [
    "revert",
    "invalid opcode",
    "out of gas",
    "gas required exceeds",
    "gas uint64 overflow",
    "stack (under|over)flow",
    "stack limit reached",
    "invalid jump",
    "return ?data out of bounds",
    "write protection",
    "max call depth exceeded",
    "(vm execution|evm) error"
  ].join("|"),
  "i"
)

/** Whether the contract failed, which is a fact of the chain, and not the node. */
export const isOfContract = ({ code, message }: RpcFault): boolean => code === 3 || failuresOfContracts.test(message)

/** The first failure among replies that is no contract's: completes a sentence that begins with the node's name. */
export const findNodeFailure = (replies: ReadonlyArray<unknown>): string | undefined => {
  const failure = replies.filter(isCallFailure).find((one) => !(one instanceof RpcFault && isOfContract(one)))
  return failure && toFailureText(failure)
}

const isHex = (reply: unknown): reply is string =>
  typeof reply === "string" && reply.length % 2 === 0 && /^0x[0-9a-f]*$/i.test(reply)

/** A 32-byte word of a result; undefined if the result is shorter. */
const word = (reply: string, index: number): bigint | undefined => {
  const digits = reply.slice(2 + index * 64, 66 + index * 64)
  return digits.length === 64 ? BigInt(`0x${digits}`) : undefined
}

/** The single number of a result; undefined if it has none. */
export const readUint = (reply: unknown): bigint | undefined => (isHex(reply) ? word(reply, 0) : undefined)

/** The numbers of a result. */
export const readWords = (reply: unknown): ReadonlyArray<bigint> =>
  isHex(reply) ? (reply.slice(2).match(/.{64}/g) ?? []).map((digits) => BigInt(`0x${digits}`)) : []

export const readAddress = (reply: unknown): string | undefined => {
  const value = readUint(reply)
  return value === undefined || value >= 1n << 160n ? undefined : `0x${value.toString(16).padStart(40, "0")}`
}

const utf8 = (digits: string): string => Buffer.from(digits, "hex").toString("utf8").replaceAll("\0", "")

/** An ABI-encoded string. */
const readString = (reply: string): string | undefined => {
  const offset = word(reply, 0)
  const bytes = BigInt((reply.length - 2) / 2)
  if (offset === undefined || offset % 32n !== 0n || offset + 32n > bytes) return undefined
  const length = word(reply, Number(offset) / 32)
  if (length === undefined || offset + 32n + length > bytes) return undefined
  const start = 2 + Number(offset + 32n) * 2
  return utf8(reply.slice(start, start + Number(length) * 2))
}

/** The result of the identity of contracts that state nothing: they return 1. */
const nothing = `${"0".repeat(63)}1`

/** In UTF-16 code units. */
const maxTextLength = 256

const shorten = (text: string): string =>
  text.length <= maxTextLength
    ? text
    : `${text
        .slice(0, maxTextLength - 1)
        .toWellFormed()
        .replace(/\ufffd$/, "")}…`

/**
 * A token's name or symbol: a string, or else a bytes32, or else "unknown". NUL characters are removed, because no text
 * column can hold them. A longer text ends with an ellipsis: a contract can return megabytes, which every version of
 * the token and every row of a response would repeat.
 */
export const readText = (reply: unknown): string => {
  if (!isHex(reply)) return "unknown"
  const text = readString(reply)
  if (text !== undefined) return shorten(text)
  const digits = reply.slice(2, 66)
  return digits.length === 64 && digits !== nothing ? utf8(digits) : "unknown"
}

/** Decimals within the supported range. */
export const readDecimals = (reply: unknown): number | undefined => {
  const value = readUint(reply)
  return value === undefined || value >= 255n ? undefined : Number(value)
}

/** The facts of a pool with ticks; undefined if one of them is missing. The tick is the word that a contract returns. */
export const toPoolFacts = ({
  feeGrowthGlobal0X128,
  feeGrowthGlobal1X128,
  observationIndex,
  sqrtPrice,
  tick
}: Readonly<Record<Exclude<keyof PoolFacts, "kind" | "holdings">, bigint | undefined>>): PoolFacts | undefined => {
  if (sqrtPrice === undefined || tick === undefined || observationIndex === undefined) return undefined
  if (feeGrowthGlobal0X128 === undefined || feeGrowthGlobal1X128 === undefined) return undefined
  return {
    kind: "pool",
    sqrtPrice,
    tick: Number(BigInt.asIntN(24, tick)),
    observationIndex: Number(observationIndex),
    feeGrowthGlobal0X128,
    feeGrowthGlobal1X128
  }
}

/** Decodes the results of slot0, feeGrowthGlobal0X128 and feeGrowthGlobal1X128; undefined if one of them is missing. */
export const readPoolFacts = (slot0: unknown, growth0: unknown, growth1: unknown): PoolFacts | undefined => {
  const [sqrtPrice, tick, observationIndex] = readWords(slot0)
  const [feeGrowthGlobal0X128, feeGrowthGlobal1X128] = [readUint(growth0), readUint(growth1)]
  return toPoolFacts({ sqrtPrice, tick, observationIndex, feeGrowthGlobal0X128, feeGrowthGlobal1X128 })
}
