import { decodeEventLog, encodeAbiParameters, encodeEventTopics, parseAbi } from "viem"
import type { Hex } from "viem"
import type { ChainLog } from "../../../../../src/dex/index/decode/ChainEvents.ts"

// viem derives types from the ABI; an event chosen at run time needs casts.

const abi = parseAbi([
  "event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)",
  "event OwnerChanged(address indexed oldOwner, address indexed newOwner)",
  "event Initialize(uint160 sqrtPriceX96, int24 tick)",
  "event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)",
  "event Burn(address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)",
  "event Collect(address indexed owner, address recipient, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount0, uint128 amount1)",
  "event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)",
  "event Flash(address indexed sender, address indexed recipient, uint256 amount0, uint256 amount1, uint256 paid0, uint256 paid1)",
  "event SetFeeProtocol(uint8 feeProtocol0Old, uint8 feeProtocol1Old, uint8 feeProtocol0New, uint8 feeProtocol1New)",
  "event IncreaseObservationCardinalityNext(uint16 observationCardinalityNextOld, uint16 observationCardinalityNextNew)"
])

export const eventNames = abi.map(({ name }) => name)

/** A value of an ABI type, made of the last bits of a word. */
const toValue = (type: string, word: string): unknown => {
  if (type === "address") return `0x${word.slice(24)}`
  const bits = Number(/\d+$/.exec(type)?.[0])
  const value = type.startsWith("int")
    ? BigInt.asIntN(bits, BigInt(`0x${word}`))
    : BigInt.asUintN(bits, BigInt(`0x${word}`))
  return bits <= 48 ? Number(value) : value
}

/** A log of the event with these words as its values. */
export const encodeLog = (eventName: string, words: ReadonlyArray<string>): ChainLog => {
  const inputs = (abi.find(({ name }) => name === eventName)?.inputs ?? []) as ReadonlyArray<{
    readonly name: string
    readonly type: string
    readonly indexed?: boolean
  }>
  const values = inputs.map(({ type }, index) => toValue(type, words[index] ?? ""))
  const args = Object.fromEntries(inputs.map(({ name }, index) => [name, values[index]]))
  const isData = (_: unknown, index: number) => inputs[index]?.indexed !== true
  return {
    address: `0x${"0".repeat(38)}aa`,
    blockNumber: 7,
    transactionHash: `0x${"ab".repeat(32)}`,
    logIndex: 3,
    topics: encodeEventTopics({ abi, eventName, args } as never) as ReadonlyArray<string>,
    data: encodeAbiParameters(inputs.filter(isData) as never, values.filter(isData) as never)
  }
}

/** The event by viem: its name, and its values with addresses in lower case. */
export const decodeLog = ({ data, topics }: ChainLog) => {
  const { args, eventName } = decodeEventLog({ abi, data: data as Hex, topics: topics as [Hex, ...Array<Hex>] })
  const values: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(args as Record<string, unknown>)) {
    values[name] = typeof value === "string" ? value.toLowerCase() : value
  }
  return { eventName, values }
}
