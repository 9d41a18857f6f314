import { Array as Arr, Effect, Schema } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { selectors } from "../../../../src/dex/index/decode/ContractCall.ts"
import { poolsCall } from "../../../../src/dex/index/decode/PoolProgram.ts"
import { concentratedState } from "../../../../src/dex/index/decode/PoolState.ts"
import { broken, genesis, sender, transactionHash, words } from "./SyntheticChain.ts"
import type { SyntheticBlock } from "./SyntheticChain.ts"
import { receiptFields } from "./SyntheticHeader.ts"

const Call = Schema.Struct({ id: Schema.Int, method: Schema.String, params: Schema.Array(Schema.Unknown) })
export type Call = typeof Call.Type
export interface Reply {
  readonly result?: unknown
  readonly error?: { readonly code: number; readonly message: string }
}
const decodeCalls = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Union([Schema.Array(Call), Call])))
const LogFilter = Schema.Struct({
  fromBlock: Schema.optionalKey(Schema.String),
  toBlock: Schema.optionalKey(Schema.String),
  blockHash: Schema.optionalKey(Schema.String),
  topics: Schema.Tuple([Schema.Array(Schema.String)])
})
const ContractCall = Schema.Struct({ to: Schema.optionalKey(Schema.String), data: Schema.String })
const AtHash = Schema.Struct({ blockHash: Schema.String })

const decodeFilter = Schema.decodeUnknownSync(LogFilter)
const decodeContractCall = Schema.decodeUnknownSync(ContractCall)
const decodeAtHash = Schema.decodeUnknownSync(AtHash)

/** The program that reads pools, without the pools, which follow it. */
const program = decodeContractCall(poolsCall(concentratedState, "", []).params[0]).data
const poolsOfCall = (data: string): ReadonlyArray<string> =>
  data
    .slice(program.length)
    .match(/.{64}/g)
    ?.map((pool) => `0x${pool.slice(24)}`) ?? []

const hex = (value: number) => `0x${value.toString(16)}`
const absent = { error: { code: -32_000, message: "unknown block" } }

const toHeader = (block: SyntheticBlock, whole: boolean) => ({
  ...block.header,
  size: "0x200",
  transactions: block.logs.map((_, index) =>
    whole ? { hash: transactionHash(block, index), from: sender(block, index) } : transactionHash(block, index)
  )
})

const toReceipt = (block: SyntheticBlock, log: SyntheticBlock["logs"][number], index: number) => ({
  ...receiptFields(log, index),
  transactionHash: transactionHash(block, index),
  blockHash: block.hash,
  from: sender(block, index)
})

const toReceipts = (block: SyntheticBlock) => block.logs.map((log, index) => toReceipt(block, log, index))

const toLogs = (block: SyntheticBlock, wanted: ReadonlyArray<string>) =>
  block.logs
    .map((log, index) => ({
      ...log,
      blockNumber: hex(block.number),
      blockHash: block.hash,
      transactionHash: transactionHash(block, index),
      transactionIndex: hex(index),
      logIndex: hex(index),
      removed: false
    }))
    .filter((log) => wanted.includes(log.topics[0] ?? ""))

const text = (value: string) => words(32, value.length, `0x${Buffer.from(value).toString("hex").padEnd(64, "0")}`)

const answerOfToken = (to: string, data: string, number: number): Reply | undefined => {
  if (data === selectors.name) return { result: text(`Token ${to.slice(0, 6)}`) }
  if (data === selectors.symbol) return { result: text(to.slice(2, 6)) }
  if (data === selectors.totalSupply) return { result: words(1000 + number) }
  if (data !== selectors.decimals) return undefined
  return to === broken
    ? { error: { code: 3, message: "execution reverted" } }
    : { result: words(to.endsWith("2") ? 6 : 18) }
}

const answerOfPool = (block: SyntheticBlock, to: string, data: string): Reply => {
  const pool = block.pools.get(to)
  if (pool === undefined) return { result: "0x" }
  if (data === selectors.slot0) return { result: words(pool.sqrtPrice, pool.tick, pool.observationIndex, 1, 1, 0, 1) }
  return { result: words(data === selectors.feeGrowthGlobal0X128 ? pool.growth0 : pool.growth1) }
}

/** A node of a synthetic chain, which changes on demand. */
export class SyntheticNode {
  readonly chainId: number
  canonical: ReadonlyArray<SyntheticBlock> = [genesis]
  /** Every block that was ever part of the chain: nodes return those too. */
  readonly #known = new Map([[genesis.hash, genesis]])
  readonly #transactions = new Map<string, { readonly block: SyntheticBlock; readonly index: number }>()
  requests = 0
  calls = 0
  /** The block that it calls finalized, if it knows the tag. */
  finalized: number | undefined
  /** Whether it supports calls that create a contract. */
  runsPrograms = true
  /** Whether it supports `eth_getBlockReceipts`. */
  hasReceipts = true
  /** Accepts requests and never responds. */
  isSilent = false
  /** Runs before a request is answered. */
  beforeRequest: (request: number) => void = () => {}
  /** Alters the response to a call. */
  distort: (call: Call, reply: Reply) => Reply = (_, reply) => reply
  /** Replaces the response to a request. */
  refuse: (calls: ReadonlyArray<Call>, isBatch: boolean) => Response | undefined = () => undefined
  /** Alters the text of a response. */
  distortBody: (body: string) => string = (body) => body

  constructor(chainId = 1) {
    this.chainId = chainId
  }

  get head(): SyntheticBlock {
    return this.canonical.at(-1) ?? genesis
  }

  /** Replaces everything above a block. */
  setBranch(above: number, blocks: ReadonlyArray<SyntheticBlock>) {
    this.canonical = [...this.canonical.slice(0, above + 1), ...blocks]
    for (const block of blocks) {
      this.#known.set(block.hash, block)
      for (const index of block.logs.keys()) this.#transactions.set(transactionHash(block, index), { block, index })
    }
  }

  answer({ method, params }: Call): Reply {
    switch (method) {
      case "eth_chainId":
        return { result: hex(this.chainId) }
      case "eth_getBlockByNumber": {
        const block = this.#find(params[0])
        return { result: block === undefined ? null : toHeader(block, params[1] === true) }
      }
      case "eth_getBlockReceipts": {
        const block = this.canonical[Number(params[0])]
        if (!this.hasReceipts) return { error: { code: -32_601, message: `the method ${method} does not exist` } }
        return { result: block === undefined ? null : toReceipts(block) }
      }
      case "eth_getTransactionReceipt": {
        const found = this.#transactions.get(String(params[0]))
        return { result: found === undefined ? null : (toReceipts(found.block)[found.index] ?? null) }
      }
      case "eth_blockNumber":
        return { result: hex(this.head.number) }
      case "eth_getLogs":
        return this.#logs(decodeFilter(params[0]))
      case "eth_call":
        return this.#call(decodeContractCall(params[0]), decodeAtHash(params[1]))
      default:
        return { error: { code: -32_601, message: `the method ${method} does not exist` } }
    }
  }

  #find(name: unknown): SyntheticBlock | undefined {
    if (name === "latest") return this.head
    return this.canonical[Number(name === "finalized" ? (this.finalized ?? -1) : name)]
  }

  #logs({ blockHash, fromBlock, toBlock, topics: [wanted] }: typeof LogFilter.Type): Reply {
    if (blockHash === undefined) {
      const blocks = this.canonical.slice(Number(fromBlock), Number(toBlock) + 1)
      return { result: blocks.flatMap((block) => toLogs(block, wanted)) }
    }
    const block = this.#known.get(blockHash)
    return block === undefined ? absent : { result: toLogs(block, wanted) }
  }

  #call({ data, to }: typeof ContractCall.Type, { blockHash }: typeof AtHash.Type): Reply {
    const block = this.#known.get(blockHash)
    if (block === undefined) return absent
    if (to === undefined) return this.#program(block, poolsOfCall(data))
    if (data === selectors.owner) return { result: words(block.owner) }
    return answerOfToken(to, data, block.number) ?? answerOfPool(block, to, data)
  }

  #program(block: SyntheticBlock, pools: ReadonlyArray<string>): Reply {
    const states = pools.flatMap((pool) => block.pools.get(pool) ?? [])
    if (!this.runsPrograms || states.length < pools.length) return { error: { code: 3, message: "execution reverted" } }
    return {
      result: words(
        ...states.flatMap((pool) => [pool.sqrtPrice, pool.tick, pool.observationIndex, pool.growth0, pool.growth1])
      )
    }
  }

  respond(body: string): Response {
    this.requests += 1
    this.beforeRequest(this.requests)
    const sent = decodeCalls(body)
    const calls = Arr.ensure(sent)
    this.calls += calls.length
    const refusal = this.refuse(calls, Array.isArray(sent))
    if (refusal !== undefined) return refusal
    const replies = calls.map((call) => ({ id: call.id, ...this.distort(call, this.answer(call)) }))
    return new Response(this.distortBody(JSON.stringify(Array.isArray(sent) ? replies : replies[0])))
  }
}

/** A client that reaches these nodes, by the host name of their address. */
export const makeClient = (nodes: Readonly<Record<string, SyntheticNode>>): HttpClient.HttpClient =>
  HttpClient.make((request, url) =>
    Effect.suspend(() => {
      const body = request.body._tag === "Uint8Array" ? new TextDecoder().decode(request.body.body) : "[]"
      const node = nodes[url.hostname]
      if (node?.isSilent === true) return Effect.never
      const response = node?.respond(body) ?? new Response("", { status: 502 })
      return Effect.succeed(HttpClientResponse.fromWeb(request, response))
    })
  )
