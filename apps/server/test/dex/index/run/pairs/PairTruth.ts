import { Effect, Schema } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest } from "effect/http"
import { parseAbi, parseEventLogs } from "viem"
import type { Hex, Log } from "viem"

// The logs of pairs and of their tokens, decoded by viem: independent of the decoders of the index.

const pairAbi = parseAbi([
  "event Mint(address indexed sender, uint256 amount0, uint256 amount1)",
  "event Burn(address indexed sender, uint256 amount0, uint256 amount1, address indexed to)",
  "event Swap(address indexed sender, uint256 amount0In, uint256 amount1In, uint256 amount0Out, uint256 amount1Out, address indexed to)",
  "event Sync(uint112 reserve0, uint112 reserve1)",
  "event Transfer(address indexed from, address indexed to, uint256 value)"
])

const Hexadecimal = Schema.TemplateLiteral(["0x", Schema.String])
const Logs = Schema.Struct({
  result: Schema.Array(
    Schema.Struct({
      address: Hexadecimal,
      topics: Schema.Array(Hexadecimal),
      data: Hexadecimal,
      blockHash: Hexadecimal,
      blockNumber: Hexadecimal,
      transactionHash: Hexadecimal,
      transactionIndex: Hexadecimal,
      logIndex: Hexadecimal
    })
  )
})

const decodeLogs = Schema.decodeUnknownEffect(Logs)

type Given = (typeof Logs.Type)["result"][number]

const toViem = (log: Given): Log => {
  const [signature, ...others] = log.topics
  const topics: [] | [Hex, ...Array<Hex>] = signature === undefined ? [] : [signature, ...others]
  return {
    ...log,
    topics,
    blockNumber: BigInt(log.blockNumber),
    transactionIndex: Number(log.transactionIndex),
    logIndex: Number(log.logIndex),
    removed: false
  }
}

/** Addresses of arguments have the letter case of a checksum. */
const decode = (logs: ReadonlyArray<Given>) => parseEventLogs({ abi: pairAbi, logs: logs.map(toViem) })

export type PairLog = ReturnType<typeof decode>[number]

/** All events of these addresses, in the order of the chain. */
export const readPairLogs = Effect.fnUntraced(function* (rpc: string, addresses: ReadonlyArray<string>) {
  const http = yield* HttpClient.HttpClient
  const params = [{ address: addresses, fromBlock: "0x0", toBlock: "latest" }]
  const request = HttpClientRequest.post(rpc).pipe(
    HttpClientRequest.bodyJsonUnsafe({ jsonrpc: "2.0", id: 1, method: "eth_getLogs", params })
  )
  const { result } = yield* decodeLogs(yield* (yield* http.execute(request)).json)
  return decode(result)
}, Effect.provide(FetchHttpClient.layer))
