import { SandboxExchange } from "@chaintape/sandbox"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { measureRealTime } from "../MeasureRealTime.ts"
import type { Instance } from "./Instances.ts"
import { key, makeWorld, markets, toOwners, signal, toStatus, until, works } from "./Instances.ts"

const server = process.env["DATABASE_URL"]

/** Per second: enough that a trade follows a takeover at once. */
const exchange = SandboxExchange.layer({
  tradesPerSecond: 20,
  tick: "50 millis",
  history: "1 minute",
  rateLimit: "none"
})

const work = "recording:sandbox/BTC/USD"

const isLiveOn = (instance: Instance) =>
  Effect.map(toStatus(instance), (status) =>
    status?.recordings.every(({ state }) => state === "live") === true ? true : undefined
  )

/** The recording continues elsewhere: another instance owns it, and every instance reports it as live. */
const takenOver = Effect.fnUntraced(function* (others: ReadonlyArray<Instance>) {
  const { found: owner, took } = yield* until(
    "another owner",
    Effect.map(toOwners(work, others), ([one]) => one)
  )
  const { took: longer } = yield* until(
    "a live recording on every instance",
    Effect.map(Effect.forEach(others, isLiveOn, { concurrency: "unbounded" }), (live) =>
      live.every((one) => one === true) ? true : undefined
    )
  )
  return { owner, took, liveAfter: took + longer }
})

const readTrades = ({ origin }: Instance) =>
  Effect.promise(async () => {
    const headers = { "api-key": key }
    const response = await fetch(`${origin}/v2/cex/sandbox/BTC-USD/trades?limit=20`, { headers })
    await response.text()
    const told = (name: string) => response.headers.get(name) ?? ""
    return { status: response.status, source: told("chaintape-source"), coverage: told("chaintape-coverage") }
  })

describe.skipIf(server === undefined)("three instances on one PostgreSQL server (DATABASE_URL)", () => {
  it.live(
    "share the work, and take it over from one that is killed, stopped or ended; nothing is lost or written twice",
    () =>
      Effect.gen(function* () {
        const world = yield* makeWorld(server ?? "")
        const environment = { CHAINTAPE_BOOTSTRAP_KEY: key }
        let instances: ReadonlyArray<Instance> = yield* Effect.forEach(
          ["one", "two", "three"],
          () => world.begin(environment),
          { concurrency: "unbounded" }
        )
        const without = (gone: Instance) => instances.filter((one) => one !== gone)
        yield* until(
          "live recordings on all",
          Effect.map(Effect.forEach(instances, isLiveOn), (live) =>
            live.every((one) => one === true) ? true : undefined
          )
        )

        // Each piece of work has one owner, and every instance reads what that one stores.
        for (const one of works) yield* world.toOwner(one, instances)
        for (const instance of instances) {
          yield* until(
            "a proven answer from the record",
            Effect.map(readTrades(instance), ({ coverage, source, status }) =>
              status === 200 && source === "record" && coverage.includes("complete=?1") ? true : undefined
            )
          )
        }

        /** Ends the owner of the work in this way, and returns the time until another one owned it. */
        const afterEndOf = Effect.fnUntraced(function* (ending: "SIGKILL" | "SIGTERM") {
          const { epoch, owner } = yield* world.toOwner(work, instances)
          yield* signal(owner, ending)
          const { liveAfter, took } = yield* takenOver(without(owner))
          yield* Effect.logInfo(`${ending}: taken over after ${took} ms, live again after ${liveAfter} ms.`)
          assert.isAbove((yield* world.toLease(work)).epoch, epoch)
          for (const market of markets) yield* world.compare(market)
          instances = [...without(owner), yield* world.begin(environment)]
          return took
        })
        for (let round = 0; round < 5; round++) yield* measureRealTime(afterEndOf("SIGKILL"), (took) => took <= 5000)

        const stopped = Effect.gen(function* () {
          const { owner } = yield* world.toOwner(work, instances)
          yield* signal(owner, "SIGSTOP")
          const { took } = yield* takenOver(without(owner))
          yield* Effect.logInfo(`SIGSTOP: taken over after ${took} ms.`)
          // It learns that it was considered dead, and gets its share again later, in another epoch.
          const before = owner.started.output().length
          yield* signal(owner, "SIGCONT")
          const heard = `\\"${work}\\" ends on this`
          yield* until(
            "the old owner to know",
            Effect.sync(() => (owner.started.output().includes(heard, before) ? true : undefined))
          )
          return took
        })
        yield* measureRealTime(stopped, (took) => took <= 6000)
        yield* measureRealTime(afterEndOf("SIGTERM"), (took) => took <= 3000)

        for (const market of markets) {
          const { found: trades } = yield* until(
            `a tape of ${market} without gaps`,
            Effect.map(world.compare(market), ({ gaps, trades }) => (gaps === 0 ? trades : undefined))
          )
          assert.isAbove(trades, 100)
        }
        yield* until(
          "recordings that report no gaps",
          Effect.map(Effect.forEach(instances, toStatus), ([status]) =>
            status?.recordings.every(({ gapCount, state }) => gapCount === 0 && state === "live") === true
              ? true
              : undefined
          )
        )
      }).pipe(Effect.scoped, Effect.provide(Layer.merge(exchange, NodeServices.layer))),
    1_800_000
  )
})
