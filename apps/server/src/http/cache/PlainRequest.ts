import type { ContextualRequest } from "../request/RequestContext.ts"

/** Requests with more or longer headers take the full pipeline, which limits them. */
const maxRawHeaders = 64
const longestHeaders = 4096

/** The key of the request, if it has exactly one. */
export const findApiKey = (inQuery: string | undefined, inHeader: string | ReadonlyArray<string> | undefined) => {
  if (inQuery !== undefined && inHeader !== undefined) return undefined
  const key = inQuery ?? inHeader
  return typeof key === "string" && key !== "" ? key : undefined
}

/** Whether a request needs none of the checks of the full pipeline. */
export const isPlain = ({ headers, httpVersion, method, rawHeaders }: ContextualRequest): boolean => {
  if (method !== "GET" || httpVersion !== "1.1" || headers.host === undefined) return false
  if (rawHeaders.length > maxRawHeaders) return false
  if (headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined) return false
  let length = 0
  for (const text of rawHeaders) length += text.length
  return length <= longestHeaders
}
