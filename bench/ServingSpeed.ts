/** The cost of a response to the process that serves it, compared with servers that send the same bytes from memory. */
import { mkdtempSync, rmSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Schema } from "effect"
import { median } from "./Measure.ts"
import { startChild } from "./recording/Child.ts"
import { ExchangeState } from "./recording/ExchangeState.ts"
import { countProcessor } from "./recording/Processor.ts"
import { askFor } from "./serving/Caller.ts"
import { ask, checkSame, headersOfRequest, writeSent } from "./serving/Sent.ts"
import type { Question } from "./serving/Sent.ts"
import { history, install, startRecorded, startPeer, startSink } from "./serving/Servers.ts"
import type { Server } from "./serving/Servers.ts"

const rounds = Number(process.env["BENCH_ROUNDS"] ?? 9)
/** Requests until hot code is compiled. */
const warmUps = 8
/** At two trades a second: more than a recording requests. */
const historyMinutes = 500

const exchangeProgram = fileURLToPath(new URL("./recording/exchange.ts", import.meta.url))
const decodeState = Schema.decodeUnknownSync(ExchangeState)

const small = { requests: 2000, connections: 8 }
const large = { requests: 16, connections: 2 }

const questions: ReadonlyArray<Question> = [
  { name: "an exchange, from the cache", template: "/v2/cex/:exchange", path: "/v2/cex/sandbox", ...small },
  {
    name: "the last trade, from the cache",
    template: "/v2/cex/:exchange/:market/lasttrade",
    path: "/v2/cex/sandbox/BTC-USD/lasttrade",
    ...small
  },
  {
    // A body is announced, though it is empty, which bypasses the cache.
    name: "an exchange, without the cache",
    template: "/v2/cex/:exchange",
    path: "/v2/cex/sandbox",
    headers: { "content-length": "0" },
    ...small
  },
  {
    name: "the last trade, without the cache",
    template: "/v2/cex/:exchange/:market/lasttrade",
    path: "/v2/cex/sandbox/BTC-USD/lasttrade",
    headers: { "content-length": "0" },
    ...small
  },
  {
    name: "the newest 50,000 trades, from the cache",
    template: "/v2/cex/:exchange/:market/trades",
    path: `/v2/cex/sandbox/BTC-USD/trades?limit=${history}`,
    ...large
  }
]

/** CPU microseconds per request, and requests per second. */
interface Cost {
  readonly all: number
  readonly main: number
  readonly perSecond: number
  /** Rejected because the service was busy; such a request is sent again. */
  readonly refused: number
}

const measure = async (server: Server, question: Question, bytes: number): Promise<Cost> => {
  const { connections, headers = {}, path, requests } = question
  const spent = countProcessor(server.pid)
  const begun = performance.now()
  const refused = await askFor(
    server.port,
    { path, bytes, headers: { ...headersOfRequest, ...headers } },
    requests,
    connections
  )
  const seconds = (performance.now() - begun) / 1000
  const { all, main } = spent()
  return { all: (all / requests) * 1e6, main: (main / requests) * 1e6, perSecond: requests / seconds, refused }
}

const micros = (value: number) => (value < 9999 ? `${value.toFixed(1)} us` : `${(value / 1000).toFixed(2)} ms`)

const print = (names: ReadonlyArray<string>, costs: ReadonlyArray<ReadonlyArray<Cost>>) => {
  for (const [at, name] of names.entries()) {
    const own = costs[at] ?? []
    // From the same round, so that disturbances of the machine affect both.
    const ratios = own.map(({ all }, round) => all / (costs[0]?.[round]?.all ?? all))
    const of = (field: keyof Cost) => median(own.map((cost) => cost[field]))
    const refused = own.reduce((sum, cost) => sum + cost.refused, 0)
    console.log(
      `  ${name.padEnd(38)}${micros(of("all")).padStart(12)}  ${median(ratios).toFixed(2).padStart(6)}x` +
        `  main thread ${micros(of("main")).padStart(10)}  ${of("perSecond").toFixed(0).padStart(6)}/s` +
        (refused === 0 ? "" : `, ${refused} refused`)
    )
  }
}

const compare = async (servers: ReadonlyArray<Server>, question: Question): Promise<void> => {
  const [first] = servers
  if (first === undefined) return
  const expected = await ask(first.port, question.path)
  const bytes = expected.body.length
  console.log(`\n  ${question.name}: ${bytes} bytes, ${question.connections} connections, ${rounds} rounds`)
  const costs = servers.map((): Array<Cost> => [])
  for (let round = -warmUps; round < rounds; round++) {
    for (const [at, server] of servers.entries()) {
      const cost = await measure(server, question, bytes)
      if (round >= 0) costs[at]?.push(cost)
    }
  }
  print(
    servers.map(({ name }) => name),
    costs
  )
}

const startServices = async (folder: string, sink: string) => {
  const exchange = startChild(exchangeProgram, ["0.001", String(historyMinutes)], {}, join(folder, "exchange.log"))
  const opened = decodeState(await exchange.first)
  const traced = { OTEL_EXPORTER_OTLP_ENDPOINT: sink }
  const database = process.env["DATABASE_URL"]
  const redis = process.env["REDIS_URL"]
  const start = (
    name: string,
    place: string,
    env: Readonly<Record<string, string>>,
    plan: Parameters<typeof startRecorded>[4] = {}
  ) => startRecorded(name, join(folder, place), opened, env, plan)
  const services = await Promise.all([
    ...(database === undefined
      ? []
      : [start("service, PostgreSQL, traced", "server", { ...traced, DATABASE_URL: database })]),
    start("service, embedded store, traced", "traced", traced),
    start("service, embedded store, a tenth traced", "sampled", {
      ...traced,
      OTEL_TRACES_SAMPLER: "parentbased_traceidratio",
      OTEL_TRACES_SAMPLER_ARG: "0.1"
    }),
    start("service, embedded store", "plain", {}),
    start("service, a daily quota and a concurrency", "quota", {}, { perDay: 1_000_000_000, concurrency: 1000 }),
    ...(redis === undefined ? [] : [start("service, limits in Redis", "redis", { REDIS_URL: redis })])
  ])
  return { exchange, services }
}

export const servingSpeed = async (): Promise<void> => {
  console.log(
    "\nServing\n  Processor time of the serving process for a request, all of its threads; medians, and the ratio to node:http.\n" +
      "  The service checks the key, charges its limits, logs and counts; the others send its bytes from memory."
  )
  if (process.env["DATABASE_URL"] === undefined) console.log("  DATABASE_URL names no empty database to measure with.")
  install()
  const folder = mkdtempSync(join(tmpdir(), "chaintape-bench-"))
  const sink = await startSink()
  const ends: Array<() => Promise<void>> = []
  try {
    const { exchange, services } = await startServices(folder, sink.url)
    ends.push(...services.map(({ end }) => end), () => exchange.end("SIGKILL"))
    const [service] = services
    if (service === undefined) return
    const responses = await Promise.all(
      questions.map(async (question) => [question, await ask(service.port, question.path)] as const)
    )
    // A server that sends from memory does not distinguish them.
    const different = new Map(responses.map((response) => [response[0].template, response]))
    const sent = writeSent(folder, [...different.values()])
    const peers: Array<Server> = []
    for (const [kind, name] of [
      ["node", "node:http, from memory"],
      ["fastify", "fastify 5.12.8, from memory"],
      ["hono", "hono 4.13.19, from memory"]
    ] as const) {
      const peer = await startPeer(kind, name, folder, sent)
      peers.push(peer)
      ends.push(peer.end)
    }
    const servers = [...peers, ...services]
    for (const [question, response] of responses) {
      for (const { name, port } of servers) checkSame(name, question.path, response, await ask(port, question.path))
    }
    for (const question of questions) await compare(servers, question)
    console.log(
      `\n  ${sink.received()} bytes of telemetry were taken; load of the machine ${(loadavg()[0] ?? 0).toFixed(1)}`
    )
  } finally {
    for (const end of ends) await end()
    sink.end()
    rmSync(folder, { recursive: true, force: true })
  }
}
