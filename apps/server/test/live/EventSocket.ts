import type { IncomingHttpHeaders, IncomingMessage } from "node:http"
import { request } from "node:http"
import { Clock, Data, Effect } from "effect"
import { key } from "../RunningService.ts"
import type { ReadEvent } from "./TestReader.ts"
import { toEvents } from "./TestReader.ts"

class NotInTime extends Data.TaggedError("NotInTime")<{ readonly message: string }> {}

/** A stream that is read over a socket. */
export interface EventSocket {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Complete events received. */
  readonly events: () => ReadonlyArray<ReadEvent>
  readonly text: () => string
  readonly isClosed: () => boolean
  readonly pause: () => void
  readonly resume: () => void
  readonly close: Effect.Effect<void>
}

interface Wanted {
  readonly headers?: Readonly<Record<string, string>>
  readonly method?: string
  /** Pauses reading until resumed. */
  readonly isPaused?: boolean
}

/** Opens a stream, which is closed with the scope. */
export const openSocket = Effect.fnUntraced(function* (origin: string, path: string, wanted: Wanted = {}) {
  const opened = Effect.callback<{ readonly incoming: IncomingMessage; readonly close: () => void }>((resume) => {
    const { hostname, port } = new URL(origin)
    const { headers = {}, method = "GET" } = wanted
    const outgoing = request(
      { hostname, port, path, method, agent: false, headers: { "api-key": key, ...headers } },
      (incoming) => resume(Effect.succeed({ incoming, close: () => outgoing.destroy() }))
    )
    outgoing.on("error", () => {})
    outgoing.end()
  })
  const { close, incoming } = yield* Effect.acquireRelease(opened, ({ close }) => Effect.sync(close))
  const parts: Array<string> = []
  let isClosed = false
  incoming.setEncoding("utf8")
  incoming.on("error", () => {})
  incoming.on("close", () => void (isClosed = true))
  if (wanted.isPaused === true) incoming.pause()
  incoming.on("data", (part: string) => void parts.push(part))
  if (wanted.isPaused === true) incoming.pause()
  const text = () => parts.join("")
  const socket: EventSocket = {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    events: () => toEvents(text().slice(0, text().lastIndexOf("\n\n") + 2)),
    text,
    isClosed: () => isClosed,
    pause: () => void incoming.pause(),
    resume: () => void incoming.resume(),
    close: Effect.sync(close)
  }
  return socket
})

/** Polls until a condition holds, in real time. The timeout distinguishes a hang from a slow machine. */
export const until = Effect.fnUntraced(function* (what: string, isSo: () => boolean, withinMs = 120_000) {
  const begun = yield* Clock.currentTimeMillis
  while (!isSo()) {
    if ((yield* Clock.currentTimeMillis) - begun > withinMs) {
      return yield* new NotInTime({ message: `${withinMs} ms were not enough: ${what}` })
    }
    yield* Effect.sleep("20 millis")
  }
})

/** The ids of the received trades. */
export const toTrades = ({ events }: EventSocket): ReadonlyArray<number> =>
  events().flatMap(({ id, name }) => (name === "trade" ? [Number(/^a(\d+)-/.exec(id ?? "")?.[1])] : []))
