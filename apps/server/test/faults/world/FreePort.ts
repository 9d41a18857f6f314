import { createServer } from "node:net"
import type { Server } from "node:net"
import { Effect } from "effect"

/** The address of a server. */
export const getPort = (server: Server): number => {
  const address = server.address()
  return typeof address === "object" && address !== null ? address.port : 0
}

/** A port on which nothing listens. */
export const freePort = Effect.callback<number>((resume) => {
  const server = createServer()
  server.listen(0, "127.0.0.1", () => {
    const port = getPort(server)
    server.close(() => resume(Effect.succeed(port)))
  })
})
