import { connect } from "node:net"
import type { Socket } from "node:net"

/** What is asked for, and how long its body is. */
export interface Asked {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: number
}

const endOfHead = Buffer.from("\r\n\r\n")

/** One connection that is kept alive. It reads no more than the head of an answer and counts the rest. */
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
      return fail(new Error(`Another answer than the one of ${expected} bytes came:\n${text}`))
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

const requestOf = ({ headers, path }: Asked): string =>
  [
    `GET ${path} HTTP/1.1`,
    "host: 127.0.0.1",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    "",
    ""
  ].join("\r\n")

/**
 * Asks `count` times over some connections, each of which asks again when it has the whole answer, and when it was
 * refused because the server is busy. Answers how often that was.
 */
export const askFor = async (port: number, asked: Asked, count: number, connections: number): Promise<number> => {
  const request = requestOf(asked)
  let left = count
  let refusals = 0
  const refused = () => {
    refusals += 1
  }
  const callers = Array.from({ length: connections }, () => makeCaller(port, refused))
  const work = async ({ ask }: ReturnType<typeof makeCaller>) => {
    while (left > 0) {
      left -= 1
      await ask(request, asked.bytes)
    }
  }
  // Where processors are virtual, to wake who sleeps costs the one who answers more than his answer.
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
