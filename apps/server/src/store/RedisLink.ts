import { createHash } from "node:crypto"
import { Clock, Context, Deferred, Effect, Latch, Layer, Metric, Option, Schedule } from "effect"
import type { Redacted, Scope } from "effect"
import { backoffMs } from "../internal/backoff.ts"
import { monotonicMillis, toMonotonicMillis } from "../internal/monotonic.ts"
import { makePendingReplies } from "./PendingReplies.ts"
import type { PendingReplies } from "./PendingReplies.ts"
import { followChannel } from "./RedisChannel.ts"
import { openRedis, RedisConnectionError } from "./RedisConnection.ts"
import type { RedisConnection } from "./RedisConnection.ts"

/** Longer than any healthy response takes, and short enough for the first request of an outage. */
const replyTimeoutMs = 250
const connectTimeout = "1 second"
const backoff = { firstMs: 50, maxMs: 2000 }
/** After connections that were lost sooner than this, the next one may wait longer. */
const shortLifeMs = 10_000
const backoffOfShortLives = { firstMs: 50, maxMs: 20_000 }
/** The least time between two warnings about refused commands. */
const warningPauseMs = 60_000

const up = Metric.gauge("chaintape_redis_up", { description: "Whether Redis answers: 1, or 0 while it is away" })

/** A Lua script, which Redis keeps by its digest. */
export interface RedisScript {
  readonly lua: string
  readonly digest: string
}

export const toRedisScript = (lua: string): RedisScript => ({
  lua,
  digest: createHash("sha1").update(lua).digest("hex")
})

/** Writes: a server that has become a replica, or has no memory left, answers everything else. */
const trial = 'redis.call("SET", KEYS[1], "1", "PX", 1000) redis.call("DEL", KEYS[1]) return 1'

/** The server cannot serve commands at all, while one by the same name may. */
const isServerUnusable = (refusal: string): boolean =>
  // Redis 6 and earlier have the refusal of a command within the error of the script.
  /(^|-)(READONLY|OOM|MASTERDOWN|LOADING|MISCONF|NOREPLICAS|CLUSTERDOWN)\b/.test(refusal)

type Client = RedisConnection["client"]

const isWithoutScript = (error: unknown): boolean => error instanceof Error && error.message.startsWith("NOSCRIPT")

/** Opens another connection after each that ends, later if the last ones were short or could not be opened. */
const keepReopening = Effect.fnUntraced(function* <E>(live: Effect.Effect<void, E | RedisConnectionError>) {
  for (let failures = 0, shortLives = 0; ;) {
    const begun = yield* monotonicMillis
    // An unavailable Redis is tried again; its absence is already logged.
    const wasLive = yield* live.pipe(
      Effect.as(true),
      Effect.catchTag("RedisConnectionError", () => Effect.succeed(false))
    )
    const isShort = (yield* monotonicMillis) - begun < shortLifeMs
    failures = wasLive ? 0 : failures + 1
    if (wasLive) shortLives = isShort ? shortLives + 1 : 0
    yield* Effect.sleep(
      yield* wasLive ? backoffMs(Math.max(1, shortLives), backoffOfShortLives) : backoffMs(failures, backoff)
    )
  }
})

/** `refusal` is how it answered the trial, if it did. */
const warnUnavailable = (refusal: string | undefined) =>
  Effect.logWarning(
    `Redis does not answer${refusal === undefined ? "" : ` as needed ("${refusal}")`}: each instance holds the limits, and ` +
      "asks the exchanges, by itself"
  )

type Request = PendingReplies["request"]

/** Whether commands get replies, too: a Redis that is slow or broken may still complete its handshake. */
const tryScript = Effect.fnUntraced(function* (
  request: Request,
  { client }: RedisConnection,
  prefix: string,
  onRefusal: (message: string) => void
) {
  const outcome = yield* request(() => client.sendCommand(["EVAL", trial, "1", `${prefix}trial`]))
  if (outcome._tag === "Reply" && outcome.reply === 1) return
  if (outcome._tag === "Refusal") onRefusal(outcome.message)
  return yield* new RedisConnectionError({ cause: outcome._tag })
})

/** One connection while Redis is available. */
const keepConnection = Effect.fnUntraced(function* (url: Redacted.Redacted, request: Request, prefix: string) {
  const connected = yield* Latch.make(false)
  const tried = yield* Latch.make(false)
  let refusal: string | undefined
  let connection: RedisConnection | undefined
  const live = Effect.gen(function* () {
    const opened = yield* openRedis(url)
    yield* tryScript(request, opened, prefix, (message) => {
      refusal = message
    })
    refusal = undefined
    connection = opened
    yield* connected.open
    yield* Metric.update(up, 1)
    yield* Effect.logInfo("Redis answers: the instances share their limits and the answers of exchanges")
    yield* Deferred.await(opened.lost)
    yield* warnUnavailable(undefined)
  }).pipe(
    Effect.ensuring(
      Effect.suspend(() => {
        connection = undefined
        return Effect.andThen(Effect.andThen(connected.close, tried.open), Metric.update(up, 0))
      })
    ),
    Effect.scoped
  )
  yield* Metric.update(up, 0)
  yield* keepReopening(live).pipe(
    Effect.catchTag("RedisAddressError", ({ message }) => Effect.logError(message)),
    Effect.forkScoped
  )
  return { connected: connected.await, tried: tried.await, get: () => connection, getRefusal: () => refusal }
})

/** Logs at most one warning of each name in `warningPauseMs`. */
const makeRareWarnings = (clock: Clock.Clock) => {
  const warnedAt = new Map<string, number>()
  return Effect.fnUntraced(function* (name: string, ...message: ReadonlyArray<unknown>) {
    const now = toMonotonicMillis(clock)
    if (now - (warnedAt.get(name) ?? Number.NEGATIVE_INFINITY) < warningPauseMs) return
    warnedAt.set(name, now)
    yield* Effect.logWarning(...message)
  })
}

type Link = RedisLink["Service"]

/** Commands and scripts. One without a reply closes the connection, and so does a server that can serve none. */
const makeCommands = (
  request: Request,
  get: () => RedisConnection | undefined,
  warn: (message: string) => Effect.Effect<void>
): Pick<Link, "send" | "run"> => {
  const sendRequest = <A>(
    begin: (client: Client) => Promise<unknown>,
    decode: (reply: unknown) => Option.Option<A>
  ): Effect.Effect<Option.Option<A>> =>
    Effect.suspend(() => {
      const connection = get()
      if (connection === undefined) return Effect.succeedNone
      const { client, lost } = connection
      return Effect.flatMap(
        request(() => begin(client)),
        (outcome): Effect.Effect<Option.Option<A>> => {
          if (outcome._tag === "Silence") return Effect.as(Deferred.succeed(lost, undefined), Option.none())
          if (outcome._tag === "Refusal") {
            const closed = isServerUnusable(outcome.message) ? Deferred.succeed(lost, undefined) : Effect.void
            return Effect.as(Effect.andThen(closed, warn(outcome.message)), Option.none())
          }
          const found = decode(outcome.reply)
          return Option.isSome(found) ? Effect.succeed(found) : Effect.as(warn("a reply does not decode"), found)
        }
      )
    })
  return {
    send: (command, decode) => sendRequest((client) => client.sendCommand(command), decode),
    run: ({ digest, lua }, { keys, values }, decode) => {
      const rest = [String(keys.length), ...keys, ...values]
      return sendRequest(
        (client) =>
          client
            .sendCommand(["EVALSHA", digest, ...rest])
            .catch((error: unknown) =>
              isWithoutScript(error) ? client.sendCommand(["EVAL", lua, ...rest]) : Promise.reject(error)
            ),
        decode
      )
    }
  }
}

/**
 * Redis with a circuit breaker: a command without a reply closes the connection, and no caller waits until another one
 * is open.
 */
const makeLink = Effect.fnUntraced(function* (url: Redacted.Redacted, prefix: string) {
  const warnRarely = makeRareWarnings(yield* Clock.Clock)
  const warn = (message: string) =>
    warnRarely(
      "commands",
      `Redis refuses commands, so that this instance acts without it: "${message}". Check its memory, role and access rules.`
    )
  const { expireAfter, request } = yield* makePendingReplies()
  const { connected, get, getRefusal, tried } = yield* keepConnection(url, request, prefix)
  yield* Effect.forkScoped(expireAfter(replyTimeoutMs))
  // A busy start may not have loaded the driver yet, or not have read the reply.
  yield* Effect.raceFirst(connected, Effect.andThen(Effect.sleep(connectTimeout), tried))
  if (get() === undefined) yield* warnUnavailable(getRefusal())
  return RedisLink.of({
    ...makeCommands(request, get, warn),
    isAvailable: () => get() !== undefined,
    prefix,
    listen: Effect.fnUntraced(function* (channel, onMessage) {
      const subscription = Effect.gen(function* () {
        yield* connected
        const whole = get()
        if (whole === undefined) return
        const onLoss = warnRarely(`${channel} lost`, `Messages of the channel "${channel}" are lost: too many wait`)
        const following = followChannel({ url, request, name: `${prefix}${channel}`, onMessage, onLoss })
        yield* Effect.raceFirst(following, Deferred.await(whole.lost))
      })
      yield* subscription.pipe(
        Effect.scoped,
        // A subscription that ended, however it did, is opened again: meanwhile its messages are lost.
        Effect.catchCause((cause) => warnRarely(channel, `Redis does not serve the channel "${channel}"`, cause)),
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
    readonly isAvailable: () => boolean
    /** The prefix of every key and channel. */
    readonly prefix: string
    /**
     * The decoded reply of a command. None if Redis is unavailable (only the first command of an outage waits for it), if it
     * refuses the command, or if the reply does not decode.
     */
    readonly send: <A>(
      command: ReadonlyArray<string>,
      decode: (reply: unknown) => Option.Option<A>
    ) => Effect.Effect<Option.Option<A>>
    /** The decoded reply of a script, or none as for `send`. */
    readonly run: <A>(
      script: RedisScript,
      given: { readonly keys: ReadonlyArray<string>; readonly values: ReadonlyArray<string> },
      decode: (reply: unknown) => Option.Option<A>
    ) => Effect.Effect<Option.Option<A>>
    /** Passes on the messages of a channel. Messages published during an outage, or while too many wait, are lost. */
    readonly listen: (
      channel: string,
      onMessage: (message: string) => Effect.Effect<void>
    ) => Effect.Effect<void, never, Scope.Scope>
  }
>()("@chaintape/server/store/RedisLink") {
  /** Used by a service of one instance. */
  static readonly layerNone = Layer.succeed(RedisLink, {
    isAvailable: () => false,
    prefix: "",
    send: () => Effect.succeedNone,
    run: () => Effect.succeedNone,
    listen: () => Effect.void
  })

  static readonly layer = (url: Redacted.Redacted, prefix = "chaintape:") =>
    Layer.effect(RedisLink, makeLink(url, prefix))
}
