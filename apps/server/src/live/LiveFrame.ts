import { End, Open, toEventWriter } from "./LiveEvents.ts"
import type { LiveEvent } from "./LiveFeed.ts"

// Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html). Neither cursors nor data contain
// a line break.

const encoder = new TextEncoder()

/** The delay before a client without its own backoff reconnects. */
const retryMs = 1000

export const eventFrame = ({ cursor, data, name }: LiveEvent): string =>
  `event: ${name}\nid: ${cursor}\ndata: ${data}\n\n`

const writeOpen = toEventWriter(Open)

/** The first bytes of every stream: its start position. */
export const openFrame = (cursor: string): Uint8Array =>
  encoder.encode(`retry: ${retryMs}\n\nevent: open\nid: ${cursor}\ndata: ${writeOpen({ cursor })}\n\n`)

/** After this long without events, a comment shows clients and proxies that the stream is alive. */
export const heartbeatMs = 15_000

/** A comment, which clients ignore. */
export const heartbeatFrame: Uint8Array = encoder.encode(": \n\n")

export type Ending = typeof End.Type

const writeEnd = toEventWriter(End)

/** It has no id, so that a client resumes after the last event. */
export const endFrame = (ending: Ending): Uint8Array => encoder.encode(`event: end\ndata: ${writeEnd(ending)}\n\n`)

/** The last event of a stream whose feed cannot be read. */
export const failing = (name: string): Ending => ({
  reason: "failed",
  detail: `The events of ${name} cannot be read at the moment: resume after the last one in a few seconds.`,
  retryAfterMs: 2000
})
