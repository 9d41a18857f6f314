import { createServer } from "node:http"
import type { ServerResponse } from "node:http"
import { gzipSync } from "node:zlib"
import { Effect, Schema } from "effect"

/** The response of a hostile server to a request. */
export type Attack = (response: ServerResponse, inside: string) => void

/** Writes the same bytes as long as they are read. */
const endless =
  (text: string): Attack =>
  (response) => {
    const part = Buffer.from(text.repeat(Math.ceil(65_536 / text.length)))
    const write = () => {
      while (!response.destroyed && response.write(part));
    }
    response.writeHead(200, { "content-type": "application/json" })
    response.write("[")
    response.on("drain", write)
    write()
  }

const drip: Attack = (response) => {
  response.writeHead(200, { "content-type": "application/json" })
  const timer = setInterval(() => response.write(" "), 20)
  response.on("close", () => clearInterval(timer))
}

/** 256 MB of white space in a quarter of a megabyte. */
const bomb = gzipSync(Buffer.alloc(256 * 1024 * 1024, " "))

const whole =
  (body: string | Buffer, headers: Readonly<Record<string, string>> = {}): Attack =>
  (response) => {
    response.writeHead(200, { "content-type": "application/json", connection: "close", ...headers })
    response.end(body)
  }

const redirect =
  (status: number): Attack =>
  (response, inside) => {
    response.writeHead(status, { location: inside, connection: "close" })
    response.end()
  }

const levels = 200_000

export const attacks: Readonly<Record<string, Attack>> = {
  "a body without end": endless(" "),
  "a list without end": endless("1,"),
  "objects without end": endless("{},"),
  "a text without end": endless('"\\u0000'),
  "a byte now and then": drip,
  "a gzip bomb": whole(bomb, { "content-encoding": "gzip" }),
  "a bomb of a bomb": whole(gzipSync(bomb), { "content-encoding": "gzip, gzip" }),
  "200,000 brackets": whole("[".repeat(levels) + "]".repeat(levels)),
  "200,000 braces": whole(`${'{"a":'.repeat(levels)}[]${"}".repeat(levels)}`),
  "a header without end": (response) => {
    response.writeHead(200, { x: "x".repeat(1024 * 1024) })
    response.end("[]")
  },
  "a length that is not true": whole("[]", { "content-length": "1000000000" }),
  "members of the prototype": whole('{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}}}'),
  "a page of HTML": whole("<html><script>alert(1)</script></html>", { "content-type": "text/html" }),
  ...Object.fromEntries([302, 308].map((status) => [`a redirect to an address inside (${status})`, redirect(status)]))
}

export interface HostileServer {
  readonly url: string
  attack: Attack
  /** Bytes that readers took, of all answers. */
  readonly sent: () => number
  /** Requests that arrived at the address inside. */
  readonly inside: () => number
  /** Open connections. */
  readonly open: () => number
}

const listening = (server: ReturnType<typeof createServer>) =>
  Effect.acquireRelease(
    Effect.callback<string>((resume) => {
      server.listen(0, "127.0.0.1", () => {
        const { port } = Schema.decodeUnknownSync(Schema.Struct({ port: Schema.Int }))(server.address())
        resume(Effect.succeed(`http://127.0.0.1:${port}`))
      })
    }),
    () =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )

/** A server on a free loopback port that attacks its callers, until the scope closes. */
export const hostileServer = Effect.gen(function* () {
  let sent = 0
  let reached = 0
  let open = 0
  const inside = yield* listening(
    createServer((_request, response) => {
      reached++
      response.end("[]")
    })
  )
  const made: { -readonly [name in keyof HostileServer]: HostileServer[name] } = {
    url: "",
    attack: whole("[]"),
    sent: () => sent,
    inside: () => reached,
    open: () => open
  }
  const server = createServer((request, response) => {
    request.resume()
    request.on("end", () => made.attack(response, inside))
  })
  server.on("connection", (socket) => {
    open++
    socket.on("close", () => {
      open--
      sent += socket.bytesWritten
    })
  })
  made.url = yield* listening(server)
  return made satisfies HostileServer
})
