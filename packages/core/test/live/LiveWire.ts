import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"

export interface Wire {
  readonly response: Response
  readonly send: (text: string) => Effect.Effect<void>
  readonly close: () => void
  readonly fail: () => void
  /** Even if the reader has left. */
  readonly isClosed: () => boolean
}

export const eventText = (name: string, id: string, data: object): string =>
  `event: ${name}\n${id === "" ? "" : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`

/** The response of a live stream, which a test writes in two chunks per text. */
export const liveResponse = (): Wire => {
  let isClosed = false
  let write: ReadableStreamDefaultController<Uint8Array> | undefined
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      write = controller
    },
    cancel: () => {
      isClosed = true
    }
  })
  const headers = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" }
  return {
    response: new Response(body, { headers }),
    isClosed: () => isClosed,
    send: (text) =>
      Effect.sync(() => {
        if (isClosed) return
        const bytes = new TextEncoder().encode(text)
        const middle = Math.floor(bytes.length / 2)
        write?.enqueue(bytes.subarray(0, middle))
        write?.enqueue(bytes.subarray(middle))
      }),
    close: () => {
      if (!isClosed) write?.close()
      isClosed = true
    },
    fail: () => {
      if (!isClosed) write?.error(new TypeError("terminated"))
      isClosed = true
    }
  }
}

/** Lets the bodies of responses, which no test clock drives, deliver their chunks. */
export const settled = Effect.promise(async () => {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve))
})

/** Advances the clock in steps; after each, all fibers have done their work. */
export const goOn = Effect.fnUntraced(function* (milliseconds: number, step = 1000) {
  for (let gone = 0; gone < milliseconds; gone += step) {
    yield* settled
    yield* TestClock.adjust(Math.min(step, milliseconds - gone))
    yield* settled
  }
})
