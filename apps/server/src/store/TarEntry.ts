/** What stands in an archive: a directory, or a file whose bytes follow. */
export interface TarEntry {
  readonly kind: "directory" | "file"
  /** Relative, with slashes. */
  readonly path: string
  readonly mode: number
  /** In bytes; 0 for a directory. */
  readonly size: number
  /** Unix seconds. */
  readonly modifiedAt: number
}

export const blockSize = 512

const longestPath = 100
const largestSize = 8 ** 11 - 1

const octal = (value: number, digits: number) => `${Math.floor(value).toString(8).padStart(digits, "0")}\0`

const checksumOf = (header: Buffer) => {
  let sum = 8 * 0x20 // the checksum's own field counts as spaces
  for (const [at, byte] of header.entries()) if (at < 148 || at >= 156) sum += byte
  return sum
}

/** The header of an entry in the form of POSIX ustar, which every `tar` reads. */
export const encodeHeader = ({ kind, mode, modifiedAt, path, size }: TarEntry): Buffer => {
  const name = kind === "directory" ? `${path}/` : path
  if (Buffer.byteLength(name) > longestPath) throw new Error(`The path "${path}" is too long for the archive`)
  if (size > largestSize) throw new Error(`The file "${path}" is too large for the archive`)
  const header = Buffer.alloc(blockSize)
  header.write(name, 0)
  header.write(octal(mode & 0o777, 7), 100)
  header.write(octal(0, 7), 108)
  header.write(octal(0, 7), 116)
  header.write(octal(size, 11), 124)
  header.write(octal(modifiedAt, 11), 136)
  header.write(kind === "directory" ? "5" : "0", 156)
  header.write("ustar", 257)
  header.write("00", 263)
  header.write(`${checksumOf(header).toString(8).padStart(6, "0")}\0 `, 148)
  return header
}

const textAt = (header: Buffer, start: number, length: number) => {
  const end = header.indexOf(0, start)
  return header.toString("utf8", start, end < 0 || end > start + length ? start + length : end)
}

const numberAt = (header: Buffer, start: number, length: number) => {
  const text = textAt(header, start, length).trim()
  if (!/^[0-7]+$/.test(text)) throw new Error("The archive is damaged: a header holds no number")
  return Number.parseInt(text, 8)
}

/** A path that stays inside of the directory into which it is written. */
const isInside = (path: string) =>
  path !== "" && !path.includes("\\") && path.split("/").every((step) => step !== "" && step !== "." && step !== "..")

/** The entry of a header; none for the zeros at the end. */
export const decodeHeader = (header: Buffer): TarEntry | undefined => {
  if (header.every((byte) => byte === 0)) return undefined
  if (numberAt(header, 148, 8) !== checksumOf(header)) throw new Error("The archive is damaged: a header is wrong")
  const type = textAt(header, 156, 1)
  const path = textAt(header, 0, longestPath).replace(/\/$/, "")
  if ((type !== "0" && type !== "5") || !isInside(path)) {
    throw new Error(`The archive holds "${path}", which no backup does`)
  }
  return {
    kind: type === "5" ? "directory" : "file",
    path,
    mode: numberAt(header, 100, 8),
    size: numberAt(header, 124, 12),
    modifiedAt: numberAt(header, 136, 12)
  }
}
