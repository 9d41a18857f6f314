import { describe, layer } from "@effect/vitest"
import { Clock, Effect, Random, Schedule } from "effect"
import type { Inflicted } from "./Scenario.ts"
import { endure } from "./Scenario.ts"
import { soak, soakMinutes } from "./Soak.ts"
import { menu } from "./world/FaultMenu.ts"
import { hasNamespaces } from "./world/Links.ts"
import { postgresPrograms } from "./world/OwnPostgres.ts"
import { redisProgram } from "./world/OwnRedis.ts"
import { mayMount } from "./world/SmallDisk.ts"
import { World } from "./world/World.ts"

const number = (variable: string, usual: number) => Number(process.env[variable] ?? usual)
const instances = number("CHAINTAPE_FAULTS_INSTANCES", 3)
const killSeconds = number("CHAINTAPE_FAULTS_KILL_SECONDS", 40)
const killEverySeconds = 10

const minutes = (count: number) => count * 60_000
const wait = (seconds: number) => Effect.sleep(seconds * 1000)
const anyOf = Random.nextIntBetween(0, instances - 1)

/**
 * Kills one instance every ten seconds, though never the last one: while the others are starting, the kill is delayed
 * until one of them responds. Requests to the killed one may fail.
 */
const killedByTurns = Effect.gen(function* () {
  const { balancer, instances } = yield* World
  const begun = yield* Clock.currentTimeMillis
  let inFlight = 0
  let kills = 0
  let putOff = 0
  while ((yield* Clock.currentTimeMillis) - begun < killSeconds * 1000) {
    const at = yield* anyOf
    const others = instances.filter((_, other) => other !== at && balancer.isUp(other))
    if (instances.length > 1 && others.length === 0) {
      putOff += 1
      yield* wait(1)
      continue
    }
    inFlight += balancer.inFlight(at)
    kills += 1
    yield* instances[at]?.signal("SIGKILL") ?? Effect.void
    yield* wait(killEverySeconds)
  }
  const what = `${kills} kills in ${killSeconds} s (put off for ${putOff} s) with ${inFlight} requests in flight`
  return { what, failuresAllowed: inFlight } satisfies Inflicted
})

/** Kills at random moments, also while an instance starts, some with a warning. */
const killedAtRandom = Effect.gen(function* () {
  const { instances } = yield* World
  const kills = 12
  for (let kill = 0; kill < kills; kill++) {
    yield* Effect.sleep(yield* Random.nextIntBetween(200, 4000))
    yield* instances[yield* anyOf]?.signal(kill % 3 === 0 ? "SIGTERM" : "SIGKILL") ?? Effect.void
  }
  return { what: `${kills} ends at random, every third by SIGTERM` }
})

/** Pauses every instance for a while, one after the other, so that its work is taken over and it wakes up. */
const stoppedAndGone = Effect.gen(function* () {
  const { instances } = yield* World
  for (const { signal } of instances) {
    yield* signal("SIGSTOP")
    yield* Effect.ensuring(wait(8), signal("SIGCONT"))
    yield* wait(2)
  }
  return { what: `${instances.length} instances stopped for 8 s each, and continued` }
})

const storeRestarted = Effect.gen(function* () {
  const { postgres } = yield* World
  yield* postgres.signal("SIGINT")
  yield* wait(8)
  yield* postgres.signal("SIGKILL")
  yield* wait(8)
  yield* postgres.again.close
  yield* postgres.signal("SIGKILL")
  yield* Effect.ensuring(wait(10), postgres.again.open)
  return { what: "PostgreSQL restarted, killed, and away for 10 s" }
})

const diskFull = Effect.gen(function* () {
  const { disk, postgres } = yield* World
  const refusals = () => (postgres.child()?.log() ?? "").split("No space left on device").length - 1
  const [starts, before] = [postgres.starts(), refusals()]
  if (disk !== undefined) {
    yield* disk.fill.pipe(
      Effect.repeat(Schedule.spaced("200 millis").pipe(Schedule.upTo({ duration: "15 seconds" }))),
      Effect.ensuring(disk.empty)
    )
  }
  const [refused, started] = [refusals() - before, postgres.starts() - starts]
  return {
    what: `the disk of PostgreSQL full for 15 s, which it noticed ${refused} times and was started ${started} times`
  }
})

const redisAway = Effect.gen(function* () {
  const { redis } = yield* World
  yield* redis.signal("SIGKILL")
  yield* wait(4)
  yield* redis.again.close
  yield* redis.signal("SIGKILL")
  yield* Effect.ensuring(wait(6), redis.again.open)
  yield* wait(3)
  yield* redis.signal("SIGSTOP")
  yield* Effect.ensuring(wait(6), redis.signal("SIGCONT"))
  return { what: "Redis killed, away for 6 s, stopped for 6 s" }
})

const linksCut = Effect.gen(function* () {
  const { links } = yield* World
  const lasting = (seconds: number, some: ReadonlyArray<(typeof links.of)[number]>) =>
    Effect.forEach(some, ({ cut }) => cut).pipe(
      Effect.andThen(wait(seconds)),
      Effect.ensuring(Effect.forEach(some, ({ mend }) => mend))
    )
  for (const link of links.of) {
    yield* lasting(6, [link])
    yield* wait(2)
  }
  yield* lasting(6, links.of)
  return { what: `the ways to the store cut one by one and then all, 6 s each (${links.means})` }
})

const linksSlowed = Effect.gen(function* () {
  const { links } = yield* World
  yield* Effect.forEach(links.of, ({ slow }) => slow ?? Effect.void)
  yield* Effect.ensuring(
    wait(15),
    Effect.forEach(links.of, ({ mend }) => mend)
  )
  return { what: "the ways to the store with 256 kbit/s for 15 s" }
})

const hourMs = 3_600_000

const clocksStepped = Effect.gen(function* () {
  const { instances } = yield* World
  for (const [at, { stepClock }] of instances.entries()) yield* stepClock(at % 2 === 0 ? hourMs : -hourMs)
  yield* wait(8)
  for (const [at, { stepClock }] of instances.entries()) yield* stepClock(at % 2 === 0 ? -hourMs : hourMs)
  yield* wait(8)
  for (const { stepClock } of instances) yield* stepClock(0)
  yield* wait(4)
  return { what: "the clocks of the instances stepped by an hour, forward and back" }
})

const upstreamsFaulty = Effect.gen(function* () {
  const { outside } = yield* World
  yield* outside.suffer(menu)
  yield* Effect.ensuring(
    Effect.gen(function* () {
      for (const depth of [1, 3, 7, 20]) {
        yield* wait(6)
        yield* outside.reorg(depth)
      }
    }),
    outside.suffer([])
  )
  return { what: `${menu.length} faults of the exchange at once and 4 reorgs` }
})

const lacking = postgresPrograms === undefined || redisProgram === undefined
const on = lacking ? "PostgreSQL and Redis are not installed" : String(instances)

describe.skipIf(lacking)(`several instances (${on})`, () => {
  layer(World.layer(instances), { timeout: "240 seconds", excludeTestServices: true })((it) => {
    it.effect("agree with journal and chain under load alone, and do not grow", () => soak, minutes(4 + soakMinutes))
    it.effect(
      "answer everything but the requests in flight while one of them is killed every ten seconds",
      () => endure("killed by turns", killedByTurns),
      minutes(3) + killSeconds * 1000
    )
    it.effect("survive ends at random moments", () => endure("killed at random", killedAtRandom), minutes(4))
    it.effect(
      "leave their work to others when they are stopped, and write nothing when they wake up",
      () => endure("stopped", stoppedAndGone),
      minutes(4)
    )
    it.effect("survive restarts and kills of PostgreSQL", () => endure("PostgreSQL", storeRestarted), minutes(4))
    it.effect.skipIf(!mayMount)(
      "survive a full disk of PostgreSQL (root)",
      () => endure("disk full", diskFull),
      minutes(4)
    )
    it.effect("survive without Redis", () => endure("Redis", redisAway), minutes(4))
    it.effect("survive cut ways to the store", () => endure("cut", linksCut), minutes(4))
    it.effect.skipIf(!hasNamespaces)(
      "survive slow ways to the store (root, ip netns, tc)",
      () => endure("slowed", linksSlowed),
      minutes(4)
    )
    it.effect("survive steps of their clock", () => endure("clock", clocksStepped), minutes(4))
    it.effect(
      "survive an exchange with every fault and a chain that reorganises",
      () => endure("upstreams", upstreamsFaulty),
      minutes(4)
    )
  })
})
