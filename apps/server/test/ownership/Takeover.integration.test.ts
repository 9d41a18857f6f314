import { SandboxExchange } from "@chaintape/sandbox"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import type { Instance } from "./Instances.ts"
import { key, makeWorld, markets, ownersOf, signal, statusOf, until, works } from "./Instances.ts"

const server = process.env["DATABASE_URL"]

/** Of each second: enough that a takeover is followed by a trade at once. */
const exchange = SandboxExchange.layer({
  tradesPerSecond: 20,
  tick: "50 millis",
  history: "1 minute",
  rateLimit: "none"
})

const work = "recording:sandbox/BTC/USD"

const isLiveOn = (instance: Instance) =>
  Effect.map(statusOf(instance), (status) =>
    status?.recordings.every(({ state }) => state === "live") === true ? true : undefined
  )

/** The recording goes on elsewhere: another instance has it, and every instance shows it live. */
const takenOver = Effect.fnUntraced(function* (others: ReadonlyArray<Instance>) {
  const { found: owner, took } = yield* until(
    "another owner",
    Effect.map(ownersOf(work, others), ([one]) => one)
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

        // Each piece of work has one owner, and every instance answers from what that one stores.
        for (const one of works) yield* world.ownerOf(one, instances)
        for (const instance of instances) {
          yield* until(
            "a proven answer from the record",
            Effect.map(readTrades(instance), ({ coverage, source, status }) =>
              status === 200 && source === "record" && coverage.includes("complete=?1") ? true : undefined
            )
          )
        }

        const kills: Array<number> = []
        for (let round = 0; round < 5; round++) {
          const { epoch, owner } = yield* world.ownerOf(work, instances)
          yield* signal(owner, "SIGKILL")
          const { liveAfter, took } = yield* takenOver(without(owner))
          kills.push(took)
          yield* Effect.logInfo(`Killed: taken over after ${took} ms, live again after ${liveAfter} ms.`)
          assert.isAbove((yield* world.leaseOf(work)).epoch, epoch)
          instances = [...without(owner), yield* world.begin(environment)]
        }
        assert.isAtMost(Math.max(...kills), 5000, kills.join(" "))

        const { owner: stopped } = yield* world.ownerOf(work, instances)
        yield* signal(stopped, "SIGSTOP")
        const { took } = yield* takenOver(without(stopped))
        yield* Effect.logInfo(`Stopped: taken over after ${took} ms.`)
        assert.isAtMost(took, 6000)
        // It hears that it was taken for dead, and has its share again later, in another epoch.
        yield* signal(stopped, "SIGCONT")
        yield* until(
          "the old owner to know",
          Effect.sync(() => (stopped.started.output().includes(`\\"${work}\\" ends on this`) ? true : undefined))
        )

        const { owner: last } = yield* world.ownerOf(work, instances)
        yield* signal(last, "SIGTERM")
        const ended = yield* takenOver(without(last))
        yield* Effect.logInfo(`Ended: taken over after ${ended.took} ms, live again after ${ended.liveAfter} ms.`)
        assert.isAtMost(ended.took, 3000)

        yield* until(
          "recordings without gaps",
          Effect.map(statusOf(ended.owner), (status) =>
            status?.recordings.every(({ gapCount, state }) => gapCount === 0 && state === "live") === true
              ? true
              : undefined
          )
        )
        for (const market of markets) assert.isAbove(yield* world.compare(market), 100)
      }).pipe(Effect.scoped, Effect.provide(Layer.merge(exchange, NodeServices.layer))),
    900_000
  )
})
