/** An encoded item or list. */
export type Rlp = Uint8Array

/** The number of bytes of a length. */
const sizeOf = (length: number): number => (length < 0x100 ? 1 : length < 0x10000 ? 2 : length < 0x1000000 ? 3 : 4)

/** Writes a prefix. `short` is that of an empty item. Returns the offset behind. */
const writePrefix = (into: Uint8Array, offset: number, short: number, length: number): number => {
  if (length < 56) {
    into[offset] = short + length
    return offset + 1
  }
  const size = sizeOf(length)
  into[offset] = short + 55 + size
  for (let at = 0; at < size; at++) into[offset + 1 + at] = (length >>> (8 * (size - 1 - at))) & 0xff
  return offset + 1 + size
}

const prefixSize = (length: number): number => (length < 56 ? 1 : 1 + sizeOf(length))

/** RLP of a byte string (Ethereum yellow paper, appendix B). */
export const encodeBytes = (bytes: Uint8Array): Rlp => {
  if (bytes.length === 1 && (bytes[0] ?? 0) < 0x80) return bytes
  const encoded = new Uint8Array(prefixSize(bytes.length) + bytes.length)
  encoded.set(bytes, writePrefix(encoded, 0, 0x80, bytes.length))
  return encoded
}

/** RLP of a list whose items are encoded already. */
export const encodeList = (items: ReadonlyArray<Rlp>): Rlp => {
  let length = 0
  for (const item of items) length += item.length
  const encoded = new Uint8Array(prefixSize(length) + length)
  let offset = writePrefix(encoded, 0, 0xc0, length)
  for (const item of items) {
    encoded.set(item, offset)
    offset += item.length
  }
  return encoded
}

/** The bytes of `0x` and an even number of hexadecimal digits. */
export const toBytes = (hex: string): Uint8Array => Buffer.from(hex.slice(2), "hex")

/** The bytes of a quantity of JSON-RPC without leading zeros: 0 is empty. */
export const toQuantityBytes = (quantity: string): Uint8Array => {
  const digits = quantity.slice(2).replace(/^0+/, "")
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, "hex")
}

export const toHex = (bytes: Uint8Array): string =>
  `0x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("hex")}`
