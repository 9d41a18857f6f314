import { Cause, Context, Deferred, Effect, Layer, Metric, Option, Queue, Redacted, References, Schedule } from "effect"
import type { Scope } from "effect"
import { Redis } from "effect/persistence"

type Client = Redis.Redis["Service"]

/** Longer than any healthy response takes, and short enough for the first request of an outage. */
const patience = "250 millis"
const probing = "250 millis"
const starting = "1 second"
const longestPause = 1000

const up = Metric.gauge("chaintape_redis_up", { description: "Whether Redis answers: 1, or 0 while it is away" })

/** Six hundred modules, which a service without Redis does not load. */
const driver = Effect.promise(() => import("@effect/platform-node/NodeRedis"))

/** The driver warns at each attempt; we warn at each change. */
const connect = (url: Redacted.Redacted) =>
  driver.pipe(
    Effect.flatMap((module) =>
      Effect.map(
        Layer.build(
          module.layer({
            url: Redacted.value(url),
            disableOfflineQueue: true,
            socket: {
              connectTimeout: 1000,
              reconnectStrategy: (attempts) => Math.min(50 * 2 ** attempts, longestPause)
            }
          })
        ),
        (built) => [module, built] as const
      )
    ),
    // Closing waits for the commands in flight, which a silent Redis never answers. They are abandoned instead.
    Effect.tap(([{ NodeRedis }, built]) =>
      Effect.addFinalizer(() =>
        Effect.sync(() => {
          const { client } = Context.get(built, NodeRedis)
          if (client.isOpen) client.destroy()
        })
      )
    ),
    Effect.map(([, built]) => Context.get(built, Redis.Redis)),
    Effect.provideService(References.MinimumLogLevel, "None")
  )

const isAnswering = (client: Client) =>
  client.send("PING").pipe(
    Effect.as(true),
    Effect.timeout(patience),
    // The probe's failure is its result.
    Effect.orElseSucceed(() => false)
  )

/**
 * Redis with a circuit breaker. The first command that fails or times out opens the circuit: from then on no caller waits,
 * until a probe succeeds.
 */
const makeLink = Effect.fnUntraced(function* (url: Redacted.Redacted, prefix: string) {
  const connection = yield* Deferred.make<Client>()
  let client: Client | undefined
  let answering = false
  const turn = Effect.fnUntraced(function* (now: boolean) {
    if (answering === now) return
    answering = now
    yield* Metric.update(up, now ? 1 : 0)
    yield* now
      ? Effect.logInfo("Redis answers: the instances share their limits and the answers of exchanges")
      : Effect.logWarning("Redis does not answer: each instance holds the limits, and asks the exchanges, by itself")
  })
  const probe = Effect.suspend(() =>
    answering || client === undefined
      ? Effect.void
      : Effect.flatMap(isAnswering(client), (alive) => (alive ? turn(true) : Effect.void))
  )
  yield* Metric.update(up, 0)
  yield* connect(url).pipe(
    Effect.tap((opened) =>
      Effect.sync(() => {
        client = opened
      })
    ),
    Effect.tap(probe),
    Effect.flatMap((opened) => Deferred.succeed(connection, opened)),
    // The cause may contain the password of the URL.
    Effect.tapCause((cause) =>
      Cause.hasInterruptsOnly(cause) ? Effect.void : Effect.logError("The address in REDIS_URL cannot be used")
    ),
    Effect.ignoreCause,
    Effect.forkScoped
  )
  yield* Effect.forkScoped(Effect.repeat(probe, Schedule.spaced(probing)))
  const early = yield* Effect.timeoutOption(Deferred.await(connection), starting)
  if (Option.isNone(early)) {
    yield* Effect.logWarning("Redis does not answer: each instance holds the limits, and asks the exchanges, by itself")
  }
  return RedisLink.of({
    isAnswering: () => answering,
    prefix,
    ask: (question) =>
      Effect.suspend(() =>
        client === undefined || !answering
          ? Effect.succeedNone
          : question(client).pipe(
              Effect.timeoutOption(patience),
              // Any failure is an outage to the caller, who has a fallback.
              Effect.catchCause(() => Effect.succeedNone),
              Effect.tap((answer) => (Option.isNone(answer) ? turn(false) : Effect.void))
            )
      ),
    listen: Effect.fnUntraced(function* (channel, onMessage) {
      yield* Effect.gen(function* () {
        const opened = yield* Deferred.await(connection)
        const messages = yield* opened.subscribe(`${prefix}${channel}`)
        return yield* Effect.forever(Effect.flatMap(Queue.take(messages), ({ message }) => onMessage(message)))
      }).pipe(
        Effect.scoped,
        Effect.provideService(References.MinimumLogLevel, "None"),
        // A subscription that ended is opened again.
        Effect.ignoreCause,
        Effect.repeat(Schedule.spaced("1 second")),
        Effect.forkScoped
      )
    })
  })
})

/** State shared by the instances of a service, while Redis is available. */
export class RedisLink extends Context.Service<
  RedisLink,
  {
    /** False if none is configured. */
    readonly isAnswering: () => boolean
    /** The prefix of every key and channel. */
    readonly prefix: string
    /** The result, or none if Redis is unavailable: immediately, except for the first command of an outage. */
    readonly ask: <A, E>(question: (redis: Client) => Effect.Effect<A, E>) => Effect.Effect<Option.Option<A>>
    /** Passes on the messages of a channel. Messages published during an outage are lost. */
    readonly listen: (
      channel: string,
      onMessage: (message: string) => Effect.Effect<void>
    ) => Effect.Effect<void, never, Scope.Scope>
  }
>()("@chaintape/server/store/RedisLink") {
  /** Used by a service of one instance. */
  static readonly layerNone = Layer.succeed(RedisLink, {
    isAnswering: () => false,
    prefix: "",
    ask: () => Effect.succeedNone,
    listen: () => Effect.void
  })

  static readonly layer = (url: Redacted.Redacted, prefix = "chaintape:") =>
    Layer.effect(RedisLink, makeLink(url, prefix))
}
