interface Entry<Value> {
  readonly value: Value
  previous: Entry<Value> | undefined
  next: Entry<Value> | undefined
  isRemoved: boolean
}

/**
 * Values in the order of their addition, each of which can be removed at constant cost. For values that live as long as one
 * request, in place of a `Set`: V8 links each table of a set to the table that replaces it, so that one table in the old
 * generation retains the values of all later tables until the whole heap is collected. A removed entry refers to no other.
 */
export class LinkedList<Value> {
  #first: Entry<Value> | undefined
  #last: Entry<Value> | undefined
  #size = 0

  get size(): number {
    return this.#size
  }

  /** Returns a function that removes the value. */
  add(value: Value): () => void {
    const entry: Entry<Value> = { value, previous: this.#last, next: undefined, isRemoved: false }
    if (this.#last === undefined) this.#first = entry
    else this.#last.next = entry
    this.#last = entry
    this.#size += 1
    return () => this.#remove(entry)
  }

  /** The values of now: they may be removed meanwhile. */
  toArray(): Array<Value> {
    const values: Array<Value> = []
    for (let entry = this.#first; entry !== undefined; entry = entry.next) values.push(entry.value)
    return values
  }

  #remove(entry: Entry<Value>): void {
    if (entry.isRemoved) return
    const { next, previous } = entry
    if (previous === undefined) this.#first = next
    else previous.next = next
    if (next === undefined) this.#last = previous
    else next.previous = previous
    entry.previous = undefined
    entry.next = undefined
    entry.isRemoved = true
    this.#size -= 1
  }
}
