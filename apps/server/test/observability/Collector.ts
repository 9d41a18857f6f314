import { createServer } from "node:http"
import { Effect } from "effect"

export interface Received {
  readonly path: string
  readonly contentType: string
  readonly authorization: string
  readonly body: string
}

/** An OpenTelemetry collector that stores what it receives. */
export const collector = Effect.acquireRelease(
  Effect.callback<{ readonly origin: string; readonly received: Array<Received>; readonly close: () => void }>(
    (resume) => {
      const received: Array<Received> = []
      const server = createServer((request, response) => {
        const parts: Array<Buffer> = []
        request.on("data", (part: Buffer) => parts.push(part))
        request.on("end", () => {
          received.push({
            path: request.url ?? "",
            contentType: request.headers["content-type"] ?? "",
            authorization: request.headers["authorization"] ?? "",
            body: Buffer.concat(parts).toString("latin1")
          })
          response.writeHead(200, { "content-type": "application/json" }).end("{}")
        })
      })
      server.listen(0, "127.0.0.1", () => {
        const address = server.address()
        const port = typeof address === "object" && address !== null ? address.port : 0
        const close = () => {
          server.close()
          server.closeAllConnections()
        }
        resume(Effect.succeed({ origin: `http://127.0.0.1:${port}`, received, close }))
      })
    }
  ),
  ({ close }) => Effect.sync(close)
)
