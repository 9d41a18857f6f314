/** Bytes of a cursor: integers of variable length, texts and checksums. */

/** A 32-bit hash of a text (FNV-1a with a final avalanche). It detects damage, and is no protection against forgery. */
export const hash32 = (text: string, seed = 0x811c9dc5): number => {
  let hash = seed
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}

/** One character for each byte. */
export const getLatin1 = (bytes: Iterable<number>): string => {
  let text = ""
  for (const byte of bytes) text += String.fromCharCode(byte)
  return text
}

export interface ByteWriter {
  readonly bytes: ReadonlyArray<number>
  /** A natural number up to 2^53 - 1: seven bits a byte, the lowest first. */
  readonly integer: (value: number) => void
  /** A natural number in a fixed number of bytes, the lowest first. */
  readonly fixed: (value: number, length: number) => void
  /** A text; one of hexadecimal digits behind 0x takes half as many bytes. */
  readonly text: (value: string) => void
}

const hexadecimal = /^0x[0-9a-f]*$/

export const makeByteWriter = (): ByteWriter => {
  const bytes: Array<number> = []
  const integer = (value: number) => {
    let rest = value
    for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
    bytes.push(rest)
  }
  const fixed = (value: number, length: number) => {
    let rest = value
    for (let at = 0; at < length; at++) {
      bytes.push(rest % 256)
      rest = Math.floor(rest / 256)
    }
  }
  return {
    bytes,
    integer,
    fixed,
    text: (value) => {
      if (hexadecimal.test(value)) {
        const digits = value.length - 2
        integer(2 * digits)
        const even = value.slice(2).padEnd(digits + (digits % 2), "0")
        for (let at = 0; at < even.length; at += 2) bytes.push(Number.parseInt(even.slice(at, at + 2), 16))
        return
      }
      const encoded = new TextEncoder().encode(value)
      integer(2 * encoded.length + 1)
      bytes.push(...encoded)
    }
  }
}

export interface ByteReader {
  readonly integer: () => number
  readonly fixed: (length: number) => number
  readonly text: () => string
  /** Whether every read so far was within the bytes, and every byte has been read. */
  readonly isExact: () => boolean
}

/** A reader that reads zeros behind the end: `isExact` is false then. */
export const makeByteReader = (bytes: Uint8Array): ByteReader => {
  let at = 0
  const next = () => bytes[at++] ?? 0
  const integer = () => {
    let value = 0
    for (let factor = 1; factor < 2 ** 53; factor *= 128) {
      const byte = next()
      value += (byte % 128) * factor
      if (byte < 128) break
    }
    return value
  }
  const slice = (length: number) => {
    const part = bytes.slice(at, at + length)
    at += length
    return part
  }
  return {
    integer,
    fixed: (length) => slice(length).reduceRight((value, byte) => value * 256 + byte, 0),
    text: () => {
      const size = integer()
      const length = Math.floor(size / 2)
      if (size % 2 === 1) return new TextDecoder().decode(slice(length))
      const digits = [...slice(Math.ceil(length / 2))].map((byte) => byte.toString(16).padStart(2, "0"))
      return `0x${digits.join("").slice(0, length)}`
    },
    isExact: () => at === bytes.length
  }
}
