/** The median. */
export const median = (values: ReadonlyArray<number>): number => percentile(values, 0.5)

/** The given quantile. */
export const percentile = (values: ReadonlyArray<number>, part: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0

const waiting = () => performance.now()

/** CPU milliseconds of this process, all threads together. */
export const processing = () => {
  const { system, user } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * Runs the candidates in turn, so that a drift of the machine's speed affects all of them, and returns medians in ms.
 */
export const medians = (candidates: { readonly [name: string]: () => unknown }, rounds: number, clock = waiting) => {
  const times = new Map(Object.keys(candidates).map((name): [string, Array<number>] => [name, []]))
  for (let round = -2; round < rounds; round++) {
    for (const [name, run] of Object.entries(candidates)) {
      const start = clock()
      run()
      if (round >= 0) times.get(name)?.push(clock() - start)
    }
  }
  return [...times].map(([name, all]) => ({ name, ms: median(all) }))
}
