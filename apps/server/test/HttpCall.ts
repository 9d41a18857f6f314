import { Agent, request } from "node:http"
import type { IncomingHttpHeaders, OutgoingHttpHeaders } from "node:http"
import { connect } from "node:net"
import { Data, Effect, Schema } from "effect"

/** Network errors are results here: some tests cause them. */
export class NoReply extends Data.TaggedError("NoReply")<{ readonly message: string }> {}

/** The server closed an idle connection at the moment at which it was used again. */
class ClosedWhileIdle extends Data.TaggedError("ClosedWhileIdle") {}

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Call {
  readonly method?: string
  /** Sent unchanged: nothing is normalized or encoded. */
  readonly path: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: string
  readonly patienceMs?: number
}

const agent = new Agent({ keepAlive: true, maxSockets: 16 })

/** A connection that was closed while it was idle fails at once; a response that is lost later is a result. */
const idleEndMs = 1000
/** The codes of a reset, of an end without a response, and of a write after the end. */
const idleEndCodes = new Set(["ECONNRESET", "EPIPE"])

/** One request through a real socket, with a timeout. */
export const call = (origin: string, { body, headers, method = "GET", path, patienceMs = 60_000 }: Call) =>
  Effect.callback<Reply, NoReply | ClosedWhileIdle>((resume) => {
    const { hostname, port } = new URL(origin)
    let assigned = performance.now()
    const outgoing = request({ hostname, port, agent, method, path, headers: headers ?? {} }, (incoming) => {
      const parts: Array<Buffer> = []
      incoming.on("data", (part: Buffer) => parts.push(part))
      incoming.on("error", (error) => resume(Effect.fail(new NoReply({ message: `${path}: ${error.message}` }))))
      incoming.on("end", () =>
        resume(
          Effect.succeed({
            status: incoming.statusCode ?? 0,
            headers: incoming.headers,
            body: Buffer.concat(parts).toString("utf8")
          })
        )
      )
    })
    outgoing.on("socket", () => {
      assigned = performance.now()
    })
    outgoing.on("error", (error: NodeJS.ErrnoException) => {
      const isIdleEnd =
        method === "GET" &&
        outgoing.reusedSocket &&
        idleEndCodes.has(error.code ?? "") &&
        performance.now() - assigned < idleEndMs
      resume(Effect.fail(isIdleEnd ? new ClosedWhileIdle() : new NoReply({ message: `${path}: ${error.message}` })))
    })
    outgoing.end(body)
    return Effect.sync(() => outgoing.destroy())
  }).pipe(
    // Each try takes a connection out of the pool: the last one is new, and its failure is a result.
    Effect.retry({ while: ({ _tag }) => _tag === "ClosedWhileIdle", times: 16 }),
    Effect.catchTag("ClosedWhileIdle", () =>
      Effect.fail(new NoReply({ message: `${path}: each connection was closed while idle` }))
    ),
    Effect.timeoutOrElse({
      duration: patienceMs,
      orElse: () => Effect.fail(new NoReply({ message: `${path}: no answer within ${patienceMs} ms` }))
    })
  )

/** How long a socket may be silent while responses are still due. */
const patientMs = 60_000

/**
 * Writes bytes into a socket, piece by piece, and reads until the service closes it, or until `answers` responses have
 * arrived and nothing more for `quietMs`.
 */
export const raw = (
  origin: string,
  pieces: ReadonlyArray<string | Buffer>,
  { answers = 0, quietMs = 1000 }: { readonly quietMs?: number; readonly answers?: number } = {}
) =>
  Effect.callback<{ readonly text: string; readonly closed: boolean }>((resume) => {
    const { hostname, port } = new URL(origin)
    const parts: Array<Buffer> = []
    const text = () => Buffer.concat(parts).toString("latin1")
    const socket = connect(Number(port), hostname, () => {
      for (const piece of pieces) socket.write(piece)
    })
    const finish = (closed: boolean) => {
      socket.destroy()
      resume(Effect.succeed({ text: text(), closed }))
    }
    socket.setTimeout(answers > 0 ? patientMs : quietMs, () => finish(false))
    socket.on("data", (part) => {
      parts.push(part)
      if (replies(text()).length >= answers) socket.setTimeout(quietMs)
    })
    socket.on("error", () => {})
    socket.on("close", () => finish(true))
  })

/** Parses the responses in the bytes read from a socket. */
export const replies = (text: string): ReadonlyArray<Reply> => {
  const found: Array<Reply> = []
  let rest = text
  while (rest.startsWith("HTTP/1.1 ")) {
    const end = rest.indexOf("\r\n\r\n")
    if (end < 0) break
    const [first = "", ...lines] = rest.slice(0, end).split("\r\n")
    const headers = Object.fromEntries(
      lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()])
    )
    const length = Number(headers["content-length"] ?? 0)
    found.push({ status: Number(first.slice(9, 12)), headers, body: rest.slice(end + 4, end + 4 + length) })
    rest = rest.slice(end + 4 + length)
  }
  return found
}

const decodeJson = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Unknown))
const decodeRecord = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))
const decodeRecords = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Array(Schema.Record(Schema.String, Schema.Unknown)))
)

export const json = ({ body }: Reply): unknown => decodeJson(body)
export const record = ({ body }: Reply) => decodeRecord(body)
export const records = ({ body }: Reply) => decodeRecords(body)
