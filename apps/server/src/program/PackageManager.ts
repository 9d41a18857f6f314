import { execFile } from "node:child_process"
import process from "node:process"
import { Effect, Schedule } from "effect"
import { hasCode } from "../internal/files/hasCode.ts"

interface Process {
  readonly pid: number
  readonly parent: number
  readonly command: string
}

const listed = Effect.callback<ReadonlyArray<Process>>((resume) => {
  execFile("ps", ["-eo", "pid=,ppid=,args="], (_error, lines) =>
    // Without a `ps` program no parent is found.
    resume(
      Effect.succeed(
        lines.split("\n").flatMap((line) => {
          const [, pid, parent, command = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
          return pid === undefined ? [] : [{ pid: Number(pid), parent: Number(parent), command }]
        })
      )
    )
  )
})

const manager = /\b(npx|npm|pnpm|yarn)\b/

/** The processes from the parent of this one up to the command of a package manager that a user typed. */
export const findPackageManager = (pid: number, processes: ReadonlyArray<Process>): ReadonlyArray<number> => {
  const byPid = new Map(processes.map((one) => [one.pid, one]))
  const above: Array<Process> = []
  for (let at = byPid.get(byPid.get(pid)?.parent ?? 0); at !== undefined && at.pid > 1; at = byPid.get(at.parent))
    above.push(at)
  const top = above.findLastIndex(({ command }) => manager.test(command))
  return above.slice(0, top + 1).map((one) => one.pid)
}

const isThere = (pid: number) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // It may belong to another user.
    return hasCode(error, "EPERM")
  }
}

/**
 * Completes when the package manager that runs this script has ended. A signal to its top process ends it and its
 * shell, and is not forwarded to this process. Never completes if there is no package manager.
 */
export const packageManagerExit: Effect.Effect<void> = Effect.gen(function* () {
  if (process.env["npm_lifecycle_event"] === undefined) return yield* Effect.never
  const running = findPackageManager(process.pid, yield* listed)
  if (running.length === 0) return yield* Effect.never
  yield* Effect.sync(() => running.every(isThere)).pipe(
    Effect.repeat({ while: (all) => all, schedule: Schedule.spaced("500 millis") })
  )
})
