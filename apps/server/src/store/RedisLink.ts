import { Cause, Context, Deferred, Effect, Layer, Metric, Option, Queue, Redacted, References, Schedule } from "effect"
import type { Scope } from "effect"
import { Redis } from "effect/persistence"

type Client = Redis.Redis["Service"]

/** Longer than any healthy answer takes, and short enough for the one request that meets an outage first. */
const patience = "250 millis"
const probing = "250 millis"
const starting = "1 second"
const longestPause = 1000

const up = Metric.gauge("chaintape_redis_up", { description: "Whether Redis answers: 1, or 0 while it is away" })

/** Six hundred modules, which a service without Redis does not load. */
const driver = Effect.promise(() => import("@effect/platform-node/NodeRedis"))

/** The warnings of the driver come with each attempt; ours come with each change. */
const connect = (url: Redacted.Redacted) =>
  driver.pipe(
    Effect.flatMap((NodeRedis) =>
      Layer.build(
        NodeRedis.layer({
          url: Redacted.value(url),
          disableOfflineQueue: true,
          socket: { connectTimeout: 1000, reconnectStrategy: (attempts) => Math.min(50 * 2 ** attempts, longestPause) }
        })
      )
    ),
    Effect.map(Context.get(Redis.Redis)),
    Effect.provideService(References.MinimumLogLevel, "None")
  )

const isAnswering = (client: Client) =>
  client.send("PING").pipe(
    Effect.as(true),
    Effect.timeout(patience),
    // That it does not answer is the answer.
    Effect.orElseSucceed(() => false)
  )

/**
 * Redis as long as it answers. The first question that fails or takes too long opens the circuit: from then on nobody
 * waits, until a question of our own is answered again.
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
    // Why may hold the password of the address.
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
    isConfigured: true,
    prefix,
    ask: (question) =>
      Effect.suspend(() =>
        client === undefined || !answering
          ? Effect.succeedNone
          : question(client).pipe(
              Effect.timeoutOption(patience),
              // Any failure is an outage to the caller, who has another way.
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
        // A subscription that has ended is made anew.
        Effect.ignoreCause,
        Effect.repeat(Schedule.spaced("1 second")),
        Effect.forkScoped
      )
    })
  })
})

/** What the instances of a service share, as long as it answers. */
export class RedisLink extends Context.Service<
  RedisLink,
  {
    /** Whether there is one, be it away or not. */
    readonly isConfigured: boolean
    /** Stands before every key and channel. */
    readonly prefix: string
    /** The answer, or none where Redis is away: at once, but for the first question that finds out. */
    readonly ask: <A, E>(question: (redis: Client) => Effect.Effect<A, E>) => Effect.Effect<Option.Option<A>>
    /** Hands over what is published in a channel. What is published during an outage is lost. */
    readonly listen: (
      channel: string,
      onMessage: (message: string) => Effect.Effect<void>
    ) => Effect.Effect<void, never, Scope.Scope>
  }
>()("@chaintape/server/store/RedisLink") {
  /** A service of one instance. */
  static readonly layerNone = Layer.succeed(RedisLink, {
    isConfigured: false,
    prefix: "",
    ask: () => Effect.succeedNone,
    listen: () => Effect.void
  })

  static readonly layer = (url: Redacted.Redacted, prefix = "chaintape:") =>
    Layer.effect(RedisLink, makeLink(url, prefix))
}
