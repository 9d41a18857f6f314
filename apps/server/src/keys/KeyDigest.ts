import { hash, timingSafeEqual } from "node:crypto"
import { idPart } from "./NewKey.ts"

/** What is stored of a key: the name by which it is found, and the SHA-256 by which it is recognised. */
export interface KeyDigest {
  readonly id: string
  readonly digest: string
}

/** A key of another form than ours is found by the beginning of its digest. */
export const digestOf = (key: string): KeyDigest => {
  const digest = hash("sha256", key, "hex")
  return { id: idPart(key) ?? digest.slice(0, 16), digest }
}

/** Both in hexadecimal digits of the same length. */
export const sameDigest = (a: string, b: string): boolean =>
  timingSafeEqual(Buffer.from(a, "latin1"), Buffer.from(b, "latin1"))

/** The digest of no key. */
export const nobody = "0".repeat(64)
