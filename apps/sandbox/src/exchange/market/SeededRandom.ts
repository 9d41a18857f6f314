/** A 32-bit hash of a text (FNV-1a), for seeds that are derived from names. */
export const hashText = (text: string): number => {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}

/**
 * A reproducible random generator ("sfc32") whose state belongs to its owner: the tape must depend on the seed alone,
 * and not on the order in which fibers draw.
 */
export class SeededRandom {
  #a: number
  #b: number
  #c: number
  #counter = 1

  constructor(seed: string) {
    this.#a = hashText(`${seed}#a`)
    this.#b = hashText(`${seed}#b`)
    this.#c = hashText(`${seed}#c`)
    for (let round = 0; round < 12; round++) this.next()
  }

  /** A 32-bit unsigned integer. */
  next(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0
    this.#counter = (this.#counter + 1) | 0
    this.#a = this.#b ^ (this.#b >>> 9)
    this.#b = (this.#c + (this.#c << 3)) | 0
    this.#c = ((this.#c << 21) | (this.#c >>> 11)) + sum
    this.#c |= 0
    return sum >>> 0
  }

  /** From 0 inclusive to 1 exclusive. */
  fraction(): number {
    return this.next() / 4_294_967_296
  }

  /** An integer, both ends inclusive. */
  between(low: number, high: number): number {
    return low + Math.floor(this.fraction() * (high - low + 1))
  }

  chance(probability: number): boolean {
    return this.fraction() < probability
  }
}
