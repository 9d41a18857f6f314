import { makeJsonMeter } from "../../../sources/JsonMeter.ts"
import type { ResponseBounds } from "../../../sources/JsonMeter.ts"
import { failure } from "./RawExchange.ts"

/** A page of 10,000 trades, more than any exchange sends, is about 3 MB. */
export const pageBounds: ResponseBounds = { bytes: 8 * 1024 * 1024, values: 250_000 }
/** The lists of markets of the largest exchanges are about 20 MB. */
export const marketsBounds: ResponseBounds = { bytes: 64 * 1024 * 1024, values: 2_000_000 }

/** The members of a response that ccxt reads. */
interface Received {
  readonly status: number
  readonly statusText: string
  readonly headers: { readonly forEach: (visit: (value: string, name: string) => void) => void }
  readonly text: () => Promise<string>
}

/** A request, and what its response says of it. */
export interface Exchanged {
  readonly signal: AbortSignal
  readonly bounds: ResponseBounds
  status: number | undefined
  retryAfter: string | undefined
}

/** One request, whose body is read to the end under the same timeout (ccxt itself stops its timer at the headers). */
export const transfer = async (url: string, init: RequestInit, call: Exchanged): Promise<Received> => {
  call.status = undefined
  call.retryAfter = undefined
  const signals = init.signal == null ? [call.signal] : [call.signal, init.signal]
  const response = await fetch(url, {
    ...(init.method === undefined ? {} : { method: init.method }),
    ...(init.headers === undefined ? {} : { headers: init.headers }),
    ...(init.body == null ? {} : { body: init.body }),
    redirect: "error",
    signal: AbortSignal.any(signals)
  })
  call.status = response.status
  call.retryAfter = response.headers.get("retry-after") ?? undefined
  const body = await readText(response, call.bounds)
  return {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
    text: () => Promise.resolve(body)
  }
}

const readText = async (response: Response, bounds: ResponseBounds): Promise<string> => {
  if (response.body === null) return ""
  const decoder = new TextDecoder()
  const parts: Array<string> = []
  const excess = makeJsonMeter(bounds)
  for await (const chunk of response.body) {
    const found = excess(chunk)
    if (found !== undefined) throw failure("BadBody", `the exchange sent ${found}`)
    parts.push(decoder.decode(chunk, { stream: true }))
  }
  parts.push(decoder.decode())
  return parts.join("")
}
