import { randomBytes, scrypt, timingSafeEqual } from "node:crypto"
import { Context, Data, Effect, Layer } from "effect"
import { makeConcurrencyLimiter } from "../internal/concurrency/ConcurrencyLimiter.ts"

/** Too many passwords wait to be hashed. */
export class PasswordsBusyError extends Data.TaggedError("PasswordsBusyError") {
  override get message(): string {
    return "Too many passwords wait to be hashed: try again later."
  }
}

export interface HashCost {
  /** The binary logarithm of scrypt's N. Computing a hash takes 128 * N * r bytes. */
  readonly log2N: number
  readonly r: number
  readonly p: number
}

export interface PasswordLimits extends HashCost {
  /** Concurrent hashes. */
  readonly atOnce: number
  /** Queued hashes. */
  readonly waiting: number
}

/** 64 MB and about 0.4 s of one core each, two at once. */
const standard: PasswordLimits = { log2N: 16, r: 8, p: 2, atOnce: 2, waiting: 30 }

interface StoredHash extends HashCost {
  readonly salt: Buffer
  readonly hash: Buffer
}

const hashBytes = 32
const encoding = "base64url"

const write = ({ hash, log2N, p, r, salt }: StoredHash) =>
  `$scrypt$ln=${log2N},r=${r},p=${p}$${salt.toString(encoding)}$${hash.toString(encoding)}`

const shape = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]{22})\$([\w-]{43})$/

const read = (text: string): StoredHash | undefined => {
  const [, log2N, r, p, salt = "", hash = ""] = shape.exec(text) ?? []
  return log2N === undefined
    ? undefined
    : {
        log2N: Number(log2N),
        r: Number(r),
        p: Number(p),
        salt: Buffer.from(salt, encoding),
        hash: Buffer.from(hash, encoding)
      }
}

/** Unicode normalization: the same characters give the same bytes, however the keyboard composes them. */
const getBytes = (password: string) => Buffer.from(password.normalize("NFKC"), "utf8")

export const derive = (password: string, salt: Buffer, { log2N, p, r }: HashCost) =>
  Effect.callback<Buffer>((resume) => {
    const N = 2 ** log2N
    scrypt(getBytes(password), salt, hashBytes, { N, r, p, maxmem: 256 * N * r }, (error, hash) =>
      resume(error === null ? Effect.succeed(hash) : Effect.die(error))
    )
  }).pipe(Effect.uninterruptible)

const make = (limits: PasswordLimits, computeHash: typeof derive = derive) =>
  Effect.sync(() => {
    const limit = makeConcurrencyLimiter({ ...limits, onFull: () => new PasswordsBusyError() })
    const absent: StoredHash = { ...limits, salt: randomBytes(16), hash: randomBytes(hashBytes) }
    return Passwords.of({
      hash: Effect.fn("Passwords.hash")(function* (password) {
        const salt = randomBytes(16)
        const hash = yield* limit(computeHash(password, salt, limits))
        return write({ ...limits, salt, hash })
      }),
      matches: Effect.fn("Passwords.matches")(function* (password, stored) {
        const known = stored === undefined ? undefined : read(stored)
        const expected = known ?? absent
        const hash = yield* limit(computeHash(password, expected.salt, expected))
        return timingSafeEqual(hash, expected.hash) && known !== undefined
      }),
      isOutdated: (stored) => {
        const known = read(stored)
        return (
          known === undefined ||
          known.log2N + Math.log2(known.p * known.r) < limits.log2N + Math.log2(limits.p * limits.r)
        )
      }
    })
  })

/** Password hashes: scrypt with a random salt and its parameters, in PHC string format. */
export class Passwords extends Context.Service<
  Passwords,
  {
    readonly hash: (password: string) => Effect.Effect<string, PasswordsBusyError>
    /** Without a stored hash the result is false, after the same work. */
    readonly matches: (password: string, stored: string | undefined) => Effect.Effect<boolean, PasswordsBusyError>
    /** Whether the hash uses a lower cost than new ones. */
    readonly isOutdated: (stored: string) => boolean
  }
>()("@chaintape/server/accounts/Passwords") {
  static readonly layer = Layer.effect(Passwords, make(standard))

  /** `computeHash` observes the work. */
  static readonly layerTest = (limits: PasswordLimits, computeHash?: typeof derive) =>
    Layer.effect(Passwords, make(limits, computeHash))
}
