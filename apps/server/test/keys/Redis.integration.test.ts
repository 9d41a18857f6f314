import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Config, Context, Effect, Layer, Logger, Option, Random, Redacted, Schedule } from "effect"
import type { Duration, Scope } from "effect"
import { RateLimiter } from "effect/persistence"
import { SqlClient } from "effect/sql"
import { SignInThrottle } from "../../src/accounts/SignInThrottle.ts"
import { AccountKeys } from "../../src/keys/AccountKeys.ts"
import { ApiKeys } from "../../src/keys/ApiKeys.ts"
import { Quotas } from "../../src/keys/Quotas.ts"
import { RedisLink } from "../../src/keys/RedisLink.ts"
import * as SharedLimitStore from "../../src/keys/SharedLimitStore.ts"
import { Usage } from "../../src/keys/Usage.ts"
import { embeddedDatabase } from "../OwnDatabase.ts"
import { usageInMemory } from "../RunningService.ts"
import { cutLink } from "./CutLink.ts"
import { addAccount, keysOver } from "./KeyDatabase.ts"

/** The Redis that REDIS_URL names, if any. */
const given = Effect.map(Config.option(Config.Redacted("REDIS_URL")), (url) =>
  url.pipe(
    Option.map((text) => Redacted.value(text)),
    Option.filter((text) => text !== ""),
    Option.map((text) => new URL(text))
  )
)

const prefix = Effect.map(Random.nextIntBetween(0, 1_000_000_000), (number) => `chaintape-test-${number}:`)

const withRedis = <E>(
  test: (url: URL, prefix: string) => Effect.Effect<void, E, NodeServices.NodeServices | Scope.Scope>
) =>
  Effect.gen(function* () {
    const url = yield* given
    if (Option.isSome(url)) yield* test(url.value, yield* prefix)
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

/** One instance: its buckets and quotas. */
const instance = (url: URL, prefix: string) =>
  Layer.build(
    Layer.fresh(
      Layer.mergeAll(RateLimiter.layer.pipe(Layer.provide(SharedLimitStore.layer)), Quotas.layer).pipe(
        Layer.provide(Usage.layer.pipe(Layer.provide(usageInMemory))),
        Layer.provideMerge(RedisLink.layer(Redacted.make(url.toString()), prefix))
      )
    )
  )

type Instance = Effect.Success<ReturnType<typeof instance>>

const bucket = { algorithm: "token-bucket", key: "key:one", limit: 10, window: "1 hour" } as const

const take = (of: Instance) =>
  Context.get(of, RateLimiter.RateLimiter)
    .consume(bucket)
    .pipe(
      Effect.map(({ remaining }) => remaining),
      Effect.orElseSucceed(() => -1)
    )

const isShared = (of: Instance) =>
  Effect.map(
    Context.get(of, RedisLink).ask((redis) => redis.send("PING")),
    Option.isSome
  )

const until = (what: Effect.Effect<boolean>, patience: Duration.Input) =>
  what.pipe(
    Effect.repeat({ until: (is: boolean) => is, schedule: Schedule.spaced("20 millis") }),
    Effect.timeout(patience)
  )

const timed = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const started = yield* Clock.currentTimeMillis
    const value = yield* effect
    return [(yield* Clock.currentTimeMillis) - started, value] as const
  })

describe("instances with REDIS_URL", () => {
  it.live("share their buckets and quotas", () =>
    withRedis((url, prefix) =>
      Effect.gen(function* () {
        const [one, two] = [yield* instance(url, prefix), yield* instance(url, prefix)]
        assert.deepStrictEqual([yield* take(one), yield* take(two), yield* take(one)], [9, 8, 7])
        const day = (of: Instance) => Context.get(of, Quotas).take("one", 2, 5)
        assert.deepInclude(yield* day(one), { refused: false, remaining: 3 })
        assert.deepInclude(yield* day(two), { refused: false, remaining: 1 })
        assert.deepInclude(yield* day(one), { refused: true, remaining: 1 })
        const many = Array.from({ length: 40 }, (_, number) => take(number % 2 === 0 ? one : two))
        const answers = yield* Effect.all(many, { concurrency: 20 })
        assert.lengthOf(
          answers.filter((remaining) => remaining >= 0),
          7
        )
      })
    )
  )

  it.live("share the tries to sign in", () =>
    withRedis((url, prefix) =>
      Effect.gen(function* () {
        const three = { attempts: 3, window: "1 hour" } as const
        const throttle = SignInThrottle.layerOf({
          address: three,
          accountFromAddress: three,
          account: three,
          signUp: three
        })
        const tries = Effect.map(instance(url, prefix), (of) =>
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
    "go on by themselves while it is away, without making anybody wait, and share again when it is back",
    () =>
      withRedis((url, prefix) => {
        const log: Array<string> = []
        const logger = Logger.layer([Logger.map(Logger.formatJson, (line) => log.push(line))])
        return Effect.gen(function* () {
          const link = yield* cutLink(url)
          const [one, two] = yield* Effect.all([instance(link.url, prefix), instance(link.url, prefix)])
          for (const way of ["closed", "silent", "closed"] as const) {
            yield* until(
              Effect.map(Effect.all([isShared(one), isShared(two)]), ([a, b]) => a && b),
              "10 seconds"
            )
            const before = yield* take(one)
            assert.strictEqual(yield* take(two), before - 1)
            yield* link.turn(way)
            const [first] = yield* timed(take(one))
            assert.isBelow(first, 600, `the first request of ${way}`)
            const [rest] = yield* timed(Effect.repeat(take(one), { times: 99 }))
            assert.isBelow(rest, 500, `a hundred further requests of ${way}`)
            assert.isFalse(yield* isShared(one))
            yield* take(two)
            yield* link.turn("open")
          }
          yield* until(
            Effect.map(Effect.all([isShared(one), isShared(two)]), ([a, b]) => a && b),
            "10 seconds"
          )
          const changes = log.filter((line) => line.includes("Redis"))
          assert.lengthOf(
            changes.filter((line) => line.includes("does not answer")),
            6,
            changes.join("\n")
          )
          assert.lengthOf(
            changes.filter((line) => line.includes("Redis answers")),
            8,
            changes.join("\n")
          )
          assert.lengthOf(log, changes.length, log.join("\n"))
        }).pipe(Effect.provide(logger))
      }),
    40_000
  )

  it.live(
    "start without it, and share when it comes",
    () =>
      withRedis((url, prefix) =>
        Effect.gen(function* () {
          const link = yield* cutLink(url)
          yield* link.turn("closed")
          const [started, one] = yield* timed(instance(link.url, prefix))
          assert.isBelow(started, 2500)
          assert.strictEqual(yield* take(one), 9)
          assert.isFalse(yield* isShared(one))
          yield* link.turn("open")
          yield* until(isShared(one), "10 seconds")
        })
      ),
    20_000
  )

  it.live("stop at once while it is away", () =>
    withRedis((url, prefix) =>
      Effect.gen(function* () {
        const link = yield* cutLink(url)
        for (const [before, after] of [
          ["open", "silent"],
          ["closed", "closed"]
        ] as const) {
          yield* link.turn(before)
          const life = Effect.andThen(instance(link.url, prefix), link.turn(after))
          const [lasted] = yield* timed(Effect.scoped(life))
          assert.isBelow(lasted, 4000, after)
        }
      })
    )
  )

  it.live(
    "know of a revocation within a second of each other, and within five without it",
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
              Effect.map(Context.get(two, ApiKeys).verify(Redacted.value(key)), Option.isSome)
            const revoke = Effect.fnUntraced(function* () {
              const { create, revoke } = Context.get(one, AccountKeys)
              const made = Option.getOrThrow(
                yield* create("ada", { name: "one", scopes: undefined, expiresAt: undefined })
              )
              assert.isTrue(yield* isGood(made.key))
              yield* revoke("ada", made.stored.id)
              const refused = Effect.map(Effect.orDie(isGood(made.key)), (good) => !good)
              return yield* timed(until(refused, "6 seconds"))
            })
            yield* Effect.sleep("300 millis")
            const [shared] = yield* revoke()
            assert.isBelow(shared, 400)
            yield* link.turn("closed")
            const [alone] = yield* revoke()
            assert.isBelow(alone, 1500)
          }).pipe(Effect.provide(embeddedDatabase))
        })
      ),
    40_000
  )
})
