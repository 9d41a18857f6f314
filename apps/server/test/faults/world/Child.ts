import { spawn } from "node:child_process"
import { closeSync, openSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { kill } from "node:process"
import { Effect, Latch } from "effect"
import { Workshop } from "./Workshop.ts"

export interface Program {
  readonly name: string
  readonly command: string
  readonly args: ReadonlyArray<string>
  readonly environment?: Readonly<Record<string, string>>
  readonly user?: { readonly uid: number; readonly gid: number } | undefined
  /** How it is told to end; `input` closes its standard input. */
  readonly ending: NodeJS.Signals | "input"
}

export interface Child {
  readonly pid: number
  /** The output of it and its predecessors of the same name. */
  readonly log: () => string
  /** The exit code or the signal that ended it. */
  readonly ended: Effect.Effect<number | string>
  readonly isRunning: () => boolean
  readonly signal: (name: NodeJS.Signals) => void
}

/** The folder of logs; in the temporary directory of the run if absent. */
const logs = process.env["CHAINTAPE_FAULTS_LOGS"]

const kept = ["PATH", "HOME", "TMPDIR"].flatMap((name) => {
  const value = process.env[name]
  return value === undefined ? [] : [[name, value] as const]
})

const launch = (program: Program, { atTheEnd, directory }: Workshop["Service"]) => {
  const file = join(logs ?? directory, `${program.name}.log`)
  const output = openSync(file, "a")
  const child = spawn(program.command, program.args, {
    ...program.user,
    cwd: directory,
    env: { ...Object.fromEntries(kept), ...program.environment },
    stdio: [program.ending === "input" ? "pipe" : "ignore", output, output]
  })
  const exited = new Promise<number | string>((resolve) => {
    child.on("error", (error) => resolve(error.message))
    child.on("exit", (code, signal) => resolve(signal ?? code ?? -1))
  })
  closeSync(output)
  const pid = child.pid ?? 0
  const ending = exited.finally(atTheEnd(`kill -9 ${pid}`))
  const isRunning = () => child.exitCode === null && child.signalCode === null && pid > 0
  const signal = (name: NodeJS.Signals) => {
    if (isRunning()) kill(pid, name)
  }
  return {
    pid,
    log: () => readFileSync(file, "utf8"),
    ended: Effect.promise(() => ending),
    isRunning,
    signal,
    askToEnd: () => (program.ending === "input" ? child.stdin?.end() : signal(program.ending))
  }
}

/** A child process that ends with the scope: it is told to end, and killed if that takes longer than five seconds. */
export const startChild = (program: Program) =>
  Effect.flatMap(Workshop, (workshop) =>
    Effect.acquireRelease(
      Effect.sync(() => launch(program, workshop)),
      ({ askToEnd, ended, signal }) =>
        Effect.sync(askToEnd).pipe(
          Effect.andThen(ended),
          Effect.timeoutOption("5 seconds"),
          Effect.andThen(Effect.sync(() => signal("SIGKILL"))),
          Effect.andThen(ended)
        )
    )
  )

/** A program that is restarted a second after it has ended, as by an init system, unless it is held. */
export interface Kept {
  readonly child: () => Child | undefined
  readonly starts: () => number
  readonly signal: (name: NodeJS.Signals) => Effect.Effect<void>
  /** Whether it may be restarted. */
  readonly again: Latch.Latch
}

export const keepRunning = Effect.fnUntraced(function* (program: Program) {
  const again = Latch.makeUnsafe(true)
  let starts = 0
  let current: Child | undefined
  yield* Effect.gen(function* () {
    yield* again.await
    current = yield* startChild(program)
    starts += 1
    yield* current.ended
  }).pipe(Effect.scoped, Effect.andThen(Effect.sleep("1 second")), Effect.forever, Effect.forkScoped)
  return {
    child: () => current,
    starts: () => starts,
    signal: (name) => Effect.sync(() => current?.signal(name)),
    again
  } satisfies Kept
})
