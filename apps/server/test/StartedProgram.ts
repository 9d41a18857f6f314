import { execFileSync, spawn } from "node:child_process"
import { kill } from "node:process"
import { fileURLToPath } from "node:url"
import { inject } from "@effect/vitest"
import { Clock, Data, Effect } from "effect"
import { prepareDatabase } from "./OwnDatabase.ts"

const program = fileURLToPath(new URL("../src/main.ts", import.meta.url))

export class StartFailed extends Data.TaggedError("StartFailed")<{ readonly message: string }> {}

export interface Started {
  readonly pid: number
  /** What it has written so far. */
  readonly output: () => string
  /** The code or the signal that it ended with. */
  readonly ended: Effect.Effect<number | string>
  readonly isRunning: () => boolean
}

const kept = ["PATH", "HOME", "TMPDIR"].flatMap((name) => {
  const value = process.env[name]
  return value === undefined ? [] : [[name, value] as const]
})

const endProcess = (pid: number) =>
  Effect.ignore(Effect.try({ try: () => kill(pid, "SIGKILL"), catch: () => new StartFailed({ message: "gone" }) }))

const prepare = ({ CHAINTAPE_DATA_DIR, DATABASE_URL }: Readonly<Record<string, string>>) => {
  if (CHAINTAPE_DATA_DIR !== undefined && DATABASE_URL === undefined) prepareDatabase(`${CHAINTAPE_DATA_DIR}/database`)
  return { NODE_COMPILE_CACHE: inject("compileCache") }
}

const plain = (command: string): ReadonlyArray<string> => command.split(" ")

/**
 * The start command in a process of its own, which is killed with all of its children when the scope closes. `under`
 * makes of it the command line of what runs it. Its data directory begins with a copy of the prepared database, and it
 * finds compiled code, unless it `isFirst`: the first start on a machine.
 */
export const start = (
  environment: Readonly<Record<string, string>>,
  { isFirst = false, under = plain }: { readonly isFirst?: boolean; readonly under?: typeof plain } = {}
) =>
  Effect.acquireRelease(
    Effect.sync((): Started => {
      const prepared = isFirst ? {} : prepare(environment)
      const env = { ...Object.fromEntries(kept), PORT: "0", ...prepared, ...environment }
      const [command = "", ...given] = under(`${process.execPath} --conditions=chaintape-source ${program}`)
      const child = spawn(command, given, {
        env,
        stdio: ["ignore", "pipe", "pipe"]
      })
      const parts: Array<string> = []
      for (const stream of [child.stdout, child.stderr])
        stream.on("data", (part: Buffer) => parts.push(part.toString("utf8")))
      const ending = new Promise<number | string>((resolve) =>
        child.on("close", (code, signal) => resolve(signal ?? code ?? -1))
      )
      return {
        pid: child.pid ?? 0,
        output: () => parts.join(""),
        ended: Effect.promise(() => ending),
        isRunning: () => child.exitCode === null && child.signalCode === null
      }
    }),
    ({ isRunning, pid }) =>
      isRunning() ? Effect.forEach([...family(pid), pid], endProcess, { discard: true }) : Effect.void
  )

/** The ids of the children of a process, of their children, and so on. */
export const family = (pid: number): ReadonlyArray<number> => {
  const pairs = execFileSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
  const childrenOf = (parent: number): ReadonlyArray<number> =>
    pairs.flatMap(([child = 0, of]) => (of === parent ? [child, ...childrenOf(child)] : []))
  return childrenOf(pid)
}

export const isAlive = (pid: number): boolean => {
  try {
    kill(pid, 0)
    return true
  } catch {
    // There is no such process.
    return false
  }
}

/** Looks until something is there. The bound tells a hang from a slow machine. */
export const until = <A>(
  what: string,
  look: () => A | undefined | false,
  withinMs = 60_000
): Effect.Effect<A, StartFailed> =>
  Effect.gen(function* () {
    const begun = yield* Clock.currentTimeMillis
    while (true) {
      const found = look()
      if (found !== undefined && found !== false) return found
      if ((yield* Clock.currentTimeMillis) - begun > withinMs) {
        return yield* new StartFailed({ message: `${withinMs} ms were not enough for: ${what}` })
      }
      yield* Effect.sleep("20 millis")
    }
  })

/** Waits for the banner, and takes the address and the line to try from it. */
export const ready = (started: Started, withinMs = 60_000) =>
  until(
    `the banner; the output is:\n${started.output()}`,
    () => {
      const output = started.output()
      const [, origin] = /Chaintape is ready at (http:\/\/\S+)/.exec(output) ?? []
      const [line] = /curl -H .*\n/.exec(output) ?? []
      if (origin !== undefined && line !== undefined) return { origin, line: line.trim() }
      if (!started.isRunning()) throw new StartFailed({ message: `The program has ended: ${output}` })
      return undefined
    },
    withinMs
  )
