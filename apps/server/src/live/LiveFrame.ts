import type { LiveEvent } from "./LiveFeed.ts"

// The lines of server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). Neither cursors nor
// data hold a line break.

const encoder = new TextEncoder()

/** How long a reader waits before it connects anew, if it does not know better. */
const retryMs = 1000

export const eventFrame = ({ cursor, data, name }: LiveEvent): string =>
  `event: ${name}\nid: ${cursor}\ndata: ${data}\n\n`

/** The first bytes of every stream: the position at which it begins. */
export const openFrame = (cursor: string): Uint8Array =>
  encoder.encode(`retry: ${retryMs}\n\nevent: open\nid: ${cursor}\ndata: ${JSON.stringify({ cursor })}\n\n`)

/** After so long a silence, readers and all between hear that the stream is still there. */
export const heartbeatMs = 15_000

/** A line that readers leave out. */
export const heartbeatFrame: Uint8Array = encoder.encode(": \n\n")

/** Why a stream ends that could go on. */
export interface Ending {
  readonly reason: "too-slow" | "closing" | "revoked" | "failed"
  /** A sentence for the reader. */
  readonly detail: string
  /** How long to wait before resuming; `null` where that does not help. */
  readonly retryAfterMs: number | null
}

/** It has no id, so that a reader resumes behind the last event. */
export const endFrame = ({ detail, reason, retryAfterMs }: Ending): Uint8Array =>
  encoder.encode(`event: end\ndata: ${JSON.stringify({ reason, detail, retryAfterMs })}\n\n`)

/** The end of a stream whose events cannot be read. */
export const failing = (name: string): Ending => ({
  reason: "failed",
  detail: `The events of ${name} cannot be read at the moment: resume behind the last one in a few seconds.`,
  retryAfterMs: 2000
})
