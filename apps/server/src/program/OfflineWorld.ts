import { Announcement } from "@chaintape/sandbox/Announcement"
import { Context, Data, Effect, FileSystem, Path, Schema } from "effect"
import type { Scope } from "effect"
import { toMessage } from "../internal/toMessage.ts"
import type { SandboxAddresses } from "../web/demo/SandboxControl.ts"
import type { ConfigFile } from "./Config.ts"
import { sandboxConfigFile } from "./ReadConfigFile.ts"
import { startSandbox } from "./SandboxProcess.ts"
import type { SandboxProcess } from "./SandboxProcess.ts"

export class OfflineWorldError extends Data.TaggedError("OfflineWorldError")<{ readonly message: string }> {}

/** The sandbox, if the entry point has already started it. */
export const StartedSandbox = Context.Reference<SandboxProcess | undefined>(
  "@chaintape/server/program/StartedSandbox",
  {
    defaultValue: () => undefined
  }
)

const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Announcement))

/** Configures a sandbox like any other exchange and chain. */
export const toConfig = ({ chain, exchange }: Pick<Announcement, "chain" | "exchange">): ConfigFile => ({
  blockchains: [{ id: "devnet", name: "Devnet", rpc: [chain.rpc], finality: 32, ephemeral: true }],
  dexes: chain.dexes.map((dex) => ({ ...dex, blockchain: "devnet", source: "index" })),
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
  /** The addresses that accept faults and reorgs. */
  readonly control: SandboxAddresses
  /** Completes when the sandbox ends by itself. */
  readonly exited: Effect.Effect<OfflineWorldError>
}

const stopTimeout = "5 seconds"

/** Ends it, and waits until it has exited. */
const finish = (sandbox: SandboxProcess) =>
  Effect.sync(sandbox.end).pipe(
    Effect.andThen(Effect.promise(() => sandbox.ended)),
    Effect.timeoutOrElse({ duration: stopTimeout, orElse: () => Effect.sync(sandbox.kill) })
  )

/** Stores the configuration of the running sandbox, for commands that read the same sources. */
const saveConfig = Effect.fnUntraced(
  function* (dataDir: string, config: ConfigFile) {
    const files = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    yield* files.writeFileString(path.join(dataDir, sandboxConfigFile), `${JSON.stringify(config, null, 2)}\n`)
  },
  Effect.mapError(({ message }) => new OfflineWorldError({ message }))
)

/** Starts the sandbox in a process of its own, which ends with the scope. */
export const startOfflineWorld = Effect.fn("OfflineWorld.start")(function* (
  dataDir: string
): Effect.fn.Return<OfflineWorld, OfflineWorldError, Scope.Scope | FileSystem.FileSystem | Path.Path> {
  const started = yield* StartedSandbox
  const sandbox = yield* Effect.acquireRelease(
    Effect.try({
      try: () => started ?? startSandbox(dataDir),
      catch: (cause) => new OfflineWorldError({ message: toMessage(cause) })
    }),
    finish
  )
  const exited = Effect.map(
    Effect.promise(() => sandbox.ended),
    (message) => new OfflineWorldError({ message })
  )
  const line = yield* Effect.raceFirst(
    Effect.promise(() => sandbox.firstLine),
    Effect.flatMap(exited, Effect.fail)
  )
  const announcement = yield* decode(line).pipe(
    Effect.mapError(
      () => new OfflineWorldError({ message: `The sandbox announced itself as "${line.slice(0, 200)}".` })
    )
  )
  const { chain, exchange } = announcement
  const config = toConfig(announcement)
  yield* saveConfig(dataDir, config)
  return { config, control: { exchange: exchange.rest, chain: chain.control }, exited }
})
