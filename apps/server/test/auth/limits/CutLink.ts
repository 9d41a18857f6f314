import { connect, createServer } from "node:net"
import type { Socket } from "node:net"
import { Effect, Predicate } from "effect"

/** The state of a link: open, reset, silently dropping everything, or open to new connections alone. */
export type Way = "open" | "closed" | "silent" | "half-open"

/** A TCP proxy in front of a server, which a test can cut. It ends with the scope. */
export const cutLink = (target: URL) =>
  Effect.gen(function* () {
    const sockets = new Set<Socket>()
    const lost = new WeakSet<Socket>()
    let way: Way = "open"
    const keep = (socket: Socket) => {
      sockets.add(socket)
      socket.on("close", () => sockets.delete(socket)).on("error", () => {})
    }
    const proxy = createServer((near) => {
      keep(near)
      if (way === "closed") return void near.destroy()
      const far = connect(Number(target.port || (target.protocol === "redis:" ? 6379 : 5432)), target.hostname)
      keep(far)
      const passes = () => way !== "silent" && !lost.has(near)
      near.on("data", (bytes) => (passes() ? far.write(bytes) : undefined))
      far.on("data", (bytes) => (passes() ? near.write(bytes) : undefined))
      near.on("close", () => far.destroy())
      far.on("close", () => (passes() ? near.destroy() : undefined))
    })
    yield* Effect.acquireRelease(
      Effect.callback<void>((resume) => void proxy.listen(0, "127.0.0.1", () => resume(Effect.void))),
      () =>
        Effect.callback<void>((resume) => {
          proxy.close(() => resume(Effect.void))
          for (const socket of sockets) socket.destroy()
        })
    )
    const address = proxy.address()
    const port = Predicate.isObject(address) ? address.port : 0
    const url = new URL(target)
    url.host = `127.0.0.1:${port}`
    return {
      url,
      turn: (next: Way) =>
        Effect.sync(() => {
          way = next
          if (next === "half-open") for (const socket of sockets) lost.add(socket)
          else if (next !== "silent") for (const socket of sockets) socket.destroy()
        })
    }
  })
