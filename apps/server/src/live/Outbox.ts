import { Readable } from "node:stream"
import { Effect } from "effect"
import type { Ending } from "./LiveFrame.ts"
import { endFrame } from "./LiveFrame.ts"

/** What may wait for one reader. */
export interface OutboxLimits {
  readonly bytes: number
  readonly events: number
}

export const standardLimits: OutboxLimits = { bytes: 1024 * 1024, events: 10_000 }

interface Part {
  readonly bytes: Uint8Array
  readonly events: number
}

const tooSlow: Ending = {
  reason: "too-slow",
  detail: "More events waited for this reader than are held for one: resume behind the last one, and read faster.",
  retryAfterMs: 1000
}

/**
 * What is written to one reader. The parts are shared by all readers of a feed: what waits here costs no copy.
 * `onEnd` hears why it was ended.
 */
export class Outbox extends Readable {
  readonly #limits: OutboxLimits
  readonly #onEnd: (reason: Ending["reason"]) => void
  #waiting: Array<Part> = []
  #bytes = 0
  #events = 0
  #isWanted = false
  #isEnded = false
  #onEmpty: Array<() => void> = []

  constructor(limits: OutboxLimits, onEnd: (reason: Ending["reason"]) => void) {
    super({ highWaterMark: 64 * 1024 })
    this.#limits = limits
    this.#onEnd = onEnd
  }

  /** Whether it takes nothing more. */
  get isOver(): boolean {
    return this.#isEnded || this.destroyed
  }

  /** Writes a part. A reader for whom too much waits is ended instead. */
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

  /** Tells why, and ends. What waits for a reader who is too slow is given up. */
  finish(ending: Ending): void {
    if (this.isOver) return
    this.#isEnded = true
    if (ending.reason === "too-slow") this.#waiting = []
    this.#waiting.push({ bytes: endFrame(ending), events: 0 })
    this.#onEnd(ending.reason)
    if (this.#isWanted) this.#hand()
  }

  /** Completes when nothing waits here, which is soon where the reader reads. */
  get drained(): Effect.Effect<void> {
    return Effect.callback((resume) => {
      if (this.#waiting.length === 0 || this.destroyed) return resume(Effect.void)
      this.#onEmpty.push(() => resume(Effect.void))
    })
  }

  override _read(): void {
    this.#isWanted = true
    this.#hand()
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#waiting = []
    this.#emptied()
    callback(error)
  }

  #hand(): void {
    let taken = 0
    for (const { bytes, events } of this.#waiting) {
      if (!this.#isWanted) break
      this.#isWanted = this.push(bytes)
      this.#bytes -= bytes.length
      this.#events -= events
      taken++
    }
    if (taken > 0) this.#waiting.splice(0, taken)
    if (this.#waiting.length > 0) return
    this.#bytes = 0
    this.#events = 0
    if (this.#isEnded) this.push(null)
    this.#emptied()
  }

  #emptied(): void {
    const waiting = this.#onEmpty
    this.#onEmpty = []
    for (const resume of waiting) resume()
  }
}
