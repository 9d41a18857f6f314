/** The capacity of a map. */
export interface LruBounds<Value> {
  readonly entries?: number
  /** The maximum total weight of the values; a value's weight is constant while it is in the map. */
  readonly weight?: { readonly max: number; readonly of: (value: Value) => number }
}

/** A bounded map that evicts the least recently used entry. */
export class LruMap<Key, Value> {
  readonly #entries = new Map<Key, Value>()
  readonly #maxEntries: number
  readonly #maxWeight: number
  readonly #weightOf: (value: Value) => number
  #weight = 0
  /** The most recently used key; it may be deleted. */
  #newest: Key | undefined

  constructor({ entries = Number.POSITIVE_INFINITY, weight }: LruBounds<Value>) {
    this.#maxEntries = entries
    this.#maxWeight = weight?.max ?? 0
    this.#weightOf = weight?.of ?? (() => 0)
  }

  get size(): number {
    return this.#entries.size
  }

  /** Getting a value counts as use. */
  get(key: Key): Value | undefined {
    const found = this.#entries.get(key)
    if (found === undefined || key === this.#newest) return found
    this.#entries.delete(key)
    this.#entries.set(key, found)
    this.#newest = key
    return found
  }

  /** A value that exceeds the capacity by itself is not stored, and evicts no other entry. */
  set(key: Key, value: Value): void {
    this.delete(key)
    const weight = this.#weightOf(value)
    if (weight > this.#maxWeight) return
    this.#entries.set(key, value)
    this.#newest = key
    this.#weight += weight
    for (const oldest of this.#entries.keys()) {
      if (this.#entries.size <= this.#maxEntries && this.#weight <= this.#maxWeight) break
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
