import { fork, spawn } from "node:child_process"
import type { ChildProcess } from "node:child_process"
import { once } from "node:events"
import { kill } from "node:process"
import { fileURLToPath } from "node:url"
import { afterAll, inject } from "@effect/vitest"
import { Effect, Schema } from "effect"

const program = fileURLToPath(new URL("../../src/main.ts", import.meta.url))

export interface Ended {
  /** The exit code, or the signal. */
  readonly code: number | string
  readonly stdout: string
  readonly stderr: string
}

export interface Running {
  readonly pid: number
  readonly ended: Effect.Effect<Ended>
  readonly isRunning: () => boolean
}

export interface Surroundings {
  readonly cwd: string
  readonly environment?: Readonly<Record<string, string>>
  /** The descriptor of its standard output, in place of a pipe. */
  readonly stdout?: number
}

/** The command line as a child process, which is killed when the scope closes. */
export const begin = (words: ReadonlyArray<string>, { cwd, environment, stdout: target }: Surroundings) =>
  Effect.acquireRelease(
    Effect.sync((): Running => {
      const compileCache = inject("compileCache")
      const env = { PATH: process.env["PATH"], HOME: cwd, NODE_COMPILE_CACHE: compileCache, ...environment }
      const child = spawn(process.execPath, ["--conditions=chaintape-source", program, ...words], {
        cwd,
        env,
        stdio: ["ignore", target ?? "pipe", "pipe"]
      })
      const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => {
        const parts: Array<Buffer> = []
        stream?.on("data", (part: Buffer) => parts.push(part))
        return () => Buffer.concat(parts).toString("utf8")
      })
      const ending = new Promise<Ended>((resolve) =>
        child.on("close", (code, signal) =>
          resolve({ code: signal ?? code ?? -1, stdout: stdout?.() ?? "", stderr: stderr?.() ?? "" })
        )
      )
      return {
        pid: child.pid ?? 0,
        ended: Effect.promise(() => ending),
        isRunning: () => child.exitCode === null && child.signalCode === null
      }
    }),
    ({ isRunning, pid }) => Effect.sync(() => isRunning() && kill(pid, "SIGKILL"))
  )

/** Runs the command line to its end, as a child process. */
export const chaintapeAlone = (words: ReadonlyArray<string>, surroundings: Surroundings) =>
  Effect.scoped(Effect.flatMap(begin(words, surroundings), ({ ended }) => ended))

const ofMany = fileURLToPath(new URL("../internal/commandLines.ts", import.meta.url))
const decodeEnded = Schema.decodeUnknownSync(
  Schema.Struct({ code: Schema.Int, stdout: Schema.String, stderr: Schema.String })
)

let shared: ChildProcess | undefined
const waiting: Array<(ended: Ended) => void> = []

afterAll(async () => {
  if (shared === undefined) return
  const ended = once(shared, "exit")
  shared.disconnect()
  await ended
})

const sharedProcess = (): ChildProcess => {
  if (shared !== undefined) return shared
  const environment = { PATH: process.env["PATH"], NODE_COMPILE_CACHE: inject("compileCache") }
  const child = fork(ofMany, { env: environment, execArgv: ["--conditions=chaintape-source"], stdio: "inherit" })
  child.on("message", (message) => waiting.shift()?.(decodeEnded(message)))
  child.on("exit", (code) => {
    shared = undefined
    for (const tell of waiting.splice(0))
      tell({ code: code ?? -1, stdout: "", stderr: "The shared process has ended." })
  })
  shared = child
  return child
}

/** Runs the command line to its end, in a process that all such commands of a file share, one after the other. */
export const chaintape = (words: ReadonlyArray<string>, { cwd, environment = {} }: Surroundings) =>
  Effect.callback<Ended>((resume) => {
    waiting.push((ended) => resume(Effect.succeed(ended)))
    sharedProcess().send({ words, cwd, environment })
  })
