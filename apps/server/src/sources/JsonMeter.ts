/** The limits of one response of an upstream. */
export interface ResponseBounds {
  readonly bytes: number
  /** Members and elements: three bytes of text, such as `[],`, become an object of a hundred. */
  readonly values: number
}

/** No response of an exchange, a node or a subgraph is nested as deep, and code that descends into one needs little stack. */
const deepest = 64

const quote = 0x22
const backslash = 0x5c
const comma = 0x2c
/** A bracket or a brace, without the bit that distinguishes them. */
const opening = 0x5b
const closing = 0x5d

/** The position of a byte, or the length if there is none. */
const findByte = (chunk: Uint8Array, byte: number, from: number): number => {
  const found = chunk.indexOf(byte, from)
  return found < 0 ? chunk.length : found
}

/** Measures a JSON text while its bytes arrive. Returns how it exceeds its bounds, as the end of a sentence. */
export const makeJsonMeter = ({ bytes: maxBytes, values: maxValues }: ResponseBounds) => {
  let bytes = 0
  let values = 0
  let depth = 0
  let isText = false
  let isEscaped = false

  return (chunk: Uint8Array): string | undefined => {
    bytes += chunk.length
    if (bytes > maxBytes) return `more than ${maxBytes} bytes in one answer`
    /** The first backslash after the position; responses without one are searched once. */
    let nextBackslash = findByte(chunk, backslash, 0)

    /** The position after the text that `from` is in, or the length of the chunk. */
    const skipText = (from: number): number => {
      let at = from
      if (isEscaped && at < chunk.length) {
        isEscaped = false
        at++
      }
      for (;;) {
        const end = findByte(chunk, quote, at)
        if (nextBackslash < at) nextBackslash = findByte(chunk, backslash, at)
        if (nextBackslash >= end) {
          isText = end === chunk.length
          return isText ? end : end + 1
        }
        at = nextBackslash + 2
        if (at > chunk.length) {
          isEscaped = true
          return chunk.length
        }
      }
    }

    for (let at = 0; at < chunk.length;) {
      if (isText) {
        at = skipText(at)
        continue
      }
      const byte = chunk[at++] ?? 0
      if (byte === quote) isText = true
      else if (byte === comma) values++
      else if ((byte & 0xdf) === opening) {
        values++
        if (++depth > deepest) return `an answer that is nested deeper than ${deepest} levels`
      } else if ((byte & 0xdf) === closing) depth--
    }
    return values > maxValues ? `more than ${maxValues} values in one answer` : undefined
  }
}
