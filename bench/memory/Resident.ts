import { readdirSync, readFileSync } from "node:fs"
import { countProcessor } from "../recording/Processor.ts"

const orNone = <A>(look: () => A, none: A): A => {
  try {
    return look()
  } catch {
    return none // it ended meanwhile
  }
}

const toChildren = (pid: number): ReadonlyArray<number> =>
  orNone(() => readdirSync(`/proc/${pid}/task`), []).flatMap((task) =>
    orNone(() => readFileSync(`/proc/${pid}/task/${task}/children`, "utf8"), "")
      .trim()
      .split(" ")
      .filter(Boolean)
      .map(Number)
  )

/** All descendants of a process. */
export const descendants = (pid: number): ReadonlyArray<number> =>
  toChildren(pid).flatMap((one) => [one, ...descendants(one)])

/** The resident memory of a process in MB. Pages that it shares with others count in full. */
export const residentMb = (pid: number): number =>
  orNone(() => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1024, 0)

export interface Sample {
  readonly minute: number
  readonly ownMb: number
  readonly childrenMb: number
  /** CPU milliseconds of the process itself in a second, since the sample before. */
  readonly processor: number
}

/** Looks at the process after every `everyMs`, `count` times. */
export const sample = async (
  pid: number,
  { count, everyMs }: { readonly count: number; readonly everyMs: number },
  each: (sample: Sample) => void = () => {}
): Promise<ReadonlyArray<Sample>> => {
  const samples: Array<Sample> = []
  for (let n = 1; n <= count; n++) {
    const stop = countProcessor(pid)
    await new Promise((resolve) => setTimeout(resolve, everyMs))
    const found: Sample = {
      minute: (n * everyMs) / 60_000,
      ownMb: residentMb(pid),
      childrenMb: descendants(pid).reduce((sum, one) => sum + residentMb(one), 0),
      processor: (stop().all * 1e6) / everyMs
    }
    samples.push(found)
    each(found)
  }
  return samples
}

/** MB for a minute: the slope of the line of least squares through the memory of the process. */
export const growth = (samples: ReadonlyArray<Sample>): number => {
  const mean = (of: (one: Sample) => number) => samples.reduce((sum, one) => sum + of(one), 0) / samples.length
  const [x, y] = [mean(({ minute }) => minute), mean(({ ownMb }) => ownMb)]
  const spread = samples.reduce((sum, { minute }) => sum + (minute - x) ** 2, 0)
  return samples.reduce((sum, { minute, ownMb }) => sum + (minute - x) * (ownMb - y), 0) / spread
}
