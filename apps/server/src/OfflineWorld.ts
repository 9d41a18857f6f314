import { fileURLToPath } from "node:url"
import { Announcement } from "@chaintape/sandbox"
import { Data, Deferred, Effect, Schema, Stream } from "effect"
import type { Scope } from "effect"
import { ChildProcess, type ChildProcessSpawner } from "effect/process"
import type { ConfigFile } from "./Config.ts"

export class OfflineWorldError extends Data.TaggedError("OfflineWorldError")<{ readonly message: string }> {}

const program = fileURLToPath(import.meta.resolve("@chaintape/sandbox/main"))
const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Announcement))

const toConfig = ({ chain, exchange }: Announcement): ConfigFile => ({
  blockchains: [{ id: "devnet", name: "Devnet", rpc: [chain.rpc], finality: 32, ephemeral: true }],
  dexes: [
    {
      id: "uniswap-v3",
      name: "Uniswap V3",
      blockchain: "devnet",
      source: "index",
      factory: chain.factory,
      startBlock: chain.startBlock,
      referenceToken: chain.referenceToken,
      stablePool: chain.stablePool,
      whitelist: chain.whitelist,
      stablecoins: chain.stablecoins,
      minimumNativeLocked: chain.minimumNativeLocked
    }
  ],
  exchanges: [
    {
      id: "sandbox",
      name: "Sandbox Exchange",
      driver: "coinbaseexchange",
      rest: exchange.rest,
      websocket: exchange.websocket,
      record: exchange.markets
    }
  ]
})

/** A running sandbox, and the configuration that points at it. */
export interface OfflineWorld {
  readonly config: ConfigFile
  /** Completes when the sandbox ends by itself. */
  readonly exited: Effect.Effect<OfflineWorldError>
}

/** Starts the sandbox in a process of its own. It ends with the scope, and also when this process is killed. */
export const startOfflineWorld = Effect.fn("startOfflineWorld")(function* (
  dataDir: string
): Effect.fn.Return<OfflineWorld, OfflineWorldError, ChildProcessSpawner.ChildProcessSpawner | Scope.Scope> {
  const child = yield* ChildProcess.make(process.execPath, ["--conditions=chaintape-source", program], {
    env: { SANDBOX_ATTACHED: "true", SANDBOX_JOURNAL_DIR: `${dataDir}/sandbox` },
    extendEnv: true,
    stdin: Stream.never,
    stderr: "inherit",
    forceKillAfter: "5 seconds"
  }).pipe(
    Effect.mapError((error) => new OfflineWorldError({ message: `The sandbox cannot be started: ${error.message}` }))
  )

  const announced = yield* Deferred.make<string>()
  yield* child.stdout.pipe(
    Stream.decodeText,
    Stream.splitLines,
    Stream.runForEach((line) => Deferred.succeed(announced, line)),
    Effect.ignore,
    Effect.forkScoped
  )
  const exited = child.exitCode.pipe(
    Effect.ignore,
    Effect.as(new OfflineWorldError({ message: "The sandbox has ended by itself: its last words stand above." }))
  )
  const line = yield* Effect.raceFirst(Deferred.await(announced), Effect.flatMap(exited, Effect.fail))
  const announcement = yield* decode(line).pipe(
    Effect.mapError(
      () => new OfflineWorldError({ message: `The sandbox announced itself as "${line.slice(0, 200)}".` })
    )
  )
  return { config: toConfig(announcement), exited }
})
