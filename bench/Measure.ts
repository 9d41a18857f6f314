/** Runs the candidates in turn, so that a drift of the machine's speed meets all of them, and answers medians in ms. */
export const medians = (candidates: { readonly [name: string]: () => unknown }, rounds: number) => {
  const times = new Map(Object.keys(candidates).map((name): [string, Array<number>] => [name, []]))
  for (let round = -2; round < rounds; round++) {
    for (const [name, run] of Object.entries(candidates)) {
      const start = performance.now()
      run()
      if (round >= 0) times.get(name)?.push(performance.now() - start)
    }
  }
  return [...times].map(([name, all]) => ({ name, ms: all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0 }))
}
