import { setTimeout } from "node:timers/promises"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Context, Effect, Layer, Logger, Option, Random, Redacted, Schedule } from "effect"
import type { Scope } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { SignInThrottle } from "../../../src/accounts/SignInThrottle.ts"
import { AuditLog } from "../../../src/auth/AuditLog.ts"
import { AccountKeys } from "../../../src/auth/keys/AccountKeys.ts"
import { ApiKeys } from "../../../src/auth/keys/ApiKeys.ts"
import { Limiter } from "../../../src/auth/limits/Limiter.ts"
import { bucketCharge, dayCharge } from "../../../src/auth/limits/MemoryLimits.ts"
import type { Charge } from "../../../src/auth/limits/MemoryLimits.ts"
import { Usage } from "../../../src/auth/usage/Usage.ts"
import { RedisLink } from "../../../src/store/RedisLink.ts"
import { measureRealTime } from "../../MeasureRealTime.ts"
import { embeddedDatabase } from "../../OwnDatabase.ts"
import { usageInMemory } from "../../RunningService.ts"
import { makeSteppedClock } from "../../SteppedClock.ts"
import { addAccount, keysOver, toHolder } from "../keys/KeyDatabase.ts"
import { cutLink } from "./CutLink.ts"

const redis = process.env["REDIS_URL"] ?? ""

const prefix = Effect.map(Random.nextIntBetween(0, 1_000_000_000), (number) => `chaintape-test-${number}:`)

const withRedis = <E>(
  test: (url: URL, prefix: string) => Effect.Effect<void, E, NodeServices.NodeServices | Scope.Scope>
) => Effect.flatMap(prefix, (own) => test(new URL(redis), own)).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

/** One instance: its buckets and quotas. */
const instance = (url: URL, prefix: string) =>
  Layer.build(
    Layer.fresh(
      Limiter.layer.pipe(
        Layer.provide(Usage.layer.pipe(Layer.provide(usageInMemory))),
        Layer.provideMerge(RedisLink.layer(Redacted.make(url.toString()), prefix))
      )
    )
  )

type Instance = Effect.Success<ReturnType<typeof instance>>

const slow = { burst: 10, perSecond: 10 / 3600 }
const bucket = bucketCharge("key:one", slow, 1)

/** The rest, or -1 if the charge is refused. */
const take = (of: Instance, charge: Charge = bucket) =>
  Effect.map(Context.get(of, Limiter).charge([charge]), ([charged]) =>
    charged?.isRefused === false ? charged.remaining : -1
  )

const isShared = (of: Instance) => Effect.map(Context.get(of, RedisLink).send(["PING"], Option.some), Option.isSome)

const until = (what: Effect.Effect<boolean>) =>
  what.pipe(
    Effect.repeat({ until: (is: boolean) => is, schedule: Schedule.spaced("20 millis") }),
    Effect.timeout("60 seconds")
  )

/** Waits for Redis on a test clock, where no reply is late and nothing expires. */
const soon = (what: Effect.Effect<boolean>) =>
  Effect.repeat(
    Effect.andThen(
      Effect.promise(() => setTimeout(5)),
      what
    ),
    { until: (is) => is }
  )

/** An instance with Redis: the start does not wait for a slow one. */
const sharing = (url: URL, prefix: string) => Effect.tap(instance(url, prefix), (of) => soon(isShared(of)))

const timed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const started = yield* Clock.currentTimeMillis
    const value = yield* effect
    return [(yield* Clock.currentTimeMillis) - started, value] as const
  })

describe.skipIf(redis === "")("instances with REDIS_URL", () => {
  it.effect("share their buckets and quotas", () =>
    withRedis((url, prefix) =>
      Effect.gen(function* () {
        const [one, two] = [yield* sharing(url, prefix), yield* sharing(url, prefix)]
        assert.deepStrictEqual([yield* take(one), yield* take(two), yield* take(one)], [9, 8, 7])
        const day = (of: Instance) =>
          Effect.map(
            Context.get(of, Limiter).charge([dayCharge("one", 5, 2)]),
            ([charged]) => `${charged?.isRefused === false ? "taken" : "refused"}, ${charged?.remaining} left`
          )
        assert.deepStrictEqual(
          [yield* day(one), yield* day(two), yield* day(one)],
          ["taken, 3 left", "taken, 1 left", "refused, 1 left"]
        )
        const many = Array.from({ length: 40 }, (_, number) => take(number % 2 === 0 ? one : two))
        const answers = yield* Effect.all(many, { concurrency: 20 })
        assert.strictEqual(answers.filter((remaining) => remaining >= 0).length, 7)
      })
    )
  )

  it.effect("apply a lower burst at once, also if more units were left", () =>
    withRedis((url, prefix) =>
      Effect.gen(function* () {
        const one = yield* sharing(url, prefix)
        assert.strictEqual(yield* take(one), 9)
        assert.strictEqual(yield* take(one, bucketCharge("key:one", { ...slow, burst: 5 }, 1)), 4)
      })
    )
  )

  it.live("use the clock of Redis instead of their own", () =>
    withRedis((url, prefix) =>
      Effect.gen(function* () {
        const { clock, step } = yield* makeSteppedClock
        yield* step(3_600_000)
        const quick = bucketCharge("key:quick", { burst: 10, perSecond: 10 }, 1)
        const takeAhead = (of: Instance) => Effect.provideService(take(of, quick), Clock.Clock, clock)
        const one = yield* sharing(url, prefix)
        const ahead = yield* Effect.provideService(sharing(url, prefix), Clock.Clock, clock)
        yield* until(Effect.map(takeAhead(ahead), (remaining) => remaining < 0))
        // A tenth of a second refills one unit, also for instances whose clock is an hour slow.
        yield* until(Effect.map(take(one, quick), (remaining) => remaining >= 0))
        yield* until(Effect.map(takeAhead(ahead), (remaining) => remaining >= 0))
      })
    )
  )

  it.effect("charge several limits in order, or all of them or none", () =>
    withRedis((url, prefix) =>
      Effect.gen(function* () {
        const [one, two] = [yield* sharing(url, prefix), yield* sharing(url, prefix)]
        const charges = (bucketUnits: number, dayUnits: number) => [
          bucketCharge("key:whole", slow, bucketUnits),
          bucketCharge("address:whole", { burst: 6, perSecond: 0.001 }, 1),
          dayCharge("whole", 5, dayUnits)
        ]
        const all = (of: Instance, bucketUnits: number, dayUnits: number) =>
          Effect.map(Context.get(of, Limiter).chargeAll(charges(bucketUnits, dayUnits)), (charged) =>
            charged?.map(({ remaining }) => remaining)
          )
        const inOrder = (of: Instance, bucketUnits: number, dayUnits: number) =>
          Effect.map(Context.get(of, Limiter).charge(charges(bucketUnits, dayUnits)), (charged) =>
            charged.map(({ isRefused, remaining }) => (isRefused ? `refused, ${remaining} left` : remaining))
          )
        assert.isFalse(Context.get(one, Limiter).isLocal([bucket]))
        assert.deepStrictEqual(yield* all(one, 3, 2), [7, 5, 3])
        // Neither the second limit's nor the third one's refusal costs anything.
        assert.isUndefined(yield* all(two, 8, 1))
        assert.isUndefined(yield* all(two, 1, 4))
        assert.deepStrictEqual(yield* all(two, 1, 1), [6, 4, 2])
        assert.deepStrictEqual(yield* inOrder(one, 1, 3), [5, 3, "refused, 2 left"])
        assert.deepStrictEqual(yield* inOrder(two, 6, 1), ["refused, 0 left"])
        assert.deepStrictEqual(yield* inOrder(two, 1, 2), [4, 2, 0])
      })
    )
  )

  it.effect("share the count of sign-in attempts", () =>
    withRedis((url, prefix) =>
      Effect.gen(function* () {
        const three = { attempts: 3, window: "1 hour" } as const
        const throttle = SignInThrottle.layerTest({
          address: three,
          accountFromAddress: three,
          account: three,
          session: three,
          signUp: three
        }).pipe(Layer.provide(AuditLog.layer), Layer.provide(embeddedDatabase))
        const tries = Effect.map(sharing(url, prefix), (of) =>
          Layer.build(Layer.fresh(throttle)).pipe(
            Effect.provideContext(of),
            Effect.flatMap((built) => Context.get(built, SignInThrottle).signIn("192.0.2.1", "ada@example.com")),
            Effect.map(Option.isNone),
            Effect.scoped
          )
        )
        const [one, two] = [yield* tries, yield* tries]
        assert.deepStrictEqual([yield* one, yield* two, yield* one, yield* two], [true, true, true, false])
      })
    )
  )

  it.live(
    "continue on their own while it is unavailable, without delaying a request, and are shared again when it returns",
    () =>
      withRedis((url, prefix) => {
        const log: Array<string> = []
        const logger = Logger.layer([Logger.map(Logger.formatJson, (line) => log.push(line))])
        return Effect.gen(function* () {
          const link = yield* cutLink(url)
          const [one, two] = yield* Effect.all([instance(link.url, prefix), instance(link.url, prefix)])
          const areBothShared = Effect.map(Effect.all([isShared(one), isShared(two)]), ([a, b]) => a && b)
          const countLines = (what: string) => log.filter((line) => line.includes(what)).length
          for (const way of ["closed", "silent", "closed"] as const) {
            const attempt = Effect.gen(function* () {
              yield* until(areBothShared)
              const before = yield* take(one)
              const isOneBucket = (yield* take(two)) === before - 1
              const linesBefore = countLines("does not answer")
              yield* link.turn(way)
              const [first] = yield* timed(take(one))
              const [rest] = yield* timed(Effect.repeat(take(one), { times: 99 }))
              assert.isFalse(yield* isShared(one))
              yield* take(two)
              const changes = countLines("does not answer") - linesBefore
              yield* link.turn("open")
              return { way, isOneBucket, first, rest, changes }
            })
            yield* measureRealTime(
              attempt,
              ({ changes, first, isOneBucket, rest }) => isOneBucket && first < 600 && rest < 500 && changes === 2
            )
          }
          yield* until(areBothShared)
          // Both are logged alternately, one line per change.
          assert.strictEqual(countLines("Redis answers"), countLines("does not answer") + 2, log.join("\n"))
          assert.strictEqual(countLines("Redis answers") + countLines("does not answer"), log.length, log.join("\n"))
        }).pipe(Effect.provide(logger))
      }),
    240_000
  )

  it.live(
    "start without it, and share when it comes",
    () =>
      withRedis((url, prefix) =>
        Effect.gen(function* () {
          const link = yield* cutLink(url)
          yield* link.turn("closed")
          const [, one] = yield* measureRealTime(timed(instance(link.url, prefix)), ([started]) => started < 2500)
          assert.strictEqual(yield* take(one), 9)
          assert.isFalse(yield* isShared(one))
          yield* link.turn("open")
          yield* until(isShared(one))
        })
      ),
    120_000
  )

  it.live(
    "stop at once while it is unavailable",
    () =>
      withRedis((url, prefix) =>
        Effect.gen(function* () {
          const link = yield* cutLink(url)
          for (const [before, after] of [
            ["open", "silent"],
            ["closed", "closed"]
          ] as const) {
            const life = Effect.gen(function* () {
              const of = yield* instance(link.url, prefix)
              if (before === "open") yield* until(isShared(of))
              yield* link.turn(after)
              // A command that is never answered.
              yield* take(of)
            })
            const attempt = Effect.andThen(link.turn(before), timed(Effect.scoped(life)))
            yield* measureRealTime(attempt, ([lasted]) => lasted < 4000)
          }
        })
      ),
    120_000
  )

  it.effect(
    "apply a revocation of another instance by its message, and within a second without Redis",
    () =>
      withRedis((url, prefix) =>
        Effect.gen(function* () {
          yield* Effect.gen(function* () {
            const database = Layer.succeed(SqlClient.SqlClient, yield* SqlClient.SqlClient)
            yield* addAccount("ada")
            const link = yield* cutLink(url)
            const build = Layer.build(
              keysOver(database, Layer.fresh(RedisLink.layer(Redacted.make(link.url.toString()), prefix)))
            )
            const [one, two] = [yield* build, yield* build]
            const isGood = (key: Redacted.Redacted) =>
              Effect.map(Effect.orDie(Context.get(two, ApiKeys).verify(Redacted.value(key))), Option.isSome)
            const areListening = Effect.map(
              Context.get(one, RedisLink).send(["PUBSUB", "NUMSUB", `${prefix}revoked`], Option.some),
              Option.exists((reply) => Array.isArray(reply) && reply[1] === 2)
            )
            const revokeOne = Effect.gen(function* () {
              const { create, revoke } = Context.get(one, AccountKeys)
              const made = Option.getOrThrow(
                yield* create(toHolder("ada"), { name: "one", scopes: undefined, expiresAt: undefined })
              )
              assert.isTrue(yield* isGood(made.key))
              yield* revoke(toHolder("ada"), made.stored.id)
              return made.key
            })
            yield* soon(areListening)
            const shared = yield* revokeOne
            // No time passes.
            yield* soon(Effect.map(isGood(shared), (good) => !good))
            yield* link.turn("closed")
            const alone = yield* revokeOne
            assert.isTrue(yield* isGood(alone))
            yield* TestClock.adjust("1 second")
            assert.isFalse(yield* isGood(alone))
          }).pipe(Effect.provide(embeddedDatabase))
        })
      ),
    240_000
  )
})
