import { Context, Duration, Effect, Layer, Option } from "effect"
import { RateLimiter } from "effect/persistence"
import { addressBlock } from "../keys/AddressBlock.ts"
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
  /** Attempts at one account from anywhere: more than one address can do, so that nobody locks another one out with ease. */
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

/** How often somebody may try. Each answer is the time to wait, if any. What is unknown is treated as what is known. */
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
        const limiter = yield* RateLimiter.RateLimiter
        const take = (key: string, { attempts, window }: Allowance) =>
          limiter.consume({ algorithm: "token-bucket", onExceeded: "fail", key, limit: attempts, window }).pipe(
            Effect.as(Option.none<Duration.Duration>()),
            Effect.catch(({ reason }) =>
              reason._tag === "RateLimitExceeded" ? Effect.succeed(Option.some(reason.retryAfter)) : Effect.die(reason)
            )
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
            // What one address is refused does not use up what the others have.
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
