import { request } from "node:http"
import type { ClientRequest, IncomingMessage } from "node:http"
import { Effect, Schema } from "effect"

const Trade = Schema.fromJsonString(Schema.Struct({ id: Schema.String }))
const decodeTrade = Schema.decodeUnknownSync(Trade)

export interface SubscriberFigures {
  /** Trades received. */
  trades: number
  gaps: number
  /** Streams that were resumed after the last event. */
  resumes: number
  /** Trades received twice, out of order, or never. */
  readonly wrong: Array<string>
}

interface Event {
  readonly id: string | undefined
  readonly event: string
  readonly data: string
}

/** Parses server-sent events, and returns the incomplete rest. */
export const toEvents = (text: string): readonly [events: ReadonlyArray<Event>, rest: string] => {
  const blocks = text.split("\n\n")
  const rest = blocks.pop() ?? ""
  const events = blocks.map((block) => {
    const fields = new Map(block.split("\n").map((line) => [line.split(":", 1)[0], line.replace(/^\w*: ?/, "")]))
    return { id: fields.get("id"), event: fields.get("event") ?? "message", data: fields.get("data") ?? "" }
  })
  return [events, rest]
}

const reopenMs = 500

/** Follows the trades of a market, and resumes after the last event whenever the stream ends. */
class Subscriber {
  readonly #url: URL
  readonly #key: string
  readonly #figures: SubscriberFigures
  #cursor: string | undefined
  #newest: number | undefined
  #mayJump = false
  #current: ClientRequest | undefined
  #timer: NodeJS.Timeout | undefined
  #isStopped = false

  constructor(url: URL, key: string, figures: SubscriberFigures) {
    this.#url = url
    this.#key = key
    this.#figures = figures
    this.#open()
  }

  stop(): void {
    this.#isStopped = true
    clearTimeout(this.#timer)
    this.#current?.destroy()
  }

  #open(): void {
    const resumed = this.#cursor === undefined ? {} : { "last-event-id": this.#cursor }
    const { hostname, pathname, port } = this.#url
    const headers = { "api-key": this.#key, ...resumed }
    this.#current = request({ hostname, port, path: pathname, headers, agent: false }, (answer) => this.#read(answer))
    this.#current.on("error", () => {}).on("close", () => this.#reopen())
    this.#current.end()
  }

  #reopen(): void {
    if (this.#isStopped) return
    if (this.#cursor !== undefined) this.#figures.resumes += 1
    this.#timer = setTimeout(() => this.#open(), reopenMs)
  }

  #read(answer: IncomingMessage): void {
    let text = ""
    answer.setEncoding("utf8")
    answer.on("error", () => {})
    answer.on("data", (part: string) => {
      if (answer.statusCode !== 200) return
      const [events, rest] = toEvents(text + part)
      text = rest
      for (const event of events) this.#take(event)
    })
  }

  #take({ data, event, id }: Event): void {
    if (id !== undefined) this.#cursor = id
    if (event === "gap") {
      this.#figures.gaps += 1
      this.#mayJump = true
    }
    if (event !== "trade") return
    const trade = Number(decodeTrade(data).id)
    const newest = this.#newest
    if (newest !== undefined && trade !== newest + 1 && !(this.#mayJump && trade > newest)) {
      this.#figures.wrong.push(`A subscriber got trade ${trade} after ${newest}.`)
    }
    this.#newest = trade
    this.#mayJump = false
    this.#figures.trades += 1
  }
}

/** Subscribers of a market, until the scope ends. */
export const startSubscribers = Effect.fnUntraced(function* (
  origin: string,
  key: string,
  product: string,
  count: number
) {
  const figures: SubscriberFigures = { trades: 0, gaps: 0, resumes: 0, wrong: [] }
  const url = new URL(`/live/cex/sandbox/${product}/trades`, origin)
  yield* Effect.acquireRelease(
    Effect.sync(() => Array.from({ length: count }, () => new Subscriber(url, key, figures))),
    (subscribers) => Effect.sync(() => subscribers.forEach((subscriber) => subscriber.stop()))
  )
  return figures
})
