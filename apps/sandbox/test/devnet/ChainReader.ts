import { Effect, Schema } from "effect"
import { FetchHttpClient } from "effect/http"
import { encodeEventTopics, parseAbi } from "viem/utils"
import { type JsonRpcCall, makeJsonRpc } from "../../src/devnet/node/JsonRpc.ts"

const Block = Schema.Struct({
  number: Schema.String,
  hash: Schema.String,
  timestamp: Schema.String,
  miner: Schema.String
})
const Logs = Schema.Array(
  Schema.Struct({
    address: Schema.String,
    topics: Schema.Array(Schema.String),
    blockNumber: Schema.String
  })
)

const events = parseAbi([
  "event OwnerChanged(address indexed oldOwner, address indexed newOwner)",
  "event FeeAmountEnabled(uint24 indexed fee, int24 indexed tickSpacing)",
  "event PoolCreated(address indexed token0, address indexed token1, uint24 indexed fee, int24 tickSpacing, address pool)",
  "event Initialize(uint160 sqrtPriceX96, int24 tick)",
  "event Mint(address sender, address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)",
  "event Burn(address indexed owner, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount, uint256 amount0, uint256 amount1)",
  "event Swap(address indexed sender, address indexed recipient, int256 amount0, int256 amount1, uint160 sqrtPriceX96, uint128 liquidity, int24 tick)",
  "event Collect(address indexed owner, address recipient, int24 indexed tickLower, int24 indexed tickUpper, uint128 amount0, uint128 amount1)",
  "event Flash(address indexed sender, address indexed recipient, uint256 amount0, uint256 amount1, uint256 paid0, uint256 paid1)",
  "event IncreaseObservationCardinalityNext(uint16 observationCardinalityNextOld, uint16 observationCardinalityNextNew)",
  "event SetFeeProtocol(uint8 feeProtocol0Old, uint8 feeProtocol1Old, uint8 feeProtocol0New, uint8 feeProtocol1New)",
  "event CollectProtocol(address indexed sender, address indexed recipient, uint128 amount0, uint128 amount1)"
])

/** The events of the factory and the pools. */
export const eventNames = events.map(({ name }) => name)

const namesByTopic = new Map(
  events.map(({ name }) => [String(encodeEventTopics({ abi: events, eventName: name })[0]), name] as const)
)

const quantity = (value: number) => `0x${value.toString(16)}`

/** Reads a devnet over its RPC interface, as any client would. */
export const readerOf = (url: string) => {
  const call = (...request: JsonRpcCall) =>
    makeJsonRpc(url).pipe(
      Effect.flatMap((rpc) => rpc.call(...request)),
      Effect.provide(FetchHttpClient.layer)
    )
  const block = Effect.fnUntraced(function* (number: number | "latest") {
    const result = yield* call("eth_getBlockByNumber", number === "latest" ? number : quantity(number), false)
    const { hash, miner, ...rest } = yield* Schema.decodeUnknownEffect(Block)(result)
    return { hash, miner, number: Number(rest.number), timestamp: Number(rest.timestamp) }
  })
  const eventCounts = Effect.fnUntraced(function* (addresses: ReadonlyArray<string>) {
    const result = yield* call("eth_getLogs", { address: addresses, fromBlock: "0x0", toBlock: "latest" })
    const counts = new Map<string, number>()
    for (const { topics } of yield* Schema.decodeUnknownEffect(Logs)(result)) {
      const name = namesByTopic.get(topics[0] ?? "") ?? "unknown"
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
    return counts
  })
  /** The words that a call without arguments returns at a block. */
  const words = Effect.fnUntraced(function* (to: string, selector: string, number: number) {
    const result = yield* call("eth_call", { to, data: selector }, quantity(number))
    const hex = yield* Schema.decodeUnknownEffect(Schema.String)(result)
    return (hex.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`))
  })
  return { block, call, eventCounts, words }
}
