import { Context, Duration, Effect, Layer, Option } from "effect"
import { addressBlock } from "../auth/AddressBlock.ts"
import { Limiter } from "../auth/limits/Limiter.ts"
import { digestOfToken } from "./SecretToken.ts"

interface Allowance {
  readonly attempts: number
  readonly window: Duration.Input
}

export interface ThrottleLimits {
  /** All attempts from one address. */
  readonly address: Allowance
  /** Attempts at one account from one address. */
  readonly accountFromAddress: Allowance
  /**
   * Attempts at one account from all addresses: more than one address can make, so that one caller cannot easily lock another
   * one out.
   */
  readonly account: Allowance
  /** New accounts from one address. */
  readonly signUp: Allowance
}

const standard: ThrottleLimits = {
  address: { attempts: 40, window: "10 minutes" },
  accountFromAddress: { attempts: 10, window: "10 minutes" },
  account: { attempts: 100, window: "1 hour" },
  signUp: { attempts: 20, window: "1 hour" }
}

/** Limits attempts. Each operation returns the time to wait, if any. Unknown accounts are treated like known ones. */
export class SignInThrottle extends Context.Service<
  SignInThrottle,
  {
    readonly signIn: (address: string, email: string) => Effect.Effect<Option.Option<Duration.Duration>>
    readonly signUp: (address: string) => Effect.Effect<Option.Option<Duration.Duration>>
  }
>()("@chaintape/server/accounts/SignInThrottle") {
  static readonly layerOf = (limits: ThrottleLimits) =>
    Layer.effect(
      SignInThrottle,
      Effect.gen(function* () {
        const limiter = yield* Limiter
        const take = (key: string, { attempts, window }: Allowance) =>
          Effect.map(
            limiter.charge([
              { _tag: "Bucket", key, units: 1, capacity: attempts, refillMs: Duration.toMillis(window) / attempts }
            ]),
            ([charged]) => (charged?.isRefused === true ? Option.some(Duration.millis(charged.waitMs)) : Option.none())
          )
        const longest = (waits: ReadonlyArray<Option.Option<Duration.Duration>>) =>
          waits
            .flatMap(Option.toArray)
            .reduce<Option.Option<Duration.Duration>>(
              (most, wait) =>
                Option.some(Option.match(most, { onNone: () => wait, onSome: (other) => Duration.max(other, wait) })),
              Option.none()
            )
        return SignInThrottle.of({
          signIn: Effect.fn("SignInThrottle.signIn")(function* (address, email) {
            const from = addressBlock(address)
            const to = digestOfToken(email)
            const narrow = yield* Effect.all([
              take(`sign-in:address:${from}`, limits.address),
              take(`sign-in:both:${from}:${to}`, limits.accountFromAddress)
            ])
            // An attempt refused for its address does not use up the account's attempts.
            return narrow.some(Option.isSome) ? longest(narrow) : yield* take(`sign-in:account:${to}`, limits.account)
          }),
          signUp: Effect.fn("SignInThrottle.signUp")((address) =>
            take(`sign-up:${addressBlock(address)}`, limits.signUp)
          )
        })
      })
    )

  static readonly layer = SignInThrottle.layerOf(standard)
}
