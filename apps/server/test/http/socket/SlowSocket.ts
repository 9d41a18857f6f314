import { connect } from "node:net"
import { clearInterval, setInterval } from "node:timers"
import { Effect } from "effect"
import { key } from "../../RunningService.ts"

export interface SlowSocket {
  /** Everything that has arrived, in latin1. */
  readonly text: () => string
  readonly send: (path: string, headers?: Readonly<Record<string, string>>) => void
  /** Begins to read, this many bytes about every ten milliseconds. 0 stops reading. */
  readonly read: (bytes: number) => void
  /** How the connection ended: by the other side's end, or by an error. */
  readonly ended: Effect.Effect<string>
}

/** A socket that reads as slowly as the test wants, and nothing at first. */
export const slowSocket = (origin: string) =>
  Effect.acquireRelease(
    Effect.callback<{ readonly socket: SlowSocket; readonly close: () => void }>((resume) => {
      const { hostname, port } = new URL(origin)
      const parts: Array<Buffer> = []
      let pace = 0
      let [finish, timer]: [(how: string) => void, NodeJS.Timeout | undefined] = [() => {}, undefined]
      const ending = new Promise<string>((resolve) => (finish = resolve))
      const socket = connect(Number(port), hostname)
      const take = () => {
        let left = pace
        while (left > 0) {
          const part: unknown = socket.read(Math.min(left, socket.readableLength))
          if (!Buffer.isBuffer(part)) break
          parts.push(part)
          left -= part.length
        }
      }
      socket.on("error", (error) => finish(error.message))
      socket.on("end", () => finish("end"))
      socket.on("close", () => finish("closed"))
      socket.on("connect", () => {
        timer = setInterval(take, 10)
        // Without a listener of this event the stream would not read ahead.
        socket.on("readable", () => {})
        resume(
          Effect.succeed({
            close: () => {
              clearInterval(timer)
              socket.destroy()
            },
            socket: {
              text: () => Buffer.concat(parts).toString("latin1"),
              read: (bytes) => void (pace = bytes),
              send: (path, headers = {}) => {
                const lines = Object.entries({ host: "chaintape.example", "api-key": key, ...headers })
                socket.write(
                  `GET ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join("")}\r\n`
                )
              },
              ended: Effect.promise(() => ending)
            }
          })
        )
      })
    }),
    ({ close }) => Effect.sync(close)
  ).pipe(Effect.map(({ socket }) => socket))
