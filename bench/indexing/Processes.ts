import { spawn } from "node:child_process"
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs"
import { createServer } from "node:net"

/** A port that is free at the moment. */
export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer()
    server.on("error", reject)
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      server.close(() => resolve(typeof address === "object" && address !== null ? address.port : 0))
    })
  })

const toChildren = (pid: number): ReadonlyArray<number> =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number)
  )

/** A process that ends during the measurement counts as nothing. */
const orNone = <A>(look: () => A, none: A): A => {
  try {
    return look()
  } catch {
    return none
  }
}

/** The process and all of its descendants. */
const family = (pid: number): ReadonlyArray<number> => [pid, ...orNone(() => toChildren(pid), []).flatMap(family)]

const residentKb = (pid: number): number =>
  orNone(() => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0), 0)

/** Resident memory of a process with its descendants, in MB. Shared pages count for each. */
const residentMb = (pid: number): number => family(pid).reduce((sum, one) => sum + residentKb(one), 0) / 1024

/** Hundredths of a second of CPU time, including children that have ended. */
const processorTicks = (pid: number): number =>
  orNone(() => {
    // The name of the program, in brackets, may contain spaces. The times are the 12th to 15th field after it.
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ")
    return fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
  }, 0)

const processorSeconds = (pid: number): number => family(pid).reduce((sum, one) => sum + processorTicks(one), 0) / 100

export interface Run {
  /** From the start of the process. */
  readonly seconds: number
  /** Of all its threads and children: less affected by other load on the machine. */
  readonly processorSeconds: number
  readonly peakMb: number
  readonly events: number
}

const sleep = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

const isReady = async (url: string): Promise<boolean> => {
  try {
    const { body, status } = await fetch(url, { signal: AbortSignal.timeout(5000) })
    await body?.cancel()
    return status === 200
  } catch {
    return false // it does not listen yet, or is too busy to answer
  }
}

const pollMs = 100
const maxMs = 180_000

export interface Started {
  readonly cwd: string
  readonly args: ReadonlyArray<string>
  readonly env: Readonly<Record<string, string>>
  readonly origin: string
  readonly readyPath: string
  readonly logFile: string
  readonly events: (origin: string) => Promise<number>
}

/** Runs a Node program until it is ready, and ends it. Peak memory is that until it is ready. */
export const measureStart = async (started: Started): Promise<Run> => {
  const log = openSync(started.logFile, "w")
  const begun = performance.now()
  const child = spawn(process.execPath, started.args, {
    cwd: started.cwd,
    env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", ...started.env },
    stdio: ["ignore", log, log]
  })
  const pid = child.pid ?? 0
  const ended = new Promise<void>((resolve) => child.on("close", () => resolve()))
  const stop = () => {
    for (const one of family(pid).toReversed()) orNone(() => process.kill(one, "SIGKILL"), false)
  }
  process.once("exit", stop)
  let peakMb = 0
  const look = () => {
    peakMb = Math.max(peakMb, residentMb(pid))
  }
  const watching = setInterval(look, 50)
  try {
    while (!(await isReady(started.origin + started.readyPath))) {
      const isOver = child.exitCode !== null || child.signalCode !== null
      if (isOver || performance.now() - begun > maxMs) {
        throw new Error(
          `It ${isOver ? "ended" : "was not ready in time"}:\n${readFileSync(started.logFile, "utf8").slice(-2000)}`
        )
      }
      await sleep(pollMs)
    }
    const seconds = (performance.now() - begun) / 1000
    const spent = processorSeconds(pid)
    look()
    clearInterval(watching)
    return { seconds, processorSeconds: spent, peakMb, events: await started.events(started.origin) }
  } finally {
    clearInterval(watching)
    closeSync(log)
    if (child.exitCode === null && child.signalCode === null) stop()
    await ended
    process.off("exit", stop)
  }
}
