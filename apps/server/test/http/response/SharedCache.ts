import type { Call, Reply } from "../../HttpCall.ts"

/** What RFC 9110, 15.1 lets a cache store without any word of the server. */
const heuristic = [200, 203, 204, 206, 300, 301, 308, 404, 405, 410, 414, 501]

const toDirectives = ({ headers }: Reply): ReadonlyMap<string, string> =>
  new Map(
    (headers["cache-control"] ?? "").split(",").map((part) => {
      const [name = "", value = ""] = part.trim().toLowerCase().split("=")
      return [name, value]
    })
  )

/** What a shared cache makes of a response (RFC 9111, 3 and 4.2): whether it stores it, and whether it asks again. */
export type Storage = "nothing" | "asks again" | "never asks again"

/** A cache that stores everything that it may, as the least careful of them do. */
export const storageOf = ({ method = "GET" }: Call, reply: Reply): Storage => {
  const directives = toDirectives(reply)
  const isExplicit = directives.has("public") || directives.has("max-age") || directives.has("s-maxage")
  if (method !== "GET" && method !== "HEAD") return "nothing"
  if (directives.has("no-store") || directives.has("private")) return "nothing"
  if (!isExplicit && !heuristic.includes(reply.status)) return "nothing"
  return directives.has("immutable") && !directives.has("no-cache") ? "never asks again" : "asks again"
}
