import { Readable } from "node:stream"
import { Effect } from "effect"
import type { Ending } from "./LiveFrame.ts"
import { endFrame } from "./LiveFrame.ts"

/** The maximum that may wait for one subscriber. */
export interface SubscriberBufferLimits {
  readonly bytes: number
  readonly events: number
}

export const standardLimits: SubscriberBufferLimits = { bytes: 1024 * 1024, events: 10_000 }

/** As much as is handed over at once. */
const chunkBytes = 64 * 1024

interface Part {
  readonly bytes: Uint8Array
  readonly events: number
}

const tooSlow: Ending = {
  reason: "too-slow",
  detail: "More events waited for this reader than are held for one: resume after the last one, and read faster.",
  retryAfterMs: 1000
}

/**
 * The buffer of one subscriber. All subscribers of a feed share its parts, so buffering costs no copy. `onFinish` receives
 * the buffer and the reason when it accepts nothing more.
 */
export class SubscriberBuffer extends Readable {
  readonly #limits: SubscriberBufferLimits
  readonly #onFinish: (buffer: SubscriberBuffer, reason: Ending["reason"]) => void
  #waiting: Array<Part> = []
  #bytes = 0
  #events = 0
  #isWanted = false
  #isEnded = false
  #onEmpty: Array<() => void> = []

  constructor(limits: SubscriberBufferLimits, onFinish: (buffer: SubscriberBuffer, reason: Ending["reason"]) => void) {
    super({ highWaterMark: chunkBytes })
    this.#limits = limits
    this.#onFinish = onFinish
  }

  /** Whether it accepts nothing more. */
  get isOver(): boolean {
    return this.#isEnded || this.destroyed
  }

  /** Whether so much more takes half of the capacity at most: the next events have room, too. */
  hasRoomFor(bytes: number, events: number): boolean {
    return 2 * (this.#bytes + bytes) <= this.#limits.bytes && 2 * (this.#events + events) <= this.#limits.events
  }

  /** Appends a part. Ends the subscriber instead, if too much is buffered. */
  put(bytes: Uint8Array, events: number): void {
    if (this.isOver) return
    if (this.#bytes > this.#limits.bytes || this.#events > this.#limits.events) return this.finish(tooSlow)
    if (this.#isWanted && this.#waiting.length === 0) {
      this.#isWanted = this.push(bytes)
      return
    }
    this.#waiting.push({ bytes, events })
    this.#bytes += bytes.length
    this.#events += events
  }

  /** Sends the reason, and ends. The buffer of a subscriber that is too slow is discarded. */
  finish(ending: Ending): void {
    if (this.isOver) return
    this.#isEnded = true
    if (ending.reason === "too-slow") this.#waiting = []
    this.#waiting.push({ bytes: endFrame(ending), events: 0 })
    this.#onFinish(this, ending.reason)
    if (this.#isWanted) this.#push()
  }

  /** Completes when the buffer is empty, which is soon if the subscriber reads. */
  get drained(): Effect.Effect<void> {
    return Effect.callback((resume) => {
      if (this.#waiting.length === 0 || this.destroyed) return resume(Effect.void)
      this.#onEmpty.push(() => resume(Effect.void))
    })
  }

  override _read(): void {
    this.#isWanted = true
    this.#push()
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#waiting = []
    this.#resumeDrained()
    callback(error)
  }

  #push(): void {
    while (this.#isWanted && this.#waiting.length > 0) {
      const parts = this.#takeParts()
      this.#isWanted = this.push(parts.length === 1 ? parts[0] : Buffer.concat(parts))
    }
    if (this.#waiting.length > 0) return
    this.#bytes = 0
    this.#events = 0
    if (this.#isEnded) this.push(null)
    this.#resumeDrained()
  }

  /** The next parts: small ones together, for fewer writes. */
  #takeParts(): ReadonlyArray<Uint8Array> {
    let taken = 0
    let size = 0
    for (const { bytes, events } of this.#waiting) {
      if (size >= chunkBytes) break
      taken++
      size += bytes.length
      this.#events -= events
    }
    this.#bytes -= size
    return this.#waiting.splice(0, taken).map(({ bytes }) => bytes)
  }

  #resumeDrained(): void {
    const waiting = this.#onEmpty
    this.#onEmpty = []
    for (const resume of waiting) resume()
  }
}
