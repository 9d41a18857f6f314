import { watch } from "node:fs"
import { kill } from "node:process"
import { Devnet } from "@chaintape/sandbox"
import { NodeServices } from "@effect/platform-node"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, FileSystem, Random, Schedule } from "effect"
import { casesOf, runsMany } from "../Cases.ts"
import { key, RunningService } from "../RunningService.ts"
import { ready, start } from "../StartedProgram.ts"
import type { Started } from "../StartedProgram.ts"
import { configOf, everything, indexedService, indexStatus, untilIndexed, untilStatus } from "./IndexedService.ts"

const seed = "killed"
const kills = casesOf("CHAINTAPE_INDEX_KILLS", { few: 2, many: 12 })
const finality = 16

type Moment = "startup" | "writing" | "at the head, before a reorg" | "right after a reorg"

/**
 * The moments at which the service is killed, one after the other. After those at the head the chain reorganizes before
 * the next start.
 */
const moments: ReadonlyArray<Moment> = runsMany
  ? ["startup", "writing", "at the head, before a reorg", "writing", "right after a reorg"]
  : ["writing", "right after a reorg"]

const isAtHead = (moment: Moment | undefined) =>
  moment === "at the head, before a reorg" || moment === "right after a reorg"

const between = (low: number, high: number) => Random.nextIntBetween(low, high)

/** Sends requests to the service of another process, as if it were our own. */
const at = <A, E, R>(origin: string, effect: Effect.Effect<A, E, R | RunningService>) =>
  Effect.provideService(effect, RunningService, RunningService.of({ origin, log: [], spans: [] }))

/** A reorg since the service was started. */
const followed = untilStatus(({ reorgs }) => reorgs > 0)

/** The next write into a folder: the store is writing, or in the transaction of the write. */
const nextWrite = (folder: string) =>
  Effect.callback<void>((resume) => {
    const watcher = watch(folder, { recursive: true }, () => resume(Effect.void))
    return Effect.sync(() => watcher.close())
  }).pipe(Effect.timeoutOption("2 seconds"))

const murder = Effect.fnUntraced(function* ({ ended, pid }: Started) {
  yield* Effect.sync(() => kill(pid, "SIGKILL"))
  assert.strictEqual(yield* ended, "SIGKILL")
})

describe("a service that is killed while it indexes a chain that grows and reorganises", () => {
  it.live(
    `equals an index of the last chain only, after ${kills} kills at times of the seed "${seed}"`,
    () =>
      Effect.gen(function* () {
        const files = yield* FileSystem.FileSystem
        const devnet = yield* Devnet
        const folder = yield* files.makeTempDirectoryScoped()
        const config = configOf(devnet, [devnet.rpc], finality)
        yield* files.writeFileString(`${folder}/chaintape.config.json`, JSON.stringify(config))
        const environment = {
          CHAINTAPE_CONFIG: `${folder}/chaintape.config.json`,
          CHAINTAPE_DATA_DIR: `${folder}/data`,
          CHAINTAPE_BOOTSTRAP_KEY: key
        }
        let newest = 0
        const step = Effect.tap(devnet.chain.step, ({ number }) =>
          Effect.sync(() => {
            newest = number
          })
        )
        const grow = (count: number) => Effect.repeat(step, { times: count - 1 })
        /** Blocks that the index does not have yet. */
        const behind = indexStatus.pipe(
          Effect.map(({ indexed }) => indexed !== null && indexed < newest),
          Effect.repeat({ until: (isBehind) => isBehind, schedule: Schedule.spaced("5 millis"), times: 8000 })
        )
        const seen = { inCatchUp: 0, afterReorg: 0, reorgsMet: 0 }

        const meetsReorg = Effect.tap(followed, () =>
          Effect.sync(() => {
            seen.reorgsMet += 1
          })
        )

        const live = Effect.fnUntraced(function* (round: number, moment: Moment, before: Moment | undefined) {
          const started = yield* start(environment)
          if (moment === "startup") {
            yield* Effect.sleep(yield* between(50, 1200))
            return yield* murder(started)
          }
          const { origin } = yield* ready(started)
          // New blocks are mined until the service is killed.
          let isDead = false
          const growing = yield* Effect.forkChild(
            moment === "writing"
              ? Effect.repeat(step, { until: () => isDead, schedule: Schedule.spaced("40 millis") })
              : Effect.void
          )
          yield* at(
            origin,
            Effect.gen(function* () {
              if (isAtHead(before)) yield* meetsReorg
              if (moment === "writing") {
                yield* Effect.sleep(yield* between(0, 60))
                seen.inCatchUp += Number(yield* behind)
                return yield* nextWrite(`${folder}/data/database`)
              }
              const { number } = yield* grow(yield* between(1, 4))
              yield* untilIndexed(number)
              if (moment === "at the head, before a reorg") return undefined
              yield* devnet.chain.reorg(yield* between(1, finality - 4))
              // Half of the times before it can have seen it, and half of the times right after it has followed it.
              if (runsMany && round % 2 === 0) return yield* Effect.sleep(yield* between(0, 400))
              return yield* followed
            })
          )
          if (moment === "right after a reorg") {
            const { reorgs } = yield* at(origin, indexStatus)
            seen.afterReorg += Number(reorgs > 0)
          }
          yield* murder(started)
          isDead = true
          yield* Fiber.join(growing)
        }, Effect.scoped)

        let before: Moment | undefined
        yield* Effect.gen(function* () {
          for (let round = 0; round < kills; round++) {
            const moment = moments[round % moments.length] ?? "startup"
            yield* live(round, moment, before)
            if (isAtHead(moment)) {
              yield* devnet.chain.reorg(yield* between(1, finality - 4))
              yield* grow(runsMany ? 60 : 20)
            } else yield* grow(moment === "startup" ? 120 : yield* between(20, 40))
            before = moment
          }
        }).pipe(Random.withSeed(seed))
        const { number: head } = yield* devnet.chain.mine(1)
        const earlier = runsMany ? [head - 1, ...[1, 2, 3, 4].map((part) => Math.floor((head * part) / 5)), 3] : []
        const blocks = [head, head - finality, ...earlier]
        const survivor = yield* start(environment)
        const { origin } = yield* ready(survivor)
        if (isAtHead(before)) yield* at(origin, meetsReorg)
        const [killed, fresh] = yield* Effect.all([
          at(origin, Effect.andThen(untilIndexed(head), everything(blocks))),
          Effect.andThen(untilIndexed(head), everything(blocks)).pipe(
            Effect.provide(indexedService(config, `${folder}/fresh`))
          )
        ])
        assert.isAbove(fresh.size, 8 * blocks.length)
        assert.deepStrictEqual([...killed.keys()], [...fresh.keys()])
        for (const [path, body] of fresh) assert.deepStrictEqual(killed.get(path), body, path)
        assert.isAtLeast(seen.inCatchUp, 1)
        assert.isAtLeast(seen.reorgsMet, runsMany ? 2 : 1)
        assert.isAtLeast(seen.afterReorg, 1)
      }).pipe(
        Effect.scoped,
        Effect.provide([
          NodeServices.layer,
          Devnet.layer({ mode: "manual", seed, activity: 2, prefill: 30, genesisTimestamp: 1_700_000_000 })
        ])
      ),
    1_200_000
  )
})
