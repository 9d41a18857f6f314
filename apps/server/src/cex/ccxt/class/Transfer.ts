/** A market list of the largest exchanges is about 20 MB. */
const longestBody = 64 * 1024 * 1024

/** The members of a response that ccxt reads. */
interface Received {
  readonly status: number
  readonly statusText: string
  readonly headers: { readonly forEach: (visit: (value: string, name: string) => void) => void }
  readonly text: () => Promise<string>
}

interface Exchanged {
  readonly signal: AbortSignal
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
  const body = await readText(response)
  return {
    status: response.status,
    statusText: response.statusText,
    headers: response.headers,
    text: () => Promise.resolve(body)
  }
}

const readText = async (response: Response): Promise<string> => {
  if (response.body === null) return ""
  const decoder = new TextDecoder()
  const parts: Array<string> = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.byteLength
    if (size > longestBody) throw new RangeError(`the body is longer than ${longestBody} bytes`)
    parts.push(decoder.decode(chunk, { stream: true }))
  }
  parts.push(decoder.decode())
  return parts.join("")
}
