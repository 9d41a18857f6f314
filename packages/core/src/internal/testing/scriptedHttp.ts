/**
 * The service over a script, as HTTP. Internal because the schema of a failure is looked up by its code, at run time.
 */
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as HttpClientError from "effect/http/HttpClientError"
import type * as HttpClientRequest from "effect/http/HttpClientRequest"
import * as HttpClientResponse from "effect/http/HttpClientResponse"
import * as Schema from "effect/Schema"
import type { Line } from "../../testing/script/Line.ts"
import type { LiveLine } from "../../testing/script/LiveScript.ts"
import { toHeaders } from "../../testing/script/MockResponse.ts"
import { WrongScript } from "../../testing/script/WrongScript.ts"
import { refuseStream } from "../live/streamRefusal.ts"
import { liveResponse } from "./liveResponse.ts"
import { decodeParameters, serveLine } from "./script.ts"

type Texts = { readonly [name: string]: string }

/** The parameters of a path, if it matches the operation. */
export const match = (template: string, path: string): Texts | undefined => {
  const parts = template.split("/")
  const texts = path.split("/")
  if (parts.length !== texts.length) return undefined
  const found: { [name: string]: string } = {}
  for (const [at, part] of parts.entries()) {
    const text = texts[at] ?? ""
    if (part.startsWith(":")) found[part.slice(1)] = decodeURIComponent(text)
    else if (part !== text) return undefined
  }
  return found
}

const find = <L extends Pick<Line, "operation">>(lines: ReadonlyArray<L>, path: string) => {
  const byPlaceholders = lines.toSorted(
    (a, b) => a.operation.path.split(":").length - b.operation.path.split(":").length
  )
  for (const line of byPlaceholders) {
    const parameters = match(line.operation.path, path)
    if (parameters !== undefined) return { line, parameters }
  }
  return undefined
}

const getQuery = (url: URL) => {
  const query: { [name: string]: string | ReadonlyArray<string> } = {}
  for (const name of url.searchParams.keys()) {
    const values = url.searchParams.getAll(name)
    query[name] = values.length === 1 ? (values[0] ?? "") : values
  }
  return query
}

const problemAnswer = (line: Line, failure: object, request: HttpClientRequest.HttpClientRequest) => {
  const code = "code" in failure ? failure.code : undefined
  const problem = line.operation.problems.find((problem) => problem.code === code)
  if (problem === undefined) {
    // A client error: only a broken connection can represent it here.
    const reason = new HttpClientError.TransportError({ request, cause: failure })
    return Effect.fail(new HttpClientError.HttpClientError({ reason }))
  }
  const wait =
    "retryAfterMs" in failure ? { "retry-after": String(Math.ceil(Number(failure.retryAfterMs) / 1000)) } : {}
  return Effect.map(Effect.orDie(Schema.encodeUnknownEffect(Schema.toCodecJson(problem))(failure)), (body) =>
    Response.json(body, { status: problem.status, headers: { "content-type": "application/problem+json", ...wait } })
  )
}

export const makeScriptedHttp = (lines: ReadonlyArray<Line>, live: ReadonlyArray<LiveLine>): HttpClient.HttpClient =>
  HttpClient.make((request, url) =>
    Effect.gen(function* () {
      const { apiKey: _key, ...query } = getQuery(url)
      const none = refuseStream(request)
      if (none !== undefined) {
        const streamed = find(live, url.pathname)
        if (streamed === undefined) return none
        const { line, parameters } = streamed
        return liveResponse(request, line, decodeParameters(line.operation, parameters, query))
      }
      const found = find(lines, url.pathname)
      if (found === undefined) {
        return yield* Effect.die(
          new WrongScript(
            `The program under test asks for "${url.pathname}", and the test does not say what it answers.`
          )
        )
      }
      const response = yield* serveLine(found.line, found.parameters, query).pipe(
        Effect.map(
          ({ body, metadata }) =>
            new Response(body, { headers: { "content-type": "application/json", ...toHeaders(metadata) } })
        ),
        Effect.catch((failure) => problemAnswer(found.line, failure, request))
      )
      return HttpClientResponse.fromWeb(request, response)
    })
  )
