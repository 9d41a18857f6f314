import { createServer } from "node:http"
import type { IncomingMessage, ServerResponse } from "node:http"
import { Effect, Schema } from "effect"

/** The response of a stub to one request. */
export interface StubAnswer {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
  /** Closes the connection in the middle of the body. */
  readonly cut?: boolean
  /** Never responds. */
  readonly hang?: boolean
}

export interface Stub {
  readonly rest: string
  /** Path and query of every request so far. */
  readonly requests: Array<string>
  /** The number of open requests now, and its maximum. */
  readonly open: { now: number; max: number }
}

export type Answer = (path: string, query: URLSearchParams) => StubAnswer | Promise<StubAnswer>

export const json = (value: unknown): StubAnswer => ({ body: JSON.stringify(value) })

const respond = (answer: StubAnswer, response: ServerResponse): void => {
  if (answer.hang === true) return
  const headers = { "content-type": "application/json", ...answer.headers }
  if (answer.cut === true) {
    response.writeHead(200, { ...headers, "content-length": String(answer.body.length + 100) })
    response.write(answer.body, () => response.destroy())
    return
  }
  response.writeHead(answer.status ?? 200, headers)
  response.end(answer.body)
}

/** A server on a free loopback port with scripted responses, until the scope closes. */
export const stubExchange = (answer: Answer) =>
  Effect.acquireRelease(
    Effect.callback<Stub & { readonly close: () => void }>((resume) => {
      const requests: Array<string> = []
      const open = { now: 0, max: 0 }
      const handle = (request: IncomingMessage, response: ServerResponse) => {
        const url = new URL(request.url ?? "/", "http://stub")
        requests.push(`${url.pathname}${url.search}`)
        open.now++
        open.max = Math.max(open.max, open.now)
        response.on("close", () => open.now--)
        Promise.resolve(answer(url.pathname, url.searchParams)).then(
          (reply) => respond(reply, response),
          (error) => {
            response.writeHead(599)
            response.end(String(error))
          }
        )
      }
      const server = createServer(handle).listen(0, "127.0.0.1", () => {
        const { port } = Schema.decodeUnknownSync(Schema.Struct({ port: Schema.Int }))(server.address())
        const close = () => {
          server.closeAllConnections()
          server.close()
        }
        resume(Effect.succeed({ rest: `http://127.0.0.1:${port}`, requests, open, close }))
      })
    }),
    ({ close }) => Effect.sync(close)
  )
