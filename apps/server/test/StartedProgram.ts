import { execFileSync, spawn } from "node:child_process"
import { kill } from "node:process"
import { fileURLToPath } from "node:url"
import { inject } from "@effect/vitest"
import { Clock, Data, Effect } from "effect"
import { call } from "./HttpCall.ts"
import { prepareDatabase } from "./OwnDatabase.ts"

const program = fileURLToPath(new URL("../src/main.ts", import.meta.url))

export class StartFailed extends Data.TaggedError("StartFailed")<{ readonly message: string }> {}

export interface Started {
  readonly pid: number
  /** Its output so far. */
  readonly output: () => string
  /** The exit code or the signal that ended it. */
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
 * The start command as a child process, which is killed with its descendants when the scope closes. `under` wraps its
 * command line. Its data directory starts with a copy of the prepared database and a compile cache, unless it
 * `isFirst`: the first start on a machine.
 */
export const start = (
  environment: Readonly<Record<string, string>>,
  { isFirst = false, under = plain }: { readonly isFirst?: boolean; readonly under?: typeof plain } = {}
) =>
  Effect.acquireRelease(
    Effect.sync((): Started => {
      const prepared = isFirst ? {} : prepare(environment)
      const env = { ...Object.fromEntries(kept), PORT: "0", METRICS_PORT: "0", ...prepared, ...environment }
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

/** The ids of all descendants of a process. */
export const family = (pid: number): ReadonlyArray<number> => {
  const pairs = execFileSync("ps", ["-eo", "pid=,ppid="], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number))
  const toChildren = (parent: number): ReadonlyArray<number> =>
    pairs.flatMap(([child = 0, of]) => (of === parent ? [child, ...toChildren(child)] : []))
  return toChildren(pid)
}

export const isAlive = (pid: number): boolean => {
  try {
    kill(pid, 0)
    return true
  } catch {
    // The process does not exist.
    return false
  }
}

/** Polls until a value is present. The timeout distinguishes a hang from a slow machine. */
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

/** Waits for the banner, and returns its address and its command. */
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

/** The metrics, from the address that the log names. */
export const readMetrics = Effect.fnUntraced(function* (started: Started) {
  const origin = yield* until(
    "the address of the metrics",
    () => /The metrics are served at (http:\/\/\S+)\/metrics/.exec(started.output())?.[1]
  )
  return (yield* call(origin, { path: "/metrics" })).body
})
