import { execFile, execFileSync } from "node:child_process"
import { kill } from "node:process"
import { assert } from "@effect/vitest"
import { Effect, FileSystem, Schedule } from "effect"
import { call } from "./HttpCall.ts"
import type { Started } from "./StartedProgram.ts"
import { family, isAlive, StartFailed, until } from "./StartedProgram.ts"

export const folder = Effect.flatMap(FileSystem.FileSystem, (files) => files.makeTempDirectoryScoped())

/** Exit codes of a program that was told to end. */
export const interrupted: ReadonlyArray<number | string> = [0, 130]

export const signal = (pid: number, name: NodeJS.Signals) => Effect.sync(() => kill(pid, name))

/** The output of the banner's command. */
export const shell = (line: string) =>
  Effect.callback<string, StartFailed>((resume) => {
    execFile("sh", ["-c", line.replace("curl", "curl -s --max-time 60 -w '\n%{http_code}'")], (error, stdout) =>
      resume(error === null ? Effect.succeed(stdout) : Effect.fail(new StartFailed({ message: String(error) })))
    )
  })

/** The output of that command if it works. */
export const works = /"price":[\d.]+.*\n200$/

/** The index of the chain may have to catch up first. */
export const becomesReady = (origin: string) =>
  call(origin, { path: "/health/ready" }).pipe(
    Effect.repeat({
      until: ({ status }) => status === 200,
      schedule: Schedule.spaced("100 millis").pipe(Schedule.upTo({ times: 600 }))
    })
  )

export const gone = (pids: ReadonlyArray<number>) =>
  until(`the end of ${pids.join(", ")}`, () => pids.every((pid) => !isAlive(pid)))

/** The processes of a start without a configuration. */
export const worldOf = ({ pid }: Started): ReadonlyArray<number> => {
  const children = family(pid)
  assert.isAtLeast(children.length, 3, "the sandbox, its shell and anvil")
  return children
}

/** The CPU time of these processes so far, in whole seconds. */
export const processorSeconds = (pids: ReadonlyArray<number>): number =>
  execFileSync("ps", ["-o", "time=", "-p", pids.join(",")], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((time) =>
      time
        .trim()
        .split(":")
        .reduce((sum, part) => sum * 60 + Number(part), 0)
    )
    .reduce((sum, seconds) => sum + seconds, 0)
