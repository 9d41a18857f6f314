import { Effect } from "effect"
import { PlatformError } from "effect/PlatformError"
import { toMessage } from "../../internal/toMessage.ts"
import { toFailure } from "../terminal/CommandFailure.ts"
import { isDiskFull } from "../terminal/isDiskFull.ts"
import { Progress } from "../terminal/Progress.ts"

/** Shows how many days of an archive are done. */
export const showDays = Effect.gen(function* () {
  const progress = yield* Progress
  return (done: number, days: number) =>
    done === 0
      ? progress.begin({ since: 0, until: days, position: 0, rows: 0, unit: "days" })
      : progress.advance(done, done)
})

/** The message of an error of the platform names only the call. */
const getReason = (error: { readonly message: string }): string =>
  error instanceof PlatformError && error.cause !== undefined ? toMessage(error.cause) : error.message

/** Every failure as a message for the user. */
export const withFailureText = <A, R>(effect: Effect.Effect<A, { readonly message: string }, R>) =>
  Effect.mapError(effect, (error) =>
    toFailure(
      isDiskFull(error)
        ? `The disk of the archive is full: free space, and give the command again. (${getReason(error)})`
        : getReason(error)
    )
  )
