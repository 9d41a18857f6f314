import { createServer, request } from "node:http"
import type { IncomingMessage, RequestListener, ServerResponse } from "node:http"
import { Effect, Schema } from "effect"

/** Forwards a request to the service. */
export const passOn = (service: URL, incoming: IncomingMessage, outgoing: ServerResponse) => {
  const headers = { ...incoming.headers, host: service.host }
  const { hostname, port } = service
  const { method = "GET", url = "/" } = incoming
  const asked = request({ hostname, port, method, path: url, headers }, (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(outgoing)
  })
  asked.on("error", () => outgoing.destroy())
  // A live stream has no end of its own.
  outgoing.on("close", () => asked.destroy())
  incoming.pipe(asked)
}

const Listening = Schema.Struct({ port: Schema.Int })

/** A server on a port of its own, until the scope closes, and its address. */
export const listen = Effect.fnUntraced(function* (listener: RequestListener) {
  const server = yield* Effect.acquireRelease(
    Effect.sync(() => createServer(listener)),
    (open) =>
      Effect.sync(() => {
        open.closeAllConnections()
        open.close()
      })
  )
  yield* Effect.callback<void>((resume) => {
    server.listen(0, "127.0.0.1", () => resume(Effect.void))
  })
  const { port } = yield* Schema.decodeUnknownEffect(Listening)(server.address())
  return { origin: `http://127.0.0.1:${port}`, server }
})

/** A way to the service that can be closed: open connections, streams too, break then. */
export const makeDoor = Effect.fnUntraced(function* (service: string) {
  let isOpen = true
  const { origin, server } = yield* listen((incoming, outgoing) => {
    if (isOpen) passOn(new URL(service), incoming, outgoing)
    else incoming.socket.destroy()
  })
  return {
    origin,
    setOpen: (wanted: boolean) =>
      Effect.sync(() => {
        isOpen = wanted
        if (!wanted) server.closeAllConnections()
      })
  }
})
