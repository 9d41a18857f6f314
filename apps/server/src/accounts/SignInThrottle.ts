import { Context, Duration, Effect, Layer, Option } from "effect"
import { AuditLog } from "../auth/AuditLog.ts"
import { addressBlock } from "../auth/CallerAddress.ts"
import { Limiter } from "../auth/limits/Limiter.ts"
import type { StoreError } from "../internal/StoreError.ts"
import { hashToken } from "./SecretToken.ts"

interface Allowance {
  readonly attempts: number
  readonly window: Duration.Input
}

export interface ThrottleLimits {
  /** All attempts from one address. */
  readonly address: Allowance
  /** Attempts at one account from one address. */
  readonly accountFromAddress: Allowance
  /** Attempts at one account from all addresses from which its holder has not signed in lately. */
  readonly account: Allowance
  /** Attempts at the password of a signed-in account, by its session. */
  readonly session: Allowance
  /** New accounts from one address. */
  readonly signUp: Allowance
}

const standard: ThrottleLimits = {
  address: { attempts: 40, window: "10 minutes" },
  accountFromAddress: { attempts: 10, window: "10 minutes" },
  account: { attempts: 100, window: "1 hour" },
  session: { attempts: 10, window: "10 minutes" },
  signUp: { attempts: 20, window: "1 hour" }
}

/** How long an address counts as the holder's own after a sign-in from it. */
const knownDays = 30

const make = (limits: ThrottleLimits) =>
  Effect.gen(function* () {
    const limiter = yield* Limiter
    const log = yield* AuditLog
    const isKnown = Effect.fnUntraced(function* (address: string, email: string) {
      const from = addressBlock(address)
      return (yield* log.addressesOf(email, knownDays)).some((known) => addressBlock(known) === from)
    })
    const toBucket = (key: string, { attempts, window }: Allowance) =>
      ({
        _tag: "Bucket",
        key,
        units: 1,
        capacity: attempts,
        refillMs: Duration.toMillis(window) / attempts
      }) as const
    const take = (...charges: ReadonlyArray<ReturnType<typeof toBucket>>) =>
      Effect.map(limiter.charge(charges), (charged) => {
        const last = charged.at(-1)
        return last?.isRefused === true ? Option.some(Duration.millis(last.waitMs)) : Option.none()
      })
    // An address that has used up its attempts adds no bucket: with many, it would evict those of others.
    const fromAddress = (kind: string, address: string, email: string) => {
      const from = addressBlock(address)
      return take(
        toBucket(`${kind}:address:${from}`, limits.address),
        toBucket(`${kind}:both:${from}:${hashToken(email)}`, limits.accountFromAddress)
      )
    }
    return SignInThrottle.of({
      signIn: Effect.fn("SignInThrottle.signIn")(function* (address, email) {
        const narrow = yield* fromAddress("sign-in", address, email)
        // An attempt refused for its address does not use up the account's attempts.
        if (Option.isSome(narrow)) return narrow
        return (yield* isKnown(address, email))
          ? Option.none()
          : yield* take(toBucket(`sign-in:account:${hashToken(email)}`, limits.account))
      }),
      password: Effect.fn("SignInThrottle.password")((token) =>
        take(toBucket(`password:${hashToken(token)}`, limits.session))
      ),
      reset: Effect.fn("SignInThrottle.reset")((address, email) => fromAddress("reset", address, email)),
      signUp: Effect.fn("SignInThrottle.signUp")((address) =>
        take(toBucket(`sign-up:${addressBlock(address)}`, limits.signUp))
      )
    })
  })

/**
 * Limits attempts. Each operation returns the time to wait, if any. Unknown accounts are treated like known ones. Strangers who
 * use up the attempts at an account do not lock its holder out: an address at which the account was created or signed in to, an
 * open session and a reset code have limits of their own.
 */
export class SignInThrottle extends Context.Service<
  SignInThrottle,
  {
    readonly signIn: (address: string, email: string) => Effect.Effect<Option.Option<Duration.Duration>, StoreError>
    /** An attempt at the password of the account of an open session. */
    readonly password: (token: string) => Effect.Effect<Option.Option<Duration.Duration>>
    /** An attempt with a reset code. */
    readonly reset: (address: string, email: string) => Effect.Effect<Option.Option<Duration.Duration>>
    readonly signUp: (address: string) => Effect.Effect<Option.Option<Duration.Duration>>
  }
>()("@chaintape/server/accounts/SignInThrottle") {
  static readonly layer = Layer.effect(SignInThrottle, make(standard))

  static readonly layerTest = (limits: ThrottleLimits) => Layer.effect(SignInThrottle, make(limits))
}
