import { createServer } from "node:http"
import type { ServerResponse } from "node:http"
import { Effect, Schema } from "effect"

const Calls = Schema.Array(
  Schema.Struct({ id: Schema.Int, method: Schema.String, params: Schema.optionalKey(Schema.Array(Schema.Unknown)) })
)
const Replies = Schema.Array(
  Schema.Struct({
    jsonrpc: Schema.String,
    id: Schema.Int,
    result: Schema.optionalKey(Schema.Unknown),
    error: Schema.optionalKey(Schema.Unknown)
  })
)
const decodeCalls = Schema.decodeUnknownSync(Schema.fromJsonString(Calls))
const decodeReplies = Schema.decodeUnknownSync(Schema.fromJsonString(Replies))
export type RpcCall = (typeof Calls.Type)[number]
export type RpcReply = (typeof Replies.Type)[number]

/** A fault in a node's response to a request. */
export interface Fault {
  /** Waits before responding. */
  readonly delayMs?: number
  /** A status without a body. */
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  /** The sent part of the body; the connection is closed if the headers announced more. */
  readonly cut?: "text" | "connection"
  /** Alters the request. */
  readonly ask?: (calls: ReadonlyArray<RpcCall>) => ReadonlyArray<RpcCall>
  /** Alters the response to a call. */
  readonly answer?: (call: RpcCall, reply: RpcReply) => RpcReply | Promise<RpcReply>
}

/** A node in front of another one. */
export interface FaultyNode {
  readonly url: string
  /** The fault of the nth request; none if undefined. */
  fault: (request: number, calls: ReadonlyArray<RpcCall>) => Fault | undefined
  /** The node behind it. */
  behind: string
  /** The number of requests with a fault. */
  faults: number
}

const post = async (url: string, calls: ReadonlyArray<RpcCall>): Promise<ReadonlyArray<RpcReply>> => {
  const body = JSON.stringify(calls.map((call) => ({ jsonrpc: "2.0", ...call })))
  const response = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body })
  return decodeReplies(await response.text())
}

/** The response of another node to one call. */
export const askOther = async (url: string, call: RpcCall): Promise<RpcReply> => {
  const [reply] = await post(url, [call])
  if (reply === undefined) throw new Error("no reply")
  return reply
}

const sleep = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

const respond = async (node: FaultyNode, calls: ReadonlyArray<RpcCall>, fault: Fault, response: ServerResponse) => {
  if (fault.delayMs !== undefined) await sleep(fault.delayMs)
  if (fault.status !== undefined) return void response.writeHead(fault.status, fault.headers).end("busy")
  const replies = await post(node.behind, fault.ask?.(calls) ?? calls)
  const answered = await Promise.all(
    calls.map((call) => {
      const reply = replies.find(({ id }) => id === call.id)
      if (reply === undefined) throw new Error("no reply")
      return fault.answer?.(call, reply) ?? reply
    })
  )
  const text = JSON.stringify(answered)
  response.setHeader("content-type", "application/json")
  if (fault.cut === "text") return void response.end(text.slice(0, text.length / 2))
  if (fault.cut === undefined) return void response.end(text)
  response.writeHead(200, { "content-length": Buffer.byteLength(text) })
  return void response.write(text.slice(0, text.length / 2), () => response.destroy())
}

/** Starts a node that ends with the scope. */
export const startFaultyNode = Effect.fnUntraced(function* (behind: string) {
  let requests = 0
  const server = createServer((request, response) => {
    const parts: Array<Buffer> = []
    request.on("data", (part: Buffer) => parts.push(part))
    request.on("end", () => {
      const calls = decodeCalls(Buffer.concat(parts).toString("utf8"))
      const fault = node.fault(requests++, calls)
      if (fault !== undefined) node.faults += 1
      respond(node, calls, fault ?? {}, response).catch(() => response.destroy())
    })
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () =>
      Effect.callback<void>((resume) => {
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
      })
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  const node: FaultyNode = { url: `http://127.0.0.1:${port}`, behind, faults: 0, fault: () => undefined }
  return node
})
