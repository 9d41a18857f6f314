import { createHash, hkdfSync, randomBytes } from "node:crypto"
import { Effect } from "effect"

/** 256 random bits as text. Only its digest is stored. */
export const newToken: Effect.Effect<string> = Effect.sync(() => randomBytes(32).toString("base64url"))

export const isToken = (text: string): boolean => /^[\w-]{43}$/.test(text)

export const hashToken = (token: string): string => createHash("sha256").update(token).digest("hex")

/** Derives 32 bytes for one purpose. Neither the token nor the bytes of another purpose can be computed from them. */
export const deriveKey = (token: string, purpose: string): Buffer =>
  Buffer.from(hkdfSync("sha256", token, "", `chaintape ${purpose}`, 32))
