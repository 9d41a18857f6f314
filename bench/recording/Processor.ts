import { readdirSync, readFileSync } from "node:fs"

/** CPU seconds. */
export interface ProcessorTime {
  readonly all: number
  /** The main thread. */
  readonly main: number
  /** The busiest other thread. */
  readonly other: number
}

const read = (file: string): string => {
  try {
    return readFileSync(file, "utf8")
  } catch {
    return "" // it ended meanwhile, or the kernel keeps no such account
  }
}

const perSecond = 100

/** From the scheduler in nanoseconds, or in ticks if it does not report that. */
const getSeconds = (directory: string): number => {
  const nanoseconds = Number(read(`${directory}/schedstat`).split(" ", 1)[0])
  if (nanoseconds > 0) return nanoseconds / 1e9
  // The name of the thread, in brackets, may contain spaces. The times are the 12th and 13th field after it.
  const fields = read(`${directory}/stat`)
    .replace(/^.*\) /s, "")
    .split(" ")
  return (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) / perSecond
}

/** For each thread of a process, by its id. */
const threadTimes = (pid: number): ReadonlyMap<string, number> =>
  new Map(readdirSync(`/proc/${pid}/task`).map((thread) => [thread, getSeconds(`/proc/${pid}/task/${thread}`)]))

/** Starts counting now, or at the start of the process; the result counts up to its call. */
export const countProcessor = (pid: number, from: "now" | "start" = "now"): (() => ProcessorTime) => {
  const before = from === "now" ? threadTimes(pid) : new Map<string, number>()
  return () => {
    const spent = [...threadTimes(pid)].map(([thread, seconds]) => ({
      isMain: thread === String(pid),
      seconds: seconds - (before.get(thread) ?? 0)
    }))
    return {
      all: spent.reduce((sum, { seconds }) => sum + seconds, 0),
      main: spent.find(({ isMain }) => isMain)?.seconds ?? 0,
      other: Math.max(0, ...spent.flatMap(({ isMain, seconds }) => (isMain ? [] : [seconds])))
    }
  }
}

/** The peak resident memory of a process, in MB. */
export const peakMb = (pid: number): number =>
  Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024
