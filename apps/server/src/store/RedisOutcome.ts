import { Effect } from "effect"
import type { PendingReplies } from "./PendingReplies.ts"

/** The outcome of a command. */
type RedisOutcome =
  | { readonly _tag: "Reply"; readonly reply: unknown }
  /** Redis replied with an error: it is available, and did not execute the command. */
  | { readonly _tag: "Refusal"; readonly message: string }
  | { readonly _tag: "Silence" }

const silence: RedisOutcome = { _tag: "Silence" }

/** The errors of Redis begin with a code in capital letters; those of a connection do not. */
const toOutcome = (error: unknown): RedisOutcome =>
  error instanceof Error && /^[A-Z]{2,} /.test(error.message) ? { _tag: "Refusal", message: error.message } : silence

/** Sends a command, and waits for its outcome no longer than `pending` allows. */
export const makeRequest =
  (pending: PendingReplies) =>
  (begin: () => Promise<unknown>): Effect.Effect<RedisOutcome> =>
    Effect.callback((resume) => {
      const settle = (outcome: RedisOutcome) => {
        settled()
        resume(Effect.succeed(outcome))
      }
      const settled = pending.add(() => settle(silence))
      begin().then(
        (reply) => settle({ _tag: "Reply", reply }),
        (error: unknown) => settle(toOutcome(error))
      )
      return Effect.sync(settled)
    })
