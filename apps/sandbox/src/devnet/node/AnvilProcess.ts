import { arch, platform } from "node:process"
import { Deferred, Effect, Fiber, FileSystem, Ref, Stream } from "effect"
import type { PlatformError, Scope } from "effect"
import { ChildProcess, type ChildProcessSpawner } from "effect/process"
import { anvilBinary } from "./AnvilBinary.ts"
import { DevnetError } from "./DevnetError.ts"

/** A running anvil. */
export interface AnvilProcess {
  readonly url: string
  readonly pid: number
  /** Completes when anvil exits, with its last output. */
  readonly exited: Effect.Effect<DevnetError>
}

export interface AnvilOptions {
  /** 0 takes any free port. */
  readonly port: number
  readonly args: ReadonlyArray<string>
}

/**
 * Runs anvil with a watcher process that reads our pipe: when this process ends for any reason, the pipe closes, and
 * the watcher ends anvil. The shell outlives both, so that no process of its group remains.
 */
const supervisor = `folder=$1; shift
exec 3<&0
"$@" 3<&- </dev/null &
anvil=$!
echo "Supervising $anvil"
trap 'kill -TERM $anvil' TERM INT HUP
( trap - TERM; read -r _ <&3; kill -KILL $anvil ) >/dev/null 2>&1 &
watcher=$!
exec 3<&- 2>/dev/null
wait $anvil
code=$?
while kill -0 $anvil; do wait $anvil; code=$?; done 2>/dev/null
{ kill $watcher; wait $watcher; } 2>/dev/null
rm -rf "$folder"
exit $code`

const host = "127.0.0.1"

const stderrLines = 10

/** Starts anvil; it ends with the scope, and also when this process is killed. Ready once it listens. */
export const startAnvil = Effect.fn("AnvilProcess.start")(function* (
  options: AnvilOptions
): Effect.fn.Return<AnvilProcess, DevnetError, Requirements> {
  const child = yield* spawn(options)
  const supervised = yield* Deferred.make<number>()
  const listening = yield* Deferred.make<string>()
  yield* lines(child.stdout).pipe(
    Stream.runForEach((line) => {
      const [, pid, port] = /^(?:Supervising (\d+)|Listening on .*:(\d+))$/.exec(line) ?? []
      if (pid !== undefined) return Deferred.succeed(supervised, Number(pid))
      return port === undefined ? Effect.void : Deferred.succeed(listening, port)
    }),
    Effect.ignore,
    Effect.forkScoped
  )
  const lastWords = yield* collectStderr(child)
  const port = yield* Deferred.await(listening).pipe(
    Effect.raceFirst(Effect.flatMap(lastWords, (text) => Effect.fail(toExitError(options, text))))
  )
  return {
    url: `http://${host}:${port}`,
    pid: yield* Deferred.await(supervised),
    exited: Effect.map(
      lastWords,
      (text) => new DevnetError({ reason: "Exited", message: `anvil ended by itself.${quoteOutput(text)}` })
    )
  }
})

type Requirements = ChildProcessSpawner.ChildProcessSpawner | FileSystem.FileSystem | Scope.Scope

const spawn = Effect.fnUntraced(
  function* ({ args, port }: AnvilOptions) {
    const binary = yield* anvilBinary(platform, arch)
    const files = yield* FileSystem.FileSystem
    const folder = yield* files.makeTempDirectoryScoped({ prefix: "chaintape-devnet-" })
    const address = ["--host", host, "--port", String(port), "--cache-path", folder]
    return yield* ChildProcess.make("sh", ["-c", supervisor, "sh", folder, binary, ...address, ...args], {
      forceKillAfter: "3 seconds"
    })
  },
  Effect.mapError((cause) => (cause instanceof DevnetError ? cause : toStartError(cause)))
)

/** The last standard error output of a process that has ended. */
const collectStderr = Effect.fnUntraced(function* (child: ChildProcessSpawner.ChildProcessHandle) {
  const lastLines = yield* Ref.make<ReadonlyArray<string>>([])
  const stderr = yield* lines(child.stderr).pipe(
    Stream.filter((line) => line.trim() !== ""),
    Stream.runForEach((line) => Ref.update(lastLines, (seen) => [...seen, line].slice(-stderrLines))),
    Effect.ignore,
    Effect.forkScoped
  )
  return child.exitCode.pipe(
    Effect.ignore,
    Effect.andThen(Fiber.await(stderr)),
    Effect.andThen(Ref.get(lastLines)),
    Effect.map((seen) => seen.join("\n"))
  )
})

const lines = <E>(bytes: Stream.Stream<Uint8Array, E>) => bytes.pipe(Stream.decodeText, Stream.splitLines)

const toStartError = (cause: PlatformError.PlatformError) =>
  new DevnetError({ reason: "StartFailed", message: `anvil could not be started: ${cause.message}`, cause })

const toExitError = (options: AnvilOptions, output: string) =>
  output.includes("Address already in use")
    ? new DevnetError({
        reason: "PortInUse",
        message: `Port ${options.port} of ${host} is in use. Choose another port, or 0 for any free one.`
      })
    : new DevnetError({ reason: "StartFailed", message: `anvil ended while starting.${quoteOutput(output)}` })

const quoteOutput = (output: string) => (output === "" ? "" : ` It said: "${output}".`)
