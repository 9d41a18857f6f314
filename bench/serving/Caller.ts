import { connect } from "node:net"
import type { Socket } from "node:net"

/** The request, and the length of its response. */
export interface Asked {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: number
}

const endOfHead = Buffer.from("\r\n\r\n")

/** One keep-alive connection. It parses only the head of a response and counts the rest. */
const makeCaller = (port: number, refused: () => void) => {
  const socket: Socket = connect({ host: "127.0.0.1", port, noDelay: true })
  let head: Buffer = Buffer.alloc(0)
  let missing = -1
  let expected = 0
  let asked = ""
  let isRefused = false
  let settle: { readonly resolve: () => void; readonly reject: (error: Error) => void } | undefined
  const fail = (error: Error) => settle?.reject(error)
  const begin = (chunk: Buffer) => {
    head = head.length === 0 ? chunk : Buffer.concat([head, chunk])
    const end = head.indexOf(endOfHead)
    if (end < 0) return
    const text = head.toString("latin1", 0, end)
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(text)?.[1])
    isRefused = text.startsWith("HTTP/1.1 503 ")
    if (!isRefused && (!text.startsWith("HTTP/1.1 200 ") || length !== expected)) {
      return fail(new Error(`Another response than the one of ${expected} bytes came:\n${text}`))
    }
    missing = length - (head.length - end - endOfHead.length)
    head = Buffer.alloc(0)
  }
  socket.on("error", fail).on("close", () => fail(new Error("The connection was closed.")))
  socket.on("data", (chunk: Buffer) => {
    if (missing < 0) begin(chunk)
    else missing -= chunk.length
    if (missing !== 0) return
    missing = -1
    if (!isRefused) return settle?.resolve()
    refused()
    socket.write(asked)
  })
  return {
    ask: (request: string, bytes: number) =>
      new Promise<void>((resolve, reject) => {
        settle = { resolve, reject }
        expected = bytes
        asked = request
        socket.write(request)
      }),
    close: () => {
      settle = undefined
      socket.destroy()
    }
  }
}

const toRequest = ({ headers, path }: Asked): string =>
  [
    `GET ${path} HTTP/1.1`,
    "host: 127.0.0.1",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "",
    ""
  ].join("\r\n")

/**
 * Sends requests over some connections, each of which sends the next one when it has the whole response, and repeats a
 * request that was rejected because the server is busy. Returns the number of repetitions.
 */
export const askEach = async (port: number, asked: ReadonlyArray<Asked>, connections: number): Promise<number> => {
  const requests = asked.map((one) => ({ request: toRequest(one), bytes: one.bytes }))
  let at = 0
  let refusals = 0
  const refused = () => {
    refusals += 1
  }
  const callers = Array.from({ length: connections }, () => makeCaller(port, refused))
  const work = async ({ ask }: ReturnType<typeof makeCaller>) => {
    for (let next = requests[at++]; next !== undefined; next = requests[at++]) await ask(next.request, next.bytes)
  }
  // On virtual CPUs, waking a sleeping thread costs the server more than its response.
  let isAsking = true
  const stayAwake = () => {
    if (isAsking) setImmediate(stayAwake)
  }
  stayAwake()
  try {
    await Promise.all(callers.map(work))
    return refusals
  } finally {
    isAsking = false
    for (const { close } of callers) close()
  }
}

/** The same for one request, `count` times. */
export const askFor = (port: number, asked: Asked, count: number, connections: number): Promise<number> =>
  askEach(
    port,
    Array.from({ length: count }, () => asked),
    connections
  )
