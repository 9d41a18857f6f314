import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Context, Effect, Layer } from "effect"
import { toConfig } from "../../../src/program/OfflineWorld.ts"
import { waitFor } from "../../cex/tape/record/RecordingService.ts"
import { call } from "../../HttpCall.ts"
import { differencesOfIndex, newestIndexed, readChain, readIndex } from "../proof/IndexProof.ts"
import { startLoad } from "../proof/Load.ts"
import { startSubscribers } from "../proof/Subscribers.ts"
import { differencesOfTape, readTape } from "../proof/TapeProof.ts"
import { broken, startWitness } from "../proof/Witness.ts"
import { startBalancer } from "./Balancer.ts"
import { keepRunning } from "./Child.ts"
import { freePort } from "./FreePort.ts"
import { makeLinks } from "./Links.ts"
import type { Outside } from "./Outside.ts"
import { startOutside } from "./Outside.ts"
import { ownPostgres } from "./OwnPostgres.ts"
import { ownRedis } from "./OwnRedis.ts"
import { mayMount, smallDisk } from "./SmallDisk.ts"
import { Workshop } from "./Workshop.ts"

const server = fileURLToPath(new URL("../../../src/main.ts", import.meta.url))
const preloaded = ["steppedClock", "memoryReport"].map(
  (name) => `--import=${new URL(`../internal/${name}.ts`, import.meta.url).href}`
)
/** The key of every instance. */
export const instanceKey = "chaintape_key-of-the-fault-suite"

const subscriberCount = 9
const storeMegabytes = 900

const boundless = { burst: 1_000_000, perSecond: 100_000 }

/** The chain outlives its indexes, whichever instance restarts. */
export const configOf = (outside: Outside) => {
  const config = toConfig(outside)
  return {
    ...config,
    blockchains: (config.blockchains ?? []).map((chain) => ({ ...chain, ephemeral: false })),
    limits: { plans: { default: boundless }, address: boundless, withoutKey: boundless, connectionsPerAddress: 4096 }
  }
}

/** One instance of the service, which is restarted whenever it ends. */
export const startInstance = Effect.fnUntraced(function* (
  name: string,
  port: number,
  environment: Readonly<Record<string, string>>
) {
  const { directory } = yield* Workshop
  const step = join(directory, `${name}.clock`)
  writeFileSync(step, "0")
  const kept = yield* keepRunning({
    name,
    command: process.execPath,
    args: ["--conditions=chaintape-source", ...preloaded, server],
    environment: {
      PORT: String(port),
      METRICS_PORT: "0",
      CHAINTAPE_CONFIG: join(directory, "chaintape.config.json"),
      CHAINTAPE_DATA_DIR: join(directory, name),
      CHAINTAPE_BOOTSTRAP_KEY: instanceKey,
      STEPPED_CLOCK: step,
      MEMORY_REPORT: join(directory, `${name}.memory`),
      ...environment
    },
    ending: "SIGTERM"
  })
  return {
    ...kept,
    name,
    port,
    /** Sets the instance's clock to this many milliseconds beside the right one. */
    stepClock: (milliseconds: number) => Effect.sync(() => writeFileSync(step, String(milliseconds)))
  }
})

export type Instance = Effect.Success<ReturnType<typeof startInstance>>

const make = (count: number, callers: number) =>
  Effect.gen(function* () {
    const { directory } = yield* Workshop
    const [storePort, redisPort] = [yield* freePort, yield* freePort]
    const links = yield* makeLinks(count, storePort)
    const redis = yield* ownRedis(redisPort)
    const disk = mayMount ? yield* smallDisk(storeMegabytes) : undefined
    const store = ownPostgres(links, storePort, disk === undefined ? undefined : join(disk.path, "postgres"))
    const [postgres, outside] = yield* Effect.all([store, startOutside], { concurrency: 2 })
    writeFileSync(join(directory, "chaintape.config.json"), JSON.stringify(configOf(outside)))
    yield* waitFor(
      "PostgreSQL",
      Effect.map(postgres.answers, (answers) => answers || undefined),
      30_000
    )
    const instances = yield* Effect.forEach(links.of, (link, at) =>
      Effect.flatMap(freePort, (port) =>
        startInstance(`instance-${at + 1}`, port, {
          DATABASE_URL: postgres.url(link),
          REDIS_URL: `redis://127.0.0.1:${redisPort}`
        })
      )
    )
    const balancer = yield* startBalancer(instances.map(({ port }) => port))
    const watched = outside.products[0] ?? ""
    const allUp = waitFor(
      "all instances",
      Effect.sync(() => instances.every((_, at) => balancer.isUp(at)) || undefined),
      90_000
    )
    yield* allUp
    // The history of the markets and of the chain first: the callers start when the service runs.
    yield* waitFor(
      "all instances to be ready",
      Effect.map(
        Effect.forEach(instances, ({ port }) =>
          Effect.option(call(`http://127.0.0.1:${port}`, { path: "/health/ready", patienceMs: 5000 }))
        ),
        (replies) => replies.every((reply) => reply._tag === "Some" && reply.value.status === 200) || undefined
      ),
      60_000
    )
    const witness = yield* startWitness(balancer.origin, instanceKey, watched)
    const subscribers = yield* startSubscribers(balancer.origin, instanceKey, watched, subscriberCount)
    const load = yield* startLoad(balancer.origin, instanceKey, outside.products, { callers, pauseMs: 50 })

    /** Until tapes and index hold everything up to now; fails with the differences if that takes too long. */
    const differences = Effect.fnUntraced(function* (offsets: ReadonlyArray<number>) {
      const found: Array<string> = []
      for (const product of outside.products) {
        const target = yield* outside.newest(product)
        const journal = yield* outside.journal(product, target)
        const proof = Effect.map(postgres.observe(readTape(product.replace("-", "/"), target)), (stored) =>
          differencesOfTape(stored, journal, offsets)
        )
        found.push(...(yield* settled(proof, 45_000)).map((one) => `${product}: ${one}`))
      }
      const head = yield* outside.head
      const index = Effect.gen(function* () {
        const newest = yield* postgres.observe(newestIndexed)
        if (newest < head - 2) return [`The index is at block ${newest} and the chain at ${head}.`]
        const block = Math.min(newest, head)
        const { overlapping, ...state } = yield* postgres.observe(readIndex(block))
        const chain = yield* readChain(outside.chain.rpc, outside.chain.factory, block)
        return [
          ...differencesOfIndex(state, chain),
          ...(overlapping > 0 ? [`${overlapping} versions of entities overlap.`] : [])
        ]
      })
      found.push(...(yield* settled(index, 45_000)))
      const target = yield* outside.newest(watched)
      found.push(...broken(witness, yield* outside.journal(watched, target)), ...subscribers.wrong.slice(0, 10))
      return found
    })
    return {
      disk,
      links,
      redis,
      postgres,
      outside,
      instances,
      balancer,
      witness,
      subscribers,
      load,
      differences,
      allUp
    }
  })

/** The result of a proof: nothing as soon as there are no differences, or the remaining ones after the timeout. */
const settled = Effect.fnUntraced(function* <E>(proof: Effect.Effect<ReadonlyArray<string>, E>, withinMs: number) {
  let found: ReadonlyArray<string> = []
  const look = Effect.map(Effect.result(proof), (result) => {
    found = result._tag === "Success" ? result.success : [`The store cannot be read: ${String(result.failure)}`]
    return found.length === 0
  })
  yield* look.pipe(
    Effect.andThen((isRight) =>
      isRight ? Effect.void : Effect.andThen(Effect.sleep("1 second"), Effect.fail("wrong"))
    ),
    Effect.retry({ times: Math.ceil(withinMs / 1000) }),
    Effect.timeoutOption(withinMs),
    Effect.ignore
  )
  return found
})

/** Several instances behind one address, with everything that they need, under load, with a witness. */
export class World extends Context.Service<World, Effect.Success<ReturnType<typeof make>>>()(
  "@chaintape/server/test/faults/World"
) {
  static readonly layer = (instances: number, callers = 4) =>
    // Interrupted before the test runner's timeout, so that everything ends in order.
    Layer.effect(World, Effect.timeout(make(instances, callers), "200 seconds")).pipe(
      Layer.provideMerge(Workshop.layer),
      Layer.provide(NodeServices.layer)
    )
}
