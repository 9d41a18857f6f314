import type { IncomingMessage, ServerResponse } from "node:http"
import type { Duplex } from "node:stream"
import { HeadersTooLarge, MethodNotAllowed, UriTooLong } from "@chaintape/contract"
import { Operation } from "@chaintape/core/operations"
import { Predicate, Schema } from "effect"
import { allowedMethods } from "../response/Problems.ts"
import { endWithProblem, sendProblem } from "./sendProblem.ts"

const encode = Schema.encodeSync(Schema.Union([UriTooLong, HeadersTooLarge, MethodNotAllowed]))

const headersTooLarge = () =>
  new HeadersTooLarge({ detail: "The request's headers are larger than the service reads." })
const uriTooLong = () => new UriTooLong({ detail: "The request's URL is longer than the service reads." })

/** The packet that exceeded the limit ended within the request line, or before it did. */
const endsInRequestLine = (packet: Buffer): boolean => {
  const line = packet.indexOf("\n")
  return line < 0 || / HTTP\/1\.\d\r?$/.test(packet.toString("latin1", Math.max(0, line - 16), line))
}

const tooLarge = (packet: unknown) =>
  encode(
    Buffer.isBuffer(packet) && endsInRequestLine(packet) && !isShortRequestLine(packet)
      ? uriTooLong()
      : headersTooLarge()
  )

/** The request line itself fits: the headers are too large. */
const isShortRequestLine = (packet: Buffer): boolean => {
  const line = packet.indexOf("\n")
  return line >= 0 && line < maxRequestLineLength && /^[A-Z]+ /.test(packet.toString("latin1", 0, 16))
}

const maxRequestLineLength = 16 * 1024

const malformed = () =>
  Operation.invalidParameter([{ parameter: "request", message: "it is not a request of HTTP/1.1" }])

const toProblem = (error: Error) => {
  const code = "code" in error && Predicate.isString(error.code) ? error.code : ""
  if (code === "HPE_HEADER_OVERFLOW") return tooLarge("rawPacket" in error ? error.rawPacket : undefined)
  return malformed()
}

/** Responds to data that is not a valid request with a problem, for which the runtime would send an empty body. */
export const rejectMalformed = (error: Error, socket: Duplex): void => {
  const code = "code" in error ? error.code : undefined
  // A client that has closed, or is too slow to finish its request, gets no response.
  if (!socket.writable || code === "ECONNRESET" || code === "ERR_HTTP_REQUEST_TIMEOUT") {
    socket.destroy()
    return
  }
  endWithProblem(socket, toProblem(error))
}

/** Rejects CONNECT, for which the runtime would close the connection without a response. */
export const rejectConnect = (_request: unknown, socket: Duplex): void => {
  const detail = '"CONNECT" is not allowed: every operation is a GET request.'
  endWithProblem(socket, encode(new MethodNotAllowed({ method: "CONNECT", detail })), { allow: allowedMethods })
}

/** A host with an optional port (RFC 9110, 7.2); empty where the target has no authority. */
const validHost = /^(?:\[[\w.~:%-]+\]|[\w.~!$&'()*+,;=%-]*)(?::\d*)?$/

const isHost = (_: string, at: number, all: ReadonlyArray<string>) => at % 2 === 0 && all[at]?.toLowerCase() === "host"

/**
 * Why a proxy may read the request in another way than the runtime, which takes the first of several hosts and any text as a
 * host, no body where the last coding is unknown, and every version. A request can be hidden behind such a request.
 */
export const findAmbiguity = ({ headers, httpVersionMajor, rawHeaders }: IncomingMessage): string | undefined => {
  const coding = headers["transfer-encoding"]
  if (coding !== undefined && coding.toLowerCase() !== "chunked") return "its transfer coding must be chunked"
  if (rawHeaders.filter(isHost).length > 1) return "it must have one Host"
  if (!validHost.test(headers.host ?? "")) return "its Host must be a host and at most a port"
  return httpVersionMajor === 1 ? undefined : "it is not a request of HTTP/1.1"
}

/** Its turn is after those of the requests before it. */
export const rejectAmbiguous = (response: ServerResponse, message: string): void =>
  sendProblem(response, Operation.invalidParameter([{ parameter: "request", message }]), { connection: "close" })
