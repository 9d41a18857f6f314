import { Duplex } from "node:stream"

/** Consumes whole frontend messages and returns backend bytes. */
export interface PostgresSession {
  readonly exec: (message: Uint8Array<ArrayBuffer>, onData: (data: Uint8Array) => void) => Promise<void>
  readonly reset: () => Promise<void>
}

export interface Engine {
  /** The session of the running engine. It ends with the engine: then every statement fails. Undefined while none runs. */
  readonly session: () => PostgresSession | undefined
}

const cancelRequest = 80_877_102
const sslRequest = 80_877_103
const terminate = 0x58

/** The size of the packet at the beginning of a connection, which has no type byte. Undefined if it is incomplete. */
const findFirstSize = (buffer: Buffer): number | undefined => {
  const size = buffer.length < 8 ? Infinity : buffer.readInt32BE(0)
  return size > buffer.length ? undefined : size
}

/** The end of the last whole message. Undefined if the client terminates the session: then no message counts. */
const findEnd = (buffer: Buffer, from: number): number | undefined => {
  let end = from
  while (buffer.length - end >= 5) {
    const size = 1 + buffer.readInt32BE(end + 1)
    if (buffer.length - end < size) break
    if (buffer[end] === terminate) return undefined
    end += size
  }
  return end
}

/** The turn of a client. */
interface Turn {
  /** Completes when it begins. */
  readonly begun: Promise<void>
  readonly end: () => void
}

const makeTurns = (): (() => Turn) => {
  let free: Promise<void> = Promise.resolve()
  return () => {
    const begun = free
    const { promise, resolve } = Promise.withResolvers<void>()
    free = promise
    return { begun, end: resolve }
  }
}

/** The connection of one client. */
class ClientConnection extends Duplex {
  readonly #engine: Engine
  readonly #takeTurn: () => Turn
  /** Undefined until the client has begun a session. */
  #turn: Turn | undefined
  #session: PostgresSession | undefined
  /** Completes after what was sent so far. */
  #sent: Promise<void> = Promise.resolve()
  #buffer: Buffer = Buffer.alloc(0)
  #isClosed = false

  constructor(engine: Engine, takeTurn: () => Turn) {
    super()
    this.#engine = engine
    this.#takeTurn = takeTurn
  }

  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#buffer = this.#buffer.length === 0 ? chunk : Buffer.concat([this.#buffer, chunk])
    const from = this.#turn === undefined ? this.#begin() : 0
    if (from !== undefined) this.#send(from)
    done()
  }

  override _final(done: () => void): void {
    this.#close()
    done()
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#isClosed = true
    const turn = this.#turn
    if (turn === undefined) return done(error) // a cancel connection must not touch the session
    this.#sent
      .then(() => this.#session?.reset())
      // No client is left to report it to. An engine that has ended has no transaction to undo.
      .catch(() => {})
      .then(() => {
        turn.end()
        done(error)
      })
  }

  #close(): void {
    this.#isClosed = true
    this.push(null)
  }

  /** Takes a turn when the startup message has arrived, and returns its size. */
  #begin(): number | undefined {
    let size = findFirstSize(this.#buffer)
    while (size !== undefined && this.#buffer.readInt32BE(4) === sslRequest) {
      this.push("N")
      this.#buffer = this.#buffer.subarray(size)
      size = findFirstSize(this.#buffer)
    }
    if (size === undefined) return undefined
    if (this.#buffer.readInt32BE(4) === cancelRequest) {
      // cancelling is impossible: without an end the client would wait for seconds
      this.destroy()
      return undefined
    }
    this.#turn = this.#takeTurn()
    this.#sent = this.#turn.begun
    return size
  }

  /** Sends the whole messages of the buffer, of which the first one ends behind `from`. */
  #send(from: number): void {
    const end = findEnd(this.#buffer, from)
    if (end === undefined) {
      // the engine outlives its client
      this.#buffer = Buffer.alloc(0)
      this.#close()
    } else if (end > 0) {
      this.#run(new Uint8Array(this.#buffer.subarray(0, end)))
      this.#buffer = Buffer.from(this.#buffer.subarray(end))
    }
  }

  #run(messages: Uint8Array<ArrayBuffer>): void {
    this.#sent = this.#sent
      .then(() => {
        if (this.destroyed) return
        // Not the session of another engine, which knows nothing of a transaction that began here.
        this.#session ??= this.#engine.session()
        if (this.#session === undefined) throw new Error("The embedded database is being opened again.")
        return this.#session.exec(messages, (data) => {
          if (!this.#isClosed) this.push(data)
        })
      })
      .catch((error) => {
        this.destroy(error)
      })
  }
}

/**
 * The `stream` option of PgClient over an engine that has no socket. The engine has one session: clients take turns.
 */
export const duplexTo = (engine: Engine): (() => Duplex) => {
  const takeTurn = makeTurns()
  return () => new ClientConnection(engine, takeTurn)
}
