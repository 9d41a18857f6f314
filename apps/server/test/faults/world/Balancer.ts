import { Agent, createServer, request } from "node:http"
import type { ClientRequest, IncomingMessage, ServerResponse } from "node:http"
import { Effect, Predicate } from "effect"
import { getPort } from "./FreePort.ts"

export interface BalancerCounts {
  /** Requests forwarded to an instance. */
  sent: number
  /** GET requests sent once more, because the connection broke before a byte of the response. */
  again: number
  /** Responses that broke off after their first byte. */
  broken: number
  /** Requests for which there was no instance. */
  nowhere: number
}

interface Instance {
  readonly port: number
  readonly agent: Agent
  readonly pending: Set<ClientRequest>
  /** Gone: nothing listens there. Silent: it accepted the connection, and did not respond in time. */
  state: "up" | "silent" | "gone"
}

const host = "127.0.0.1"
const probeMs = 500
const patienceMs = 3000
const maxTries = 3

const isRefused = (error: unknown) => Predicate.hasProperty(error, "code") && error.code === "ECONNREFUSED"

/** Checks whether an instance is alive. Requests waiting for one that is not are ended if others are. */
const probe = (instance: Instance, all: ReadonlyArray<Instance>) => {
  const turn = (state: Instance["state"]) => {
    instance.state = state
    if (state === "up" || !all.some((other) => other.state === "up")) return
    for (const pending of instance.pending) pending.destroy(new Error("The instance is down."))
  }
  const { port } = instance
  const asked = request({ host, port, path: "/health/live", agent: false, timeout: patienceMs }, (answer) => {
    answer.resume()
    turn(answer.statusCode === 200 ? "up" : "silent")
  })
  asked.on("timeout", () => asked.destroy(new Error("The instance does not answer.")))
  asked.on("error", (error) => turn(isRefused(error) ? "gone" : "silent"))
  asked.end()
}

/** Distributes requests over instances in turn. */
class Forwarding {
  readonly counts: BalancerCounts = { sent: 0, again: 0, broken: 0, nowhere: 0 }
  readonly instances: ReadonlyArray<Instance>
  #turn = 0

  constructor(ports: ReadonlyArray<number>) {
    this.instances = ports.map((port) => ({
      port,
      agent: new Agent({ keepAlive: true, timeout: 120_000 }),
      pending: new Set(),
      state: "gone"
    }))
  }

  /** One that is alive; if none is, one that may only be slow. */
  #next(): Instance | undefined {
    const of = (state: Instance["state"]) => this.instances.filter((instance) => instance.state === state)
    const candidates = of("up").length > 0 ? of("up") : of("silent")
    return candidates[this.#turn++ % Math.max(1, candidates.length)]
  }

  forward(incoming: IncomingMessage, outgoing: ServerResponse, tries = 1): void {
    const instance = this.#next()
    if (instance === undefined) {
      this.counts.nowhere += 1
      return void outgoing.writeHead(503, { "x-balancer": "nowhere" }).end()
    }
    this.counts.sent += 1
    const { headers, method, url } = incoming
    const { agent, pending, port } = instance
    const sent = request({ host, port, agent, method, path: url, headers }, (answer) => {
      // The keep-alive of an instance's connection is independent of the balancer's own.
      const { connection: _, "keep-alive": __, ...end } = answer.headers
      outgoing.writeHead(answer.statusCode ?? 502, end)
      answer.on("error", () => {
        this.counts.broken += 1
        outgoing.destroy()
      })
      answer.pipe(outgoing)
    })
    pending.add(sent)
    sent.on("close", () => pending.delete(sent))
    sent.on("error", (error) => {
      if (isRefused(error)) instance.state = "gone"
      // A response that broke after its first byte fails, and a client that has gone needs none.
      if (outgoing.headersSent || outgoing.destroyed) return
      if (method !== "GET" || tries >= maxTries) return void outgoing.writeHead(502, { "x-balancer": "broken" }).end()
      this.counts.again += 1
      this.forward(incoming, outgoing, tries + 1)
    })
    outgoing.on("close", () => sent.destroy())
    if (method === "GET") sent.end()
    else incoming.pipe(sent)
  }
}

/**
 * A load balancer for several instances. It uses those that answer `/health/live`, and ends requests that wait for one
 * that no longer does while others do. Only a GET whose connection broke before a byte is sent once more.
 */
export const startBalancer = Effect.fnUntraced(function* (ports: ReadonlyArray<number>) {
  const forwarding = new Forwarding(ports)
  const server = createServer((incoming, outgoing) => forwarding.forward(incoming, outgoing))
  const probeAll = () => forwarding.instances.forEach((instance) => probe(instance, forwarding.instances))
  yield* Effect.acquireRelease(
    Effect.callback<NodeJS.Timeout>(
      (resume) => void server.listen(0, host, () => resume(Effect.sync(() => setInterval(probeAll, probeMs))))
    ),
    (timer) =>
      Effect.callback<void>((resume) => {
        clearInterval(timer)
        server.close(() => resume(Effect.void))
        server.closeAllConnections()
        for (const { agent } of forwarding.instances) agent.destroy()
      })
  )
  return {
    origin: `http://${host}:${getPort(server)}`,
    counts: forwarding.counts,
    isUp: (at: number) => forwarding.instances[at]?.state === "up",
    /** Requests that wait for an instance's response, or for the rest of it; streams never end, and are not counted. */
    inFlight: (at: number) =>
      [...(forwarding.instances[at]?.pending ?? [])].filter(({ path }) => !path.startsWith("/live/")).length
  }
})
