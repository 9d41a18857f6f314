interface Bucket {
  tokens: number
  filledAt: number
}

export interface RateLimit {
  readonly requestsPerSecond: number
  readonly burst: number
}

const remembered = 10_000

/** A token bucket per address. Times are milliseconds since 1970. */
export class TokenBuckets {
  readonly #limit: RateLimit
  readonly #buckets = new Map<string, Bucket>()

  constructor(limit: RateLimit) {
    this.#limit = limit
  }

  take(address: string, now: number): boolean {
    const bucket = this.#refilled(address, now)
    if (bucket.tokens < 1) return false
    bucket.tokens--
    return true
  }

  #refilled(address: string, now: number): Bucket {
    const found = this.#buckets.get(address)
    if (found !== undefined) {
      const earned = (Math.max(0, now - found.filledAt) * this.#limit.requestsPerSecond) / 1000
      found.tokens = Math.min(this.#limit.burst, found.tokens + earned)
      found.filledAt = now
      return found
    }
    if (this.#buckets.size >= remembered) this.#buckets.clear()
    const created = { tokens: this.#limit.burst, filledAt: now }
    this.#buckets.set(address, created)
    return created
  }
}
