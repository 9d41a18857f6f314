/** What a cache keeps, and how long it holds. Internal because the identity of a read says its type, which a cast restores. */
import * as Effect from "effect/Effect"
import * as Headers from "effect/http/Headers"
import * as HttpClientRequest from "effect/http/HttpClientRequest"
import type * as Operation from "../api/Operation.ts"
import * as Answer from "../client/Answer.ts"
import type { Kept, Received, Revalidation } from "./revalidation.ts"

interface Entry extends Kept {
  /** When it was asked for, in Unix milliseconds. */
  readonly asked: number
  /** Unix milliseconds until which the service need not be asked. */
  readonly freshUntil: number
}

const directives = (headers: Headers.Headers): ReadonlyMap<string, string> =>
  new Map(
    (headers["cache-control"] ?? "").split(",").map((part): [string, string] => {
      const [name = "", value = ""] = part.trim().toLowerCase().split("=", 2)
      return [name, value.replaceAll('"', "")]
    })
  )

/** Unix milliseconds until which the answer to a request of the time `asked` holds; undefined where it may not be kept. */
const freshUntil = (headers: Headers.Headers, asked: number): number | undefined => {
  const said = directives(headers)
  if (said.has("no-store")) return undefined
  if (said.has("no-cache")) return asked
  const maxAge = said.get("max-age")
  if (maxAge === undefined) return said.has("immutable") ? Infinity : asked
  const age = headers["age"] ?? "0"
  return /^\d+$/.test(maxAge) && /^\d+$/.test(age) ? asked + (Number(maxAge) - Number(age)) * 1000 : asked
}

/** What tells of the value. The rest, such as the id of the request, belongs to one answer only. */
const ofValue = (headers: Headers.Headers): Headers.Headers =>
  Headers.fromInput(Object.entries(headers).filter(([name]) => name === "etag" || name.startsWith("chaintape-")))

/** Whoever compresses an answer on its way makes its tag a weak one. */
const isSameTag = (left: string, right: string): boolean => left.replace(/^W\//, "") === right.replace(/^W\//, "")

/** Asks whether what is known still holds, where there is something, and keeps what is answered. */
export const revalidating = (known: Kept | undefined, keep: (answer: Kept) => void): Revalidation => {
  const etag = known?.headers["etag"]
  const confirmed = ([{ headers, status }]: Received): Kept | undefined =>
    status === 304 && known !== undefined && etag !== undefined && isSameTag(headers["etag"] ?? etag, etag)
      ? { ...known, headers: Headers.merge(known.headers, headers) }
      : undefined
  return Effect.fnUntraced(function* (request, execute, read) {
    const asked = yield* execute(
      etag === undefined ? request : HttpClientRequest.setHeader(request, "if-none-match", etag)
    )
    // What has not changed is not what there is already.
    const again = confirmed(asked) === undefined && asked[0].status === 304
    const answer = confirmed(asked) ?? (yield* read(again ? yield* execute(request) : asked))
    keep(answer)
    return answer
  })
}

/** An answer without a request. */
export const answerOf = <Op extends Operation.Any>(
  operation: Op,
  { headers, value }: Kept
): Answer.Answer<Operation.Success<Op>> =>
  Answer.makeWith(value as Operation.Success<Op>, headers, operation.proof?.(headers))

/** The answers that were used last, within bounds. */
export const makeKeptAnswers = (bounds: { readonly entries: number; readonly bytes: number }) => {
  const entries = new Map<string, Entry>() // the one used longest ago first
  let bytes = 0

  const remove = (identity: string) => {
    bytes -= entries.get(identity)?.size ?? 0
    entries.delete(identity)
  }

  return {
    find: (identity: string): Entry | undefined => {
      const entry = entries.get(identity)
      if (entry === undefined) return undefined
      entries.delete(identity)
      entries.set(identity, entry)
      return entry
    },
    keep: (identity: string, { headers, size, value }: Kept, asked: number): void => {
      remove(identity)
      const until = freshUntil(headers, asked)
      if (until === undefined || (until <= asked && headers["etag"] === undefined) || size > bounds.bytes) return
      entries.set(identity, { value, headers: ofValue(headers), size, asked, freshUntil: until })
      bytes += size
      for (const oldest of entries.keys()) {
        if (entries.size <= bounds.entries && bytes <= bounds.bytes) return
        remove(oldest)
      }
    }
  }
}
