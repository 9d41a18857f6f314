import { Duplex } from "node:stream"

/** One Postgres session: consumes whole frontend messages and returns backend bytes. */
export interface Session {
  readonly exec: (message: Uint8Array<ArrayBuffer>, onData: (data: Uint8Array) => void) => Promise<void>
  readonly reset: () => Promise<void>
}

export interface Engine {
  /** The session of the running engine. It ends with the engine: then every statement fails. Undefined while none runs. */
  readonly session: () => Session | undefined
}

const cancelRequest = 80_877_102
const sslRequest = 80_877_103
const terminate = 0x58

/**
 * The `stream` option of PgClient over an engine that has no socket. The engine has one session: clients take turns.
 */
export const duplexTo = (engine: Engine): (() => Duplex) => {
  let free: Promise<void> = Promise.resolve()
  return () => {
    let buffer: Buffer = Buffer.alloc(0)
    let started = false
    let closed = false
    let session: Session | undefined
    let chain: Promise<void> = Promise.resolve()
    let release = () => {}

    const begin = () => {
      started = true
      chain = free
      free = new Promise((resolve) => {
        release = resolve
      })
    }

    const run = (message: Uint8Array<ArrayBuffer>) => {
      chain = chain
        .then(() => {
          if (duplex.destroyed) return
          // Not the session of another engine, which knows nothing of a transaction that began here.
          session ??= engine.session()
          if (session === undefined) throw new Error("The embedded database is being opened again.")
          return session.exec(message, (data) => {
            if (!closed) duplex.push(data)
          })
        })
        .catch((error) => {
          duplex.destroy(error)
        })
    }

    const duplex: Duplex = new Duplex({
      read() {},
      write(chunk: Buffer, _encoding, done) {
        buffer = buffer.length === 0 ? chunk : Buffer.concat([buffer, chunk])
        let at = 0
        let end = 0 // [0, end) holds whole messages
        while (buffer.length - at >= (started ? 5 : 8)) {
          // the first packet has no type byte
          const size = started ? 1 + buffer.readInt32BE(at + 1) : buffer.readInt32BE(at)
          if (buffer.length - at < size) break
          if (started && buffer[at] === terminate) {
            // the engine outlives its client
            closed = true
            buffer = Buffer.alloc(0)
            end = 0
            duplex.push(null)
            break
          }
          if (!started) {
            const code = buffer.readInt32BE(at + 4)
            if (code === cancelRequest) {
              // cancelling is impossible: without an end the client would wait for seconds
              duplex.destroy()
              return done()
            }
            if (code === sslRequest) {
              duplex.push("N")
              buffer = buffer.subarray(size)
              continue
            }
            begin()
          }
          end = at += size
        }
        if (end > 0) {
          run(new Uint8Array(buffer.subarray(0, end)))
          buffer = Buffer.from(buffer.subarray(end))
        }
        done()
      },
      final(done) {
        closed = true
        duplex.push(null)
        done()
      },
      destroy(error, done) {
        closed = true
        if (!started) return done(error) // a cancel connection must not touch the session
        chain
          .then(() => session?.reset())
          // No client is left to report it to. An engine that has ended has no transaction to undo.
          .catch(() => {})
          .then(() => {
            release()
            done(error)
          })
      }
    })
    return duplex
  }
}
