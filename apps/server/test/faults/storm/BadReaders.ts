import { request } from "node:http"
import type { IncomingMessage } from "node:http"
import { connect } from "node:net"
import { Effect, Random } from "effect"

export interface BadReaderFigures {
  requests: number
  readonly statuses: Record<number, number>
  /** Responses that are neither a success nor a typed problem, and problems of unexpected errors. */
  readonly wrong: Array<string>
}

interface Target {
  readonly origin: string
  readonly key: string
  readonly product: string
  readonly figures: BadReaderFigures
}

/** What a reader does with a response; ends the request when it returns true. */
type Reading = (answer: IncomingMessage, part: Buffer) => boolean

interface Asked {
  readonly path: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly reading?: Reading
  readonly forMs: number
}

const note = ({ figures }: Target, path: string, { headers, statusCode = 0 }: IncomingMessage) => {
  figures.statuses[statusCode] = (figures.statuses[statusCode] ?? 0) + 1
  const isTyped = statusCode < 400 || headers["content-type"] === "application/problem+json"
  if (statusCode === 500 || !isTyped) figures.wrong.push(`${statusCode} ${headers["content-type"]} at ${path}`)
}

const readOn: Reading = () => false

/** Asks from an address of its own, reads in its own way, and leaves after its time at the latest. */
const ask = (target: Target, { forMs, headers, method = "GET", path, reading = readOn }: Asked) =>
  Effect.gen(function* () {
    const address = `198.51.100.${yield* Random.nextIntBetween(1, 254)}`
    target.figures.requests += 1
    yield* Effect.callback<void>((resume) => {
      const { hostname, port } = new URL(target.origin)
      const all = { "api-key": target.key, "x-forwarded-for": address, ...headers }
      const outgoing = request({ hostname, port, path, method, headers: all, agent: false }, (answer) => {
        note(target, path, answer)
        answer.on("error", () => {})
        answer.on("data", (part: Buffer) => {
          if (reading(answer, part)) outgoing.destroy()
        })
      })
      outgoing.on("error", () => {}).on("close", () => resume(Effect.void))
      outgoing.end()
      const timer = setTimeout(() => outgoing.destroy(), forMs)
      return Effect.sync(() => {
        clearTimeout(timer)
        outgoing.destroy()
      }).pipe(Effect.asVoid)
    })
  })

/** Writes bytes, reads nothing, and leaves when the service closes the connection or after its time. */
const say = ({ figures, origin }: Target, bytes: string, forMs: number) =>
  Effect.callback<void>((resume) => {
    const { hostname, port } = new URL(origin)
    figures.requests += 1
    const socket = connect(Number(port), hostname, () => socket.write(bytes))
    socket.on("error", () => {}).on("close", () => resume(Effect.void))
    const timer = setTimeout(() => socket.destroy(), forMs)
    return Effect.sync(() => {
      clearTimeout(timer)
      socket.destroy()
    })
  })

const pauseFor =
  (ms: number): Reading =>
  (answer) => {
    answer.pause()
    setTimeout(() => answer.resume(), ms).unref()
    return false
  }

const stopReading: Reading = (answer) => {
  answer.pause()
  return false
}

const large = (product: string) => `/v2/cex/sandbox/${product}/trades?limit=50000`
const stream = (product: string) => `/live/cex/sandbox/${product}/trades`

const greedy = (product: string) => [
  `/v2/cex/sandbox/${product}/trades?limit=1e12`,
  `/v2/cex/sandbox/${product}/trades?limit=99999999999999999999`,
  "/v2/dex/uniswap-v3/devnet/tokens?limit=1000&skip=9007199254740991",
  "/v2/dex/uniswap-v3/devnet/pools?limit=1000&skip=999999999",
  "/v2/blocks/devnet?limit=1000&skip=999999999",
  "/v2/blocks/devnet?limit=1000&from=0&to=99999999999999"
]

type Act = (target: Target, dice: number) => Effect.Effect<void>

/** Each way to misbehave; `dice` is below 1. */
const acts: ReadonlyArray<Act> = [
  (target) => ask(target, { path: large(target.product), reading: stopReading, forMs: 25_000 }),
  (target) => ask(target, { path: large(target.product), reading: pauseFor(250), forMs: 25_000 }),
  (target, dice) => ask(target, { path: large(target.product), forMs: 20 + dice * 400 }),
  (target) => ask(target, { path: large(target.product), reading: () => true, forMs: 10_000 }),
  (target, dice) =>
    ask(target, { path: "/v2/cex/exchanges", headers: { "api-key": `chaintape_wrong-${dice}` }, forMs: 5000 }),
  (target, dice) => {
    const paths = greedy(target.product)
    return ask(target, { path: paths[Math.floor(dice * paths.length)] ?? "", forMs: 10_000 })
  },
  (target) => ask(target, { path: stream(target.product), reading: stopReading, forMs: 30_000 }),
  (target) => ask(target, { path: stream(target.product), reading: () => true, forMs: 10_000 }),
  (target) => ask(target, { path: stream(target.product), headers: { "last-event-id": "not-a-cursor" }, forMs: 5000 }),
  (target) => ask(target, { path: "/ping", method: "BREW", forMs: 5000 }),
  (target) => say(target, "GET /v2/cex/exchanges HTT", 30_000),
  (target) => say(target, "POST /ping HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\nx", 30_000),
  (target) => say(target, `GET /openapi.json HTTP/1.1\r\nHost: x\r\napi-key: ${target.key}\r\n\r\n`.repeat(50), 20_000)
]

const pauseMs = 500

/** Readers who misbehave in random ways until the scope ends. */
export const startBadReaders = Effect.fnUntraced(function* (given: Omit<Target, "figures">, count: number) {
  const figures: BadReaderFigures = { requests: 0, statuses: {}, wrong: [] }
  const target = { ...given, figures }
  const misbehave = Effect.gen(function* () {
    const act = acts[yield* Random.nextIntBetween(0, acts.length - 1)]
    if (act !== undefined) yield* act(target, yield* Random.next)
    yield* Effect.sleep(pauseMs)
  })
  yield* Effect.forEach(Array.from({ length: count }), () => Effect.forkScoped(Effect.forever(misbehave)))

  return { figures }
})
