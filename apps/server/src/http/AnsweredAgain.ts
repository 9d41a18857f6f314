import type { IncomingMessage, ServerResponse } from "node:http"
import { Clock, Context, Effect, Layer, Metric, Option, Tracer } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Headers, HttpTraceContext } from "effect/http"
import type { KeptAnswer, Keeping } from "../answers/KeptAnswers.ts"
import { KeptAnswers } from "../answers/KeptAnswers.ts"
import { CallerAddress } from "../keys/CallerAddress.ts"
import { countRequestIn } from "../keys/KeyMetrics.ts"
import { QuickEntry } from "../keys/QuickEntry.ts"
import { countAnswerIn } from "../observability/RequestMetrics.ts"
import { matches, withoutContent } from "./Caching.ts"
import { codeWhole, codingFor, codings, smallest, weak } from "./Compression.ts"
import type { Coding } from "./Compression.ts"
import { idOrNew } from "./RequestId.ts"
import { operationAt } from "./RouteTemplates.ts"
import { Shortcut } from "./Shortcut.ts"
import type { Answer } from "./Shortcut.ts"

/** Longer ones, and more headers, go the long way, where their limits are. */
const longestUrl = 512
const mostRawHeaders = 64
const longestHeaders = 4096

/** A URL of these characters alone says the same to everybody who reads it. */
const plainUrl = /^\/[\w./-]*(?:\?[\w.&=-]*)?$/

const keyParameter = "apiKey="

/** A question without who asks it. */
interface Question {
  readonly place: string
  readonly path: string
  /** The key in the query. */
  readonly key: string | undefined
  readonly limit: string | undefined
}

/** Undefined where it is not plain. */
const questionOf = (url: string): Question | undefined => {
  if (url.length > longestUrl || !plainUrl.test(url)) return undefined
  const query = url.indexOf("?")
  if (query < 0) return { place: url, path: url, key: undefined, limit: undefined }
  const path = url.slice(0, query)
  const pairs = url.slice(query + 1).split("&")
  const keys = pairs.filter((pair) => pair.startsWith(keyParameter))
  const others = pairs.filter((pair) => !pair.startsWith(keyParameter))
  if (keys.length > 1) return undefined
  return {
    place: others.length === 0 ? path : `${path}?${others.join("&")}`,
    path,
    key: keys[0]?.slice(keyParameter.length),
    limit: others.find((pair) => pair.startsWith("limit="))?.slice("limit=".length)
  }
}

/** Headers that are of the request and not of its answer. */
const ofRequest = new Set([
  "x-request-id",
  "ratelimit",
  "ratelimit-policy",
  "ratelimit-limit",
  "ratelimit-remaining",
  "ratelimit-reset"
])

/** As text where each character is one byte: it goes out together with the headers. */
const writtenOf = (
  { body }: HttpServerResponse.HttpServerResponse,
  { parts }: Keeping,
  bytes: number
): KeptAnswer["body"] | undefined => {
  if (body._tag !== "Uint8Array") return parts
  return body.text?.length === bytes ? body.text : [body.body]
}

/** The key that was given, where there is one and no other beside it. */
const keyOf = (inQuery: string | undefined, inHeader: string | ReadonlyArray<string> | undefined) => {
  if (inQuery !== undefined && inHeader !== undefined) return undefined
  const key = inQuery ?? inHeader
  return typeof key === "string" && key !== "" ? key : undefined
}

/** Whether nothing of a request needs a closer look. */
const isPlain = ({ headers, httpVersion, method, rawHeaders }: IncomingMessage): boolean => {
  if (method !== "GET" || httpVersion !== "1.1" || headers.host === undefined) return false
  if (rawHeaders.length > mostRawHeaders) return false
  if (headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined) return false
  let length = 0
  for (const text of rawHeaders) length += text.length
  return length <= longestHeaders
}

/** An answer in one of its forms: whole, coded, or without the body that its caller has. */
interface Form {
  readonly status: 200 | 304
  /** Names and values in turns. */
  readonly headers: ReadonlyArray<string>
  readonly body: KeptAnswer["body"]
}

/** What is made of an answer, once. */
interface Forms {
  readonly whole: Form
  readonly unmodified: Form
  /** How many callers wanted it coded so, and what came of it. */
  readonly coded: Map<Coding, { wanted: number; form?: Form }>
}

const codedForm = ({ headers }: KeptAnswer, coding: Coding, body: Buffer): Form => {
  const { etag, ...others } = headers
  const own = { ...others, "content-encoding": coding, "content-length": String(body.length) }
  return {
    status: 200,
    headers: Object.entries(etag === undefined ? own : { ...own, etag: weak(etag) }).flat(),
    body: [body]
  }
}

const made = new WeakMap<KeptAnswer, Forms>()

const formsOf = (answer: KeptAnswer): Forms => {
  const known = made.get(answer)
  if (known !== undefined) return known
  const forms: Forms = {
    whole: { status: 200, headers: Object.entries(answer.headers).flat(), body: answer.body },
    unmodified: { status: 304, headers: Object.entries(withoutContent(answer.headers)).flat(), body: "" },
    coded: new Map()
  }
  made.set(answer, forms)
  return forms
}

/** Callers who wanted a coded answer before one is made to be sent again. */
const worthCoding = 2

/** Counts a caller who was sent it so coded, the long way, which codes it while it is sent. */
const countCoded = (answer: KeptAnswer, coding: Coding): void => {
  const { coded } = formsOf(answer)
  const state = coded.get(coding) ?? { wanted: 0 }
  coded.set(coding, state)
  state.wanted += 1
  if (state.wanted === worthCoding) {
    const { body } = answer
    codeWhole(coding, typeof body === "string" ? Buffer.from(body, "latin1") : Buffer.concat(body), (whole) => {
      state.form = codedForm(answer, coding, whole)
    })
  }
}

/** The form that this caller takes, if it is there. */
const formFor = (answer: KeptAnswer, { headers }: IncomingMessage): Form | undefined => {
  if (matches(headers["if-none-match"], answer.headers["etag"] ?? "")) return formsOf(answer).unmodified
  const coding = answer.bytes < smallest ? undefined : codingFor(headers["accept-encoding"]?.toString())
  return coding === undefined ? formsOf(answer).whole : formsOf(answer).coded.get(coding)?.form
}

const put = (
  kept: KeptAnswers["Service"],
  place: string,
  { group, name, path }: NonNullable<ReturnType<typeof operationAt>>,
  keeping: Keeping,
  response: HttpServerResponse.HttpServerResponse
): KeptAnswer | undefined => {
  const { headers } = response
  const bytes = Number(headers["content-length"])
  const body = writtenOf(response, keeping, bytes)
  if (body === undefined) return undefined
  const own = Object.entries(headers).filter(([name]) => !ofRequest.has(name))
  const answer = { ...keeping, group, operation: name, route: path, headers: Object.fromEntries(own), body, bytes }
  kept.put(place, answer)
  return answer
}

/**
 * Keeps an answer, as it is before it is coded, where whoever made it has said how long it is true. `sent` is what its
 * caller gets.
 */
export const keepAnswer = (
  kept: KeptAnswers["Service"],
  request: HttpServerRequest.HttpServerRequest,
  whole: HttpServerResponse.HttpServerResponse,
  sent: HttpServerResponse.HttpServerResponse
): void => {
  const keeping = kept.saidOf(request.source)
  if (keeping === undefined || whole.status !== 200 || request.method !== "GET") return
  const question = questionOf(request.url)
  const operation = question === undefined ? undefined : operationAt(question.path)
  if (question === undefined || operation === undefined) return
  const answer = kept.find(question.place) ?? put(kept, question.place, operation, keeping, whole)
  const coding = codings.find((one) => one === sent.headers["content-encoding"])
  if (answer !== undefined && coding !== undefined) countCoded(answer, coding)
}

const send = (response: ServerResponse, { body, headers, status }: Form, ofThis: ReadonlyArray<string>): void => {
  response.writeHead(status, [...headers, ...ofThis])
  if (typeof body === "string") {
    response.end(body, "latin1")
    return
  }
  // In one go: the operating system takes as much as the reader has room for.
  response.cork()
  for (const part of body) response.write(part)
  response.end()
}

interface Sent {
  readonly request: IncomingMessage
  readonly path: string
  readonly answer: KeptAnswer
  readonly status: number
  readonly requestId: string
}

const again = Metric.counter("chaintape_http_answered_again_total", {
  description: "Requests that were answered by an answer that was kept and is still true",
  incremental: true
})

const requestLog = Effect.logInfo("request")

/** What is logged of every request. */
const logged = ({ path, requestId, status }: Sent, milliseconds: number) =>
  Effect.annotateLogs(requestLog, { method: "GET", path, status, milliseconds, requestId })

const traced = ({ answer, path, request, status }: Sent, effect: Effect.Effect<void>): Effect.Effect<void> => {
  const agent = request.headers["user-agent"]
  return effect.pipe(
    Effect.withSpan(
      "http.server GET",
      {
        kind: "server",
        parent: Option.getOrUndefined(HttpTraceContext.fromHeaders(Headers.fromInput(request.headers))),
        attributes: {
          "http.request.method": "GET",
          "http.route": answer.route,
          "url.path": path,
          "url.scheme": "http",
          "client.address": request.socket.remoteAddress,
          ...(agent === undefined ? {} : { "user_agent.original": agent }),
          "http.response.status_code": status,
          "chaintape.answered_again": true
        }
      },
      { captureStackTrace: false }
    )
  )
}

/** Whether anybody takes the spans. */
const isTraced = (context: Context.Context<never>): boolean =>
  Context.get(context, Tracer.Tracer) !== Context.get(Context.empty(), Tracer.Tracer)

/**
 * Answers a question by what was answered to it before, as long as that is true: past the routes, without waiting for
 * anything. Whatever is not plain, is refused, or has to be asked about goes the long way, and is charged for there.
 */
export const layer = Layer.effectDiscard(
  Effect.gen(function* () {
    const kept = yield* KeptAnswers
    const addresses = yield* CallerAddress
    const entry = yield* QuickEntry
    const shortcut = yield* Shortcut
    const context = yield* Effect.context<never>()
    const clock = yield* Clock.Clock
    const run = Effect.runSyncWith(context)
    const tracing = isTraced(context)

    const answerAgain: Answer = (request, response) => {
      const startedAt = clock.currentTimeMillisUnsafe()
      if (!isPlain(request)) return false
      const question = questionOf(request.url ?? "")
      const answer = question === undefined ? undefined : kept.find(question.place)
      if (question === undefined || answer === undefined) return false
      const { headers, socket } = request
      const key = keyOf(question.key, headers["api-key"])
      if (key === undefined) return false
      const form = formFor(answer, request)
      if (form === undefined) return false
      const isLarge = form.status === 200 && answer.enter !== undefined
      const leave = isLarge ? answer.enter?.() : undefined
      if (isLarge && leave === undefined) return false
      const address = addresses.behind(socket.remoteAddress ?? "", {
        forwarded: headers.forwarded,
        "x-forwarded-for": headers["x-forwarded-for"]?.toString()
      })
      const { group, operation } = answer
      const entered = entry.enter({ key, address, group, operation, limit: question.limit })
      if (entered === undefined) {
        leave?.()
        return false
      }
      if (leave !== undefined) response.on("close", leave)
      const requestId = idOrNew(headers["x-request-id"]?.toString())
      const { status } = form
      send(response, form, [...entered.headers, "x-request-id", requestId])
      const sent = { request, path: question.path, answer, status, requestId }
      const milliseconds = clock.currentTimeMillisUnsafe() - startedAt
      again.updateUnsafe(1, context)
      countRequestIn(context, entered.label, status)
      countAnswerIn(context, { route: answer.route, status, source: answer.headers["chaintape-source"], milliseconds })
      const log = logged(sent, milliseconds)
      run(tracing ? traced(sent, log) : log)
      return true
    }

    yield* shortcut.use((request, response) => {
      try {
        return answerAgain(request, response)
      } catch (defect) {
        run(Effect.logError("An answer could not be sent again", defect))
        if (!response.headersSent) return false
        response.destroy()
        return true
      }
    })
  })
)
