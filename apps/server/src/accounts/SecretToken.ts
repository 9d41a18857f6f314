import { createHash, hkdfSync, randomBytes } from "node:crypto"
import { Effect } from "effect"

/** 256 random bits as text. Only its digest is stored. */
export const newToken: Effect.Effect<string> = Effect.sync(() => randomBytes(32).toString("base64url"))

export const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text)

export const digestOfToken = (token: string): string => createHash("sha256").update(token).digest("hex")

/** 32 bytes for one purpose, from which neither the token nor those of another purpose can be found. */
export const derivedFrom = (token: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", token, "", `chaintape ${purpose}`, 32))
