/** What a map may hold at most. */
export interface LruBounds<Value> {
  readonly entries?: number
  /** What the values may weigh together, and what one weighs for as long as it is in the map. */
  readonly weight?: { readonly most: number; readonly of: (value: Value) => number }
}

/** A map within bounds: the entry that was used longest ago is given up first. */
export class LruMap<Key, Value> {
  readonly #entries = new Map<Key, Value>()
  readonly #mostEntries: number
  readonly #mostWeight: number
  readonly #weightOf: (value: Value) => number
  #weight = 0

  constructor({ entries = Number.POSITIVE_INFINITY, weight }: LruBounds<Value>) {
    this.#mostEntries = entries
    this.#mostWeight = weight?.most ?? 0
    this.#weightOf = weight?.of ?? (() => 0)
  }

  get size(): number {
    return this.#entries.size
  }

  /** To get a value is to use it. */
  get(key: Key): Value | undefined {
    const found = this.#entries.get(key)
    if (found === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, found)
    return found
  }

  /** A value that alone outweighs the map is not kept, and takes the place of none but its own. */
  set(key: Key, value: Value): void {
    this.delete(key)
    const weight = this.#weightOf(value)
    if (weight > this.#mostWeight) return
    this.#entries.set(key, value)
    this.#weight += weight
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#mostEntries && this.#weight <= this.#mostWeight) break
      this.delete(oldest)
    }
  }

  delete(key: Key): void {
    const found = this.#entries.get(key)
    if (found === undefined) return
    this.#entries.delete(key)
    this.#weight -= this.#weightOf(found)
  }

  clear(): void {
    this.#entries.clear()
    this.#weight = 0
  }
}
