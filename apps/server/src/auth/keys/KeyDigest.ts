import { hash, timingSafeEqual } from "node:crypto"
import { idPart } from "./NewKey.ts"

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
