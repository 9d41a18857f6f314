import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { KeptAnswer, KeptAnswers, Keeping } from "../answers/KeptAnswers.ts"
import { matches, withoutContent } from "./Caching.ts"
import { codeWhole, codingFor, codings, smallest, weak } from "./Compression.ts"
import type { Coding } from "./Compression.ts"
import { operationAt } from "./RouteTemplates.ts"

/** Longer ones go the long way, where their limit is. */
const longestUrl = 512

/** A URL of these characters alone says the same to everybody who reads it. */
const plainUrl = /^\/[\w./-]*(?:\?[\w.&=-]*)?$/

const keyParameter = "apiKey="

/** A question without who asks it. */
export interface Question {
  readonly place: string
  readonly path: string
  /** The key in the query. */
  readonly key: string | undefined
  readonly limit: string | undefined
}

/** Undefined where it is not plain. */
export const questionOf = (url: string): Question | undefined => {
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

/** An answer in one of its forms: whole, coded, or without the body that its caller has. */
export interface Form {
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
export const formFor = (
  answer: KeptAnswer,
  { acceptEncoding, ifNoneMatch }: Readonly<Record<"acceptEncoding" | "ifNoneMatch", string | undefined>>
): Form | undefined => {
  if (matches(ifNoneMatch, answer.headers["etag"] ?? "")) return formsOf(answer).unmodified
  const coding = answer.bytes < smallest ? undefined : codingFor(acceptEncoding)
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
  if (body === undefined || !Number.isInteger(bytes)) return undefined
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
