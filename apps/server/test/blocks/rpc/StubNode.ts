import { createServer } from "node:http"
import type { IncomingMessage, ServerResponse } from "node:http"
import { Effect, Schema } from "effect"
import type { SourceBlock } from "../../../src/blocks/SourceBlock.ts"

const Calls = Schema.fromJsonString(
  Schema.Array(
    Schema.Struct({
      id: Schema.Int,
      method: Schema.String,
      params: Schema.Array(Schema.Unknown)
    })
  )
)
const decodeCalls = Schema.decodeUnknownSync(Calls)

const hex = (value: number | bigint) => `0x${value.toString(16)}`

/** A block as a node returns it. */
const rpcBlock = (block: SourceBlock) => ({
  number: hex(block.number),
  hash: block.hash,
  parentHash: block.parentHash,
  timestamp: hex(block.timestamp),
  size: hex(block.size),
  gasLimit: hex(block.gasLimit),
  gasUsed: hex(block.gasUsed),
  ...(block.totalDifficulty === undefined ? {} : { totalDifficulty: hex(block.totalDifficulty) }),
  miner: block.author
})

export interface Fault {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** Replaces the whole body. */
  readonly body?: string
  /** Closes the connection after this many characters of the body. */
  readonly cutAfter?: number
  readonly hang?: "before-headers" | "in-body"
  readonly lateMs?: number
  /** Replaces the response to one call. */
  readonly reply?: (method: string, result: unknown) => object
  /** Affects only calls of this method. */
  readonly method?: string
}

export interface StubNode {
  readonly url: string
  chain: ReadonlyArray<SourceBlock>
  fault: Fault | undefined
  requests: number
}

const toResult = (node: StubNode, method: string, params: ReadonlyArray<unknown>): unknown => {
  if (method === "eth_blockNumber") return hex(node.chain.length - 1)
  const block = node.chain[Number(params[0])]
  return block === undefined ? null : rpcBlock(block)
}

const respond = (node: StubNode, text: string, response: ServerResponse) => {
  const calls = decodeCalls(text)
  const isHit = node.fault?.method === undefined || calls.some(({ method }) => method === node.fault?.method)
  const fault: Fault = isHit ? (node.fault ?? {}) : {}
  const replies = calls.map(({ id, method, params }) => {
    const result = toResult(node, method, params)
    return { jsonrpc: "2.0", id, ...(fault.reply === undefined ? { result } : fault.reply(method, result)) }
  })
  const body = fault.body ?? JSON.stringify(replies)
  if (fault.hang === "before-headers") return
  const write = () => {
    response.writeHead(fault.status ?? 200, {
      "content-type": "application/json",
      "content-length": String(Buffer.byteLength(body)),
      ...fault.headers
    })
    if (fault.hang === "in-body") return response.write(body.slice(0, 10))
    if (fault.cutAfter !== undefined) return response.write(body.slice(0, fault.cutAfter), () => response.destroy())
    return response.end(body)
  }
  if (fault.lateMs === undefined) write()
  else setTimeout(write, fault.lateMs)
}

const handle = (node: StubNode) => (request: IncomingMessage, response: ServerResponse) => {
  node.requests++
  const parts: Array<Buffer> = []
  request.on("data", (part: Buffer) => parts.push(part))
  request.on("end", () => respond(node, Buffer.concat(parts).toString("utf8"), response))
}

/** A JSON-RPC node on a free loopback port with faults on demand, until the scope closes. */
export const stubNode = (chain: ReadonlyArray<SourceBlock>) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly node: StubNode; readonly close: () => void }>((resume) => {
      const server = createServer((request, response) => handle(node)(request, response))
      let url = ""
      const node: StubNode = {
        get url() {
          return url
        },
        chain,
        fault: undefined,
        requests: 0
      }
      server.listen(0, "127.0.0.1", () => {
        const { port } = Schema.decodeUnknownSync(Schema.Struct({ port: Schema.Int }))(server.address())
        url = `http://127.0.0.1:${port}`
        const close = () => {
          server.closeAllConnections()
          server.close()
        }
        resume(Effect.succeed({ node, close }))
      })
    }),
    ({ close }) => Effect.sync(close)
  ).pipe(Effect.map(({ node }) => node))
