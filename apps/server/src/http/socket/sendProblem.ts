import { randomUUID } from "node:crypto"
import { STATUS_CODES } from "node:http"
import type { ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { ContextualRequest, requestIdHeader } from "../request/RequestContext.ts"
import { commonHeaders } from "../response/ResponseHeaders.ts"

/** A problem in its encoded form. */
interface EncodedProblem {
  readonly status: number
}

type Headers = Readonly<Record<string, string>>

const toMessage = (problem: EncodedProblem, further: Headers, requestId: string) => {
  const body = JSON.stringify({ ...problem, requestId })
  const headers: Headers = {
    ...commonHeaders,
    "content-type": "application/problem+json",
    "content-length": String(Buffer.byteLength(body)),
    "cache-control": "no-store",
    [requestIdHeader]: requestId,
    ...further
  }
  return { headers, body }
}

const getRequestId = ({ req }: ServerResponse): string =>
  req instanceof ContextualRequest ? req.context.id : randomUUID()

/** Sends the problem of a request that does not reach the routes. */
export const sendProblem = (response: ServerResponse, problem: EncodedProblem, further: Headers = {}): void => {
  const { body, headers } = toMessage(problem, further, getRequestId(response))
  response.writeHead(problem.status, headers).end(body)
}

/** Sends a problem to a connection that has no response, and closes it. */
export const endWithProblem = (socket: Duplex, problem: EncodedProblem, further: Headers = {}): void => {
  const { body, headers } = toMessage(problem, { ...further, connection: "close" }, randomUUID())
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  socket.end([`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}`, ...lines, "", body].join("\r\n"))
}
