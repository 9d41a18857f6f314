import type { Devnet } from "@chaintape/sandbox"
import { Data, Effect, Schema } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { toEventSelector, toFunctionSelector } from "viem"
import { donor } from "./MixedActivity.ts"

const Replies = Schema.Array(
  Schema.Struct({
    id: Schema.Int,
    result: Schema.optionalKey(Schema.Unknown),
    error: Schema.optionalKey(Schema.Struct({ message: Schema.String }))
  })
)

class NodeError extends Data.TaggedError("NodeError")<{ readonly message: string }> {}

/** Results in the order of the calls. */
const askNode = Effect.fnUntraced(function* (
  rpc: string,
  calls: ReadonlyArray<readonly [method: string, ...params: ReadonlyArray<unknown>]>
) {
  if (calls.length === 0) return []
  const http = yield* HttpClient.HttpClient
  const requests = calls.map(([method, ...params], id) => ({ jsonrpc: "2.0", id, method, params }))
  const response = yield* http.execute(HttpClientRequest.post(rpc).pipe(HttpClientRequest.bodyJsonUnsafe(requests)))
  const replies = yield* Schema.decodeUnknownEffect(Replies)(yield* response.json)
  const byId = new Map(replies.map((reply) => [reply.id, reply]))
  return yield* Effect.forEach(calls, ([method, ...params], id) => {
    const { error, result } = byId.get(id) ?? {}
    // An old state that the node has pruned, for example.
    return error === undefined
      ? Effect.succeed(result)
      : Effect.fail(
          new NodeError({ message: `The node answers ${method} ${JSON.stringify(params)}: ${error.message}` })
        )
  })
}, Effect.provide(FetchHttpClient.layer))

const hex = (number: number | bigint) => `0x${number.toString(16)}`
const toWords = (text: string) => (text.slice(2).match(/.{64}/g) ?? []).map((word) => BigInt(`0x${word}`))
const signed = (word: bigint | undefined) => BigInt.asIntN(256, word ?? 0n)

/** The words returned in a block by functions without arguments, or with one address or tick. */
export const readWords = Effect.fnUntraced(function* (
  rpc: string,
  block: number,
  calls: ReadonlyArray<{
    readonly to: string
    readonly name: string
    readonly account?: string
    readonly tick?: number
  }>
) {
  const results = yield* askNode(
    rpc,
    calls.map(({ account, name, tick, to }) => {
      const [type, word] = tick === undefined ? ["address", account] : ["int24", hex(BigInt.asUintN(256, BigInt(tick)))]
      const selector = toFunctionSelector(`${name}(${word === undefined ? "" : type})`)
      return [
        "eth_call",
        { to, data: `${selector}${word === undefined ? "" : word.slice(2).padStart(64, "0")}` },
        hex(block)
      ]
    })
  )
  return yield* Effect.forEach(results, (result) =>
    Effect.map(Schema.decodeUnknownEffect(Schema.String)(result), toWords)
  )
})

const Logs = Schema.Array(
  Schema.Struct({
    address: Schema.String,
    topics: Schema.Array(Schema.String),
    data: Schema.String,
    blockNumber: Schema.String,
    transactionHash: Schema.String,
    logIndex: Schema.String
  })
)

/** The initialized ticks that a pool's contract states in a block, of those that any of its positions has had. */
export const readTicks = Effect.fnUntraced(function* (
  rpc: string,
  block: number,
  pool: string,
  events: ReadonlyArray<NamedLog<string>>
) {
  const bounds = events
    .filter(({ address, name }) => address === pool && (name === "Mint" || name === "Burn"))
    .flatMap(({ topics }) => topics.slice(2, 4).map((topic) => Number(signed(BigInt(topic)))))
  const ticks = [...new Set(bounds)].toSorted((a, b) => a - b)
  const stated = yield* readWords(
    rpc,
    block,
    ticks.map((tick) => ({ to: pool, name: "ticks", tick }))
  )
  return ticks.flatMap((tick, at) => {
    const [gross = 0n, net] = stated[at] ?? []
    return gross === 0n
      ? []
      : [{ tick: String(tick), liquidityGross: String(gross), liquidityNet: String(signed(net)) }]
  })
})

/** A log, by the name of its event. */
export interface NamedLog<Name> {
  readonly name: Name
  readonly address: string
  readonly block: number
  /** Transaction hash, `#`, index of the log in its block. */
  readonly id: string
  readonly topics: ReadonlyArray<string>
  readonly words: ReadonlyArray<bigint>
}

/** An event of the factory, of a pool or of a token. */
export type ChainEvent = NamedLog<EventName>

const signatures = {
  OwnerChanged: "address,address",
  FeeAmountEnabled: "uint24,int24",
  PoolCreated: "address,address,uint24,int24,address",
  Initialize: "uint160,int24",
  Mint: "address,address,int24,int24,uint128,uint256,uint256",
  Burn: "address,int24,int24,uint128,uint256,uint256",
  Collect: "address,address,int24,int24,uint128,uint128",
  Swap: "address,address,int256,int256,uint160,uint128,int24",
  Flash: "address,address,uint256,uint256,uint256,uint256",
  IncreaseObservationCardinalityNext: "uint16,uint16",
  SetFeeProtocol: "uint8,uint8,uint8,uint8",
  CollectProtocol: "address,address,uint128,uint128",
  Transfer: "address,address,uint256"
} as const
type EventName = keyof typeof signatures

const isEventName = (name: string): name is EventName => name in signatures

/** The kinds of events of the factory and of pools. */
export const eventNames = Object.keys(signatures)
  .filter(isEventName)
  .filter((name) => name !== "Transfer")

const nameOf = new Map<string, EventName>([
  ...[...eventNames, "Transfer" as const].map(
    (name) => [toEventSelector(`${name}(${signatures[name]})`), name] as const
  ),
  // Of PancakeSwap V3: two more words, the protocol's parts of the fees; wider numbers.
  [toEventSelector(`Swap(${signatures.Swap},uint128,uint128)`), "Swap"],
  [toEventSelector("SetFeeProtocol(uint32,uint32,uint32,uint32)"), "SetFeeProtocol"]
])

/** The logs of these addresses with one of the first topics, in the order of the chain. */
export const readNamedLogs = Effect.fnUntraced(function* <Name>(
  rpc: string,
  addresses: ReadonlyArray<string>,
  names: ReadonlyMap<string, Name>
) {
  const [result] = yield* askNode(rpc, [["eth_getLogs", { address: addresses, fromBlock: "0x0", toBlock: "latest" }]])
  const logs = yield* Schema.decodeUnknownEffect(Logs)(result)
  return logs.flatMap(
    ({ address, blockNumber, data, logIndex, topics, transactionHash }): ReadonlyArray<NamedLog<Name>> => {
      const name = names.get(topics[0] ?? "")
      if (name === undefined) return []
      const id = `${transactionHash}#${Number(logIndex)}`
      return [{ name, address, id, block: Number(blockNumber), topics, words: toWords(data) }]
    }
  )
})

/** All events of these addresses, in the order of the chain. */
export const readEvents = (rpc: string, addresses: ReadonlyArray<string>) => readNamedLogs(rpc, addresses, nameOf)

const getAddress = (word: bigint | string | undefined) =>
  `0x${BigInt(word ?? 0)
    .toString(16)
    .padStart(40, "0")}`

export interface PoolIdentity {
  readonly id: string
  readonly created: number
  /** The addresses of token 0 and token 1. */
  readonly tokens: readonly [string, string]
}

/** The sums of the events of a pool and its tokens, for token 0 and token 1 in smallest units. */
export interface Ledger {
  readonly minted: bigint
  readonly collected: bigint
  /** Signed: into the pool. */
  readonly swapped: bigint
  readonly volume: bigint
  /** Surplus that flashes left in the pool. */
  readonly flashed: bigint
  readonly protocolFees: bigint
  /** Sent to the pool without a call. */
  readonly donated: bigint
}

const sum = (values: ReadonlyArray<bigint>) => values.reduce((total, value) => total + value, 0n)

/** The ledger of one of a pool's tokens, of the events up to a block. */
const toLedger = (events: ReadonlyArray<ChainEvent>, pool: PoolIdentity, side: 0 | 1, block: number): Ledger => {
  const past = events.filter((event) => event.block <= block)
  const words = (name: EventName, at: number) =>
    past
      .filter((event) => event.name === name && event.address === pool.id)
      .map((event) => event.words[at + side] ?? 0n)
  const swaps = words("Swap", 0).map(signed)
  return {
    minted: sum(words("Mint", 2)),
    collected: sum(words("Collect", 1)),
    swapped: sum(swaps),
    volume: sum(swaps.map((amount) => (amount < 0n ? -amount : amount))),
    flashed: sum(words("Flash", 2)),
    protocolFees: sum(words("CollectProtocol", 0)),
    donated: sum(
      past
        .filter(
          ({ address, name, topics }) =>
            name === "Transfer" &&
            address === pool.tokens[side] &&
            getAddress(topics[1]) === donor &&
            getAddress(topics[2]) === pool.id
        )
        .map((event) => event.words[0] ?? 0n)
    )
  }
}

const Receipts = Schema.Array(Schema.Struct({ from: Schema.String, status: Schema.String }))

/** The senders of reverted transactions. */
const revertedIn = Effect.fnUntraced(function* (rpc: string) {
  const [head] = yield* askNode(rpc, [["eth_blockNumber"]])
  const calls = Array.from({ length: Number(head) + 1 }, (_, block) => ["eth_getBlockReceipts", hex(block)] as const)
  const blocks = yield* Effect.flatMap(askNode(rpc, calls), Schema.decodeUnknownEffect(Schema.Array(Receipts)))
  return blocks.flat().flatMap(({ from, status }) => (status === "0x1" ? [] : [from]))
})

/** The state of a devnet's chain, read independently of the index. */
export const readTruth = Effect.fnUntraced(function* ({ config, rpc, tokens }: Devnet["Service"]) {
  const ofFactory = yield* readEvents(rpc, [config.factory])
  const pools = ofFactory
    .filter(({ name }) => name === "PoolCreated")
    .map(({ block, topics, words }): PoolIdentity => ({
      id: getAddress(words[1]),
      created: block,
      tokens: [getAddress(topics[1]), getAddress(topics[2])]
    }))
  const ofPools = yield* readEvents(
    rpc,
    pools.map(({ id }) => id)
  )
  const transfers = yield* readEvents(
    rpc,
    tokens.map(({ address }) => address)
  )
  const events = [...ofFactory, ...ofPools]
  return {
    pools,
    events,
    reverted: yield* revertedIn(rpc),
    poolsAt: (block: number) => pools.filter(({ created }) => created <= block),
    ledger: (pool: PoolIdentity, side: 0 | 1, block: number) =>
      toLedger([...ofPools.filter(({ address }) => address === pool.id), ...transfers], pool, side, block),
    /** Mints, burns, swaps and collects of a pool. */
    counted: (pool: string, block: number) =>
      ofPools.filter(
        (event) =>
          event.address === pool && event.block <= block && ["Mint", "Burn", "Swap", "Collect"].includes(event.name)
      ).length
  }
})
