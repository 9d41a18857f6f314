import { distort } from "../faults/DistortedBody.ts"
import type { Fault, FaultOf } from "../faults/Fault.ts"
import { findFault } from "../faults/FaultBoard.ts"
import type { AppliedFaults, FaultBoard } from "../faults/FaultBoard.ts"
import { json } from "./RestApi.ts"
import type { Answer } from "./RestApi.ts"
import { httpDate } from "./Wire.ts"

/** The fate of a request. `Cut`: the headers announce the whole body, and the socket closes after `sent`. */
export type Outcome =
  | { readonly outcome: "Answered"; readonly answer: Answer }
  | { readonly outcome: "Cut"; readonly answer: Answer; readonly sent: Uint8Array }
  | { readonly outcome: "Unanswered" }
  | { readonly outcome: "HeadersOnly"; readonly answer: Answer }

const page =
  "<!DOCTYPE html><html><head><title>Just a moment...</title></head><body><h1>Checking your browser</h1></body></html>"

/** Rejections come first, because a server that rejects does not compute a response. */
export const refusal = (applied: AppliedFaults, now: number): Answer | undefined => {
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
export const outcome = (makeAnswer: () => Answer, applied: AppliedFaults, board: FaultBoard, now: number): Outcome => {
  const hang = findFault(applied, "hang")
  if (hang?.phase === "before-headers") return { outcome: "Unanswered" }
  const refused = refusal(applied, now)
  if (refused !== undefined) return { outcome: "Answered", answer: refused }
  const answer = distortAnswer(makeAnswer(), applied, board)
  if (hang !== undefined) return { outcome: "HeadersOnly", answer }
  const truncated = findFault(applied, "truncated-body")
  return truncated === undefined ? { outcome: "Answered", answer } : truncate(answer, truncated)
}

/** The delay of a response, in milliseconds. */
export const getDelay = (applied: AppliedFaults, draw: (fault: Fault) => number): number =>
  applied.reduce((sum, fault) => (fault.kind === "latency" ? sum + latency(fault, draw) : sum), 0)

/** With a tail: half of the responses within a tenth of the way to it, few near its end. */
const latency = (fault: FaultOf<"latency">, draw: (fault: Fault) => number): number => {
  if (fault.tailMilliseconds === undefined) return fault.milliseconds
  return fault.milliseconds + Math.round(Math.max(0, fault.tailMilliseconds - fault.milliseconds) * draw(fault) ** 3.3)
}

const tooMany = (fault: FaultOf<"rate-limited">, now: number): Answer => {
  const wait = fault.seconds ?? 2
  const body = json({ message: "Public rate limit exceeded" }, 429)
  if (fault.retryAfter === "none") return body
  const value = fault.retryAfter === "seconds" ? `${wait}` : httpDate(now + wait * 1_000_000 + 999_999)
  return { ...body, headers: { "retry-after": value } }
}

const distortAnswer = (answer: Answer, applied: AppliedFaults, board: FaultBoard): Answer =>
  answer.status === 200 ? { ...answer, body: distort(answer.body, applied, (fault) => board.draw(fault)) } : answer

const truncate = (answer: Answer, fault: FaultOf<"truncated-body">): Outcome => {
  const sent = new TextEncoder().encode(answer.body).slice(0, fault.bytes)
  if (fault.contentLength === "original") return { outcome: "Cut", answer, sent }
  return { outcome: "Answered", answer: { ...answer, body: new TextDecoder().decode(sent) } }
}
