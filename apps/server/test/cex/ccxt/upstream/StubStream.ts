import { createHash } from "node:crypto"
import { createServer } from "node:http"
import type { Duplex } from "node:stream"
import { Effect, Schema } from "effect"

export interface StubStream {
  readonly websocket: string
  /** A header that agrees to an extension, if it is set before a client connects. */
  extension: string
  /** The text frames of clients, in order. */
  readonly received: Array<string>
  /** How many pings clients have answered: a client that answers has read all frames before. */
  pongs: number
  /** Sends a text frame to every client. */
  readonly send: (text: string) => void
  /** Sends bytes to every client, whatever frames they are. */
  readonly sendBytes: (bytes: Buffer) => void
  /** The number of open connections now, and of all connections. */
  readonly connections: { now: number; all: number }
}

const textFrame = (text: string): Buffer => frameOf(Buffer.from(text))

/** A whole frame; its first byte is 0x81 for text and 0x82 for binary data, and has 0x40 if it is compressed. */
export const frameOf = (payload: Buffer, kind = 0x81): Buffer => {
  const length = payload.length
  const header =
    length < 126
      ? Buffer.from([kind, length])
      : length < 65_536
        ? Buffer.from([kind, 126, length >> 8, length & 255])
        : Buffer.concat([Buffer.from([kind, 127]), Buffer.from(BigInt(length).toString(16).padStart(16, "0"), "hex")])
  return Buffer.concat([header, payload])
}

/** A frame that a client answers with a pong. */
export const pingFrame = frameOf(Buffer.alloc(0), 0x89)

interface ReadFrames {
  readonly texts: ReadonlyArray<string>
  readonly pongs: number
  readonly rest: Buffer
}

/** The complete frames at the start of a client's bytes, and the rest. Long frames do not occur. */
const readFrames = (bytes: Buffer): ReadFrames => {
  const texts: Array<string> = []
  let pongs = 0
  let at = 0
  while (bytes.length >= at + 6) {
    const short = (bytes[at + 1] ?? 0) & 127
    const start = short === 126 ? at + 8 : at + 6
    const length = short === 126 ? bytes.readUInt16BE(at + 2) : short
    if (bytes.length < start + length) break
    const mask = bytes.subarray(start - 4, start)
    const body = bytes.subarray(start, start + length).map((byte, index) => byte ^ (mask[index % 4] ?? 0))
    const kind = (bytes[at] ?? 0) & 15
    if (kind === 1) texts.push(Buffer.from(body).toString())
    if (kind === 10) pongs++
    at = start + length
  }
  return { texts, pongs, rest: bytes.subarray(at) }
}

const serve = (socket: Duplex, stub: StubStream): void => {
  stub.connections.now++
  stub.connections.all++
  socket.on("error", () => socket.destroy())
  socket.on("end", () => socket.destroy())
  socket.on("close", () => stub.connections.now--)
  let pending: Buffer = Buffer.alloc(0)
  socket.on("data", (chunk: Buffer) => {
    const { pongs, rest, texts } = readFrames(Buffer.concat([pending, chunk]))
    pending = rest
    stub.pongs += pongs
    stub.received.push(...texts)
  })
}

/** A WebSocket server on a free loopback port with scripted frames, until the scope closes. */
export const stubStream = Effect.acquireRelease(
  Effect.callback<StubStream & { readonly close: () => void }>((resume) => {
    const sockets = new Set<Duplex>()
    const server = createServer()
    server.on("upgrade", (request, socket) => {
      sockets.add(socket)
      socket.once("close", () => sockets.delete(socket))
      const accept = createHash("sha1")
        .update(`${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
        .digest("base64")
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\nsec-websocket-accept: ${accept}\r\n${stub.extension}\r\n`
      )
      serve(socket, stub)
    })
    const stub = {
      websocket: "",
      extension: "",
      received: [],
      pongs: 0,
      connections: { now: 0, all: 0 },
      send: (text: string) => sockets.forEach((socket) => socket.write(textFrame(text))),
      sendBytes: (bytes: Buffer) => sockets.forEach((socket) => socket.write(bytes)),
      close: () => {
        sockets.forEach((socket) => socket.destroy())
        server.close()
      }
    }
    server.listen(0, "127.0.0.1", () => {
      const { port } = Schema.decodeUnknownSync(Schema.Struct({ port: Schema.Int }))(server.address())
      stub.websocket = `ws://127.0.0.1:${port}`
      resume(Effect.succeed(stub))
    })
  }),
  ({ close }) => Effect.sync(close)
)
