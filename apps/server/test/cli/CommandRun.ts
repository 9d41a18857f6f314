import { spawn } from "node:child_process"
import { kill } from "node:process"
import { fileURLToPath } from "node:url"
import { Effect } from "effect"

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
}

/** The command line in a process of its own, which is killed when the scope closes. */
export const begin = (words: ReadonlyArray<string>, { cwd, environment }: Surroundings) =>
  Effect.acquireRelease(
    Effect.sync((): Running => {
      const env = { PATH: process.env["PATH"], HOME: cwd, ...environment }
      const child = spawn(process.execPath, ["--conditions=chaintape-source", program, ...words], {
        cwd,
        env,
        stdio: ["ignore", "pipe", "pipe"]
      })
      const [stdout, stderr] = [child.stdout, child.stderr].map((stream) => {
        const parts: Array<Buffer> = []
        stream.on("data", (part: Buffer) => parts.push(part))
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

/** Runs the command line to its end. */
export const chaintape = (words: ReadonlyArray<string>, surroundings: Surroundings) =>
  Effect.scoped(Effect.flatMap(begin(words, surroundings), ({ ended }) => ended))
