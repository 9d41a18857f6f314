import { fork } from "node:child_process"
import { closeSync, openSync, readFileSync } from "node:fs"

export interface Child {
  readonly pid: number
  /** Resolves with the next message. */
  readonly ask: (message: string) => Promise<unknown>
  /** Resolves with the first message. */
  readonly first: Promise<unknown>
  readonly isRunning: () => boolean
  /** The end of its output. */
  readonly log: () => string
  readonly end: (signal: NodeJS.Signals) => Promise<void>
}

/** A Node program of this workspace, which ends with this process at the latest. */
export const startChild = (
  program: string,
  args: ReadonlyArray<string>,
  env: Readonly<Record<string, string>>,
  logFile: string
): Child => {
  const log = openSync(logFile, "w")
  const child = fork(program, [...args], {
    env: { PATH: process.env["PATH"] ?? "", HOME: process.env["HOME"] ?? "", ...env },
    execArgv: ["--conditions=chaintape-source"],
    stdio: ["ignore", log, log, "ipc"]
  })
  closeSync(log)
  const isRunning = () => child.exitCode === null && child.signalCode === null
  const tail = () => readFileSync(logFile, "utf8").slice(-2000)
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()))
  const kill = () => void child.kill("SIGKILL")
  process.once("exit", kill)
  void ended.then(() => process.off("exit", kill))
  const next = () =>
    new Promise<unknown>((resolve, reject) => {
      child.once("message", resolve)
      void ended.then(() => reject(new Error(`"${program}" ended:\n${tail()}`)))
    })
  const first = next()
  // Not every child sends messages.
  first.catch(() => {})
  return {
    pid: child.pid ?? 0,
    first,
    ask: (message) => {
      const answer = next()
      child.send(message)
      return answer
    },
    isRunning,
    log: tail,
    end: async (signal) => {
      if (isRunning()) child.kill(signal)
      await ended
    }
  }
}
