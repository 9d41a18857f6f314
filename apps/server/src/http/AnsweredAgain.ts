import type { IncomingMessage, ServerResponse } from "node:http"
import { Clock, Context, Effect, Layer, Metric, Option, Tracer } from "effect"
import { Headers, HttpTraceContext } from "effect/http"
import type { KeptAnswer } from "../answers/KeptAnswers.ts"
import { KeptAnswers } from "../answers/KeptAnswers.ts"
import { monotonicMillisOf } from "../internal/monotonic.ts"
import { CallerAddress } from "../keys/CallerAddress.ts"
import { countRequestIn } from "../keys/KeyMetrics.ts"
import { QuickEntry } from "../keys/QuickEntry.ts"
import { countAnswerIn } from "../observability/RequestMetrics.ts"
import { formFor, questionOf } from "./KeptForms.ts"
import type { Form } from "./KeptForms.ts"
import { idOrNew } from "./RequestId.ts"
import { Shortcut } from "./Shortcut.ts"
import type { Answer } from "./Shortcut.ts"

/** More and longer headers go the long way, where their limits are. */
const mostRawHeaders = 64
const longestHeaders = 4096

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
      const startedAt = monotonicMillisOf(clock)
      if (!isPlain(request)) return false
      const question = questionOf(request.url ?? "")
      const answer = question === undefined ? undefined : kept.find(question.place)
      if (question === undefined || answer === undefined) return false
      const { headers, socket } = request
      const key = keyOf(question.key, headers["api-key"])
      if (key === undefined) return false
      const form = formFor(answer, {
        acceptEncoding: headers["accept-encoding"]?.toString(),
        ifNoneMatch: headers["if-none-match"]
      })
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
      const milliseconds = monotonicMillisOf(clock) - startedAt
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
