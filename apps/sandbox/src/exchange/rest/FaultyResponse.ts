import { distort } from "../faults/DistortedBody.ts"
import type { Fault, FaultOf } from "../faults/Fault.ts"
import { findFault } from "../faults/FaultBoard.ts"
import type { AppliedFaults, FaultBoard } from "../faults/FaultBoard.ts"
import { json } from "./RestApi.ts"
import type { RestResponse } from "./RestApi.ts"
import { httpDate } from "./Wire.ts"

/** The fate of a request. `Cut`: the headers announce the whole body, and the socket closes after `sent`. */
export type Delivery =
  | { readonly kind: "Complete"; readonly response: RestResponse }
  | { readonly kind: "Cut"; readonly response: RestResponse; readonly sent: Uint8Array }
  | { readonly kind: "Silent" }
  | { readonly kind: "HeadersOnly"; readonly response: RestResponse }

const page =
  "<!DOCTYPE html><html><head><title>Just a moment...</title></head><body><h1>Checking your browser</h1></body></html>"

/** Rejections come first, because a server that rejects does not compute a response. */
export const findRejection = (applied: AppliedFaults, now: number): RestResponse | undefined => {
  const limited = findFault(applied, "rate-limited")
  if (limited !== undefined) return tooMany(limited, now)
  const failed = findFault(applied, "server-error")
  if (failed !== undefined) return json({ message: `Sandbox fault ${failed.status}` }, failed.status)
  const html = findFault(applied, "html-page")
  if (html === undefined) return undefined
  const type = html.contentType === "html" ? "text/html; charset=utf-8" : "application/json; charset=utf-8"
  return { status: 200, headers: { "content-type": type }, body: page }
}

/** The response to a request after its faults. */
export const toDelivery = (
  makeResponse: () => RestResponse,
  applied: AppliedFaults,
  board: FaultBoard,
  now: number
): Delivery => {
  const hang = findFault(applied, "hang")
  if (hang?.phase === "before-headers") return { kind: "Silent" }
  const refused = findRejection(applied, now)
  if (refused !== undefined) return { kind: "Complete", response: refused }
  const response = distortResponse(makeResponse(), applied, board)
  if (hang !== undefined) return { kind: "HeadersOnly", response }
  const truncated = findFault(applied, "truncated-body")
  return truncated === undefined ? { kind: "Complete", response } : truncate(response, truncated)
}

/** The delay of a response, in milliseconds. */
export const getDelay = (applied: AppliedFaults, draw: (fault: Fault) => number): number =>
  applied.reduce((sum, fault) => (fault.kind === "latency" ? sum + latency(fault, draw) : sum), 0)

/** With a tail: half of the responses within a tenth of the way to it, few near its end. */
const latency = (fault: FaultOf<"latency">, draw: (fault: Fault) => number): number => {
  if (fault.tailMilliseconds === undefined) return fault.milliseconds
  return fault.milliseconds + Math.round(Math.max(0, fault.tailMilliseconds - fault.milliseconds) * draw(fault) ** 3.3)
}

const tooMany = (fault: FaultOf<"rate-limited">, now: number): RestResponse => {
  const wait = fault.seconds ?? 2
  const body = json({ message: "Public rate limit exceeded" }, 429)
  if (fault.retryAfter === "none") return body
  const value = fault.retryAfter === "seconds" ? `${wait}` : httpDate(now + wait * 1_000_000 + 999_999)
  return { ...body, headers: { "retry-after": value } }
}

const distortResponse = (response: RestResponse, applied: AppliedFaults, board: FaultBoard): RestResponse =>
  response.status === 200
    ? { ...response, body: distort(response.body, applied, (fault) => board.draw(fault)) }
    : response

const truncate = (response: RestResponse, fault: FaultOf<"truncated-body">): Delivery => {
  const sent = new TextEncoder().encode(response.body).slice(0, fault.bytes)
  if (fault.contentLength === "original") return { kind: "Cut", response, sent }
  return { kind: "Complete", response: { ...response, body: new TextDecoder().decode(sent) } }
}
