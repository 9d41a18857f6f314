import { Data, Deferred, Effect, Redacted } from "effect"
import type { Scope } from "effect"

/** An open connection. */
export interface RedisConnection {
  /** The part of the driver's client that is used. */
  readonly client: {
    readonly sendCommand: (command: ReadonlyArray<string>) => Promise<unknown>
    readonly subscribe: (channel: string, onMessage: (message: string) => void) => Promise<void>
  }
  /** Completes when the connection is lost. */
  readonly lost: Deferred.Deferred<void>
}

export class RedisConnectionError extends Data.TaggedError("RedisConnectionError")<{ readonly cause: unknown }> {
  override get message(): string {
    return "Redis does not answer: check that it runs, and that it can be reached at the address in REDIS_URL."
  }
}

export class RedisAddressError extends Data.TaggedError("RedisAddressError") {
  override get message(): string {
    return "The address in REDIS_URL cannot be used"
  }
}

const connectMs = 1000
/** Also bounds the handshake, to which a silent server does not reply. */
const openMs = 2000

/** Six hundred modules, which a service without Redis does not load. */
const driver = Effect.promise(() => import("redis"))

/**
 * Opens a connection, which ends with the scope. The driver never reconnects by itself: it matches replies to commands
 * by their order, so that a connection with a reply too few is of no use any more.
 */
export const openRedis = Effect.fnUntraced(function* (
  url: Redacted.Redacted
): Effect.fn.Return<RedisConnection, RedisConnectionError | RedisAddressError, Scope.Scope> {
  const { createClient } = yield* driver
  const lost = yield* Deferred.make<void>()
  const client = yield* Effect.acquireRelease(
    Effect.try({
      try: () =>
        createClient({
          url: Redacted.value(url),
          disableOfflineQueue: true,
          // A timer for each command costs more than the command: `PendingReplies` bounds them.
          commandOptions: { timeout: 0 },
          socket: { connectTimeout: connectMs, reconnectStrategy: false }
        }),
      // The cause may contain the password.
      catch: () => new RedisAddressError()
    }),
    (opened) =>
      Effect.sync(() => {
        if (opened.isOpen) opened.destroy()
      })
  )
  const lose = () => void Deferred.doneUnsafe(lost, Effect.void)
  client.on("error", lose).on("end", lose)
  yield* Effect.tryPromise({
    try: () => client.connect(),
    catch: (cause) => new RedisConnectionError({ cause })
  }).pipe(
    Effect.timeoutOrElse({
      duration: openMs,
      orElse: () => Effect.fail(new RedisConnectionError({ cause: "The handshake has no reply." }))
    })
  )
  return { client, lost }
})
