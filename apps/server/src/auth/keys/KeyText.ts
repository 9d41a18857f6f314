import { hash, randomBytes, timingSafeEqual } from "node:crypto"
import { crc32 } from "node:zlib"
import { Effect, Redacted } from "effect"

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const prefix = "chaintape_"
const idLength = 10
const secretLength = 26
const checksumLength = 6

/**
 * The largest multiple of the alphabet's size in a byte: bytes from it on would make some characters more likely than
 * others.
 */
const unbiased = 256 - (256 % alphabet.length)

const randomText = (length: number): string => {
  let text = ""
  while (text.length < length) {
    const characters = [...randomBytes(length)].filter((byte) => byte < unbiased).map((byte) => alphabet[byte % 62])
    text += characters.join("")
  }
  return text.slice(0, length)
}

const toBase62 = (value: number, length: number): string =>
  Array.from({ length }, (_, index) => alphabet[Math.floor(value / 62 ** (length - 1 - index)) % 62]).join("")

const getChecksum = (text: string) => toBase62(crc32(text), checksumLength)

const form = new RegExp(`^${prefix}([0-9A-Za-z]{${idLength}})[0-9A-Za-z]{${secretLength + checksumLength}}$`)

/** The public id in a key. None for a key of another format, such as one that somebody chose. */
const idPart = (key: string): string | undefined => form.exec(key)?.[1]

/** How people recognize a key. The end is a part of the checksum and leaves at least 128 unknown bits. */
export const shownForm = (key: string): string => `${key.slice(0, prefix.length + idLength)}…${key.slice(-4)}`

/** A new key: a prefix that secret scanners know, the id, 154 random bits, and a checksum of all that. */
export const newKey: Effect.Effect<Redacted.Redacted> = Effect.sync(() => {
  const text = `${prefix}${randomText(idLength)}${randomText(secretLength)}`
  return Redacted.make(`${text}${getChecksum(text)}`)
})

/** The stored part of a key: the id by which it is looked up, and the SHA-256 by which it is verified. */
export interface KeyDigest {
  readonly id: string
  readonly digest: string
}

/** The id of a key of another format than ours is the beginning of its digest. */
export const getDigest = (key: string): KeyDigest => {
  const digest = hash("sha256", key, "hex")
  return { id: idPart(key) ?? digest.slice(0, 16), digest }
}

/** Both in hexadecimal digits of the same length. */
export const sameDigest = (a: string, b: string): boolean =>
  timingSafeEqual(Buffer.from(a, "latin1"), Buffer.from(b, "latin1"))

/** A digest that no key has. */
export const noDigest = "0".repeat(64)
