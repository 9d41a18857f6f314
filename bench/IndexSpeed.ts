/** Time from start to ready, compared with ponder, on one chain of 50,000 swaps. */
import { mkdtempSync, rmSync } from "node:fs"
import { loadavg, tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import type { Candidate } from "./indexing/Candidate.ts"
import { chaintape } from "./indexing/Chaintape.ts"
import { ponder } from "./indexing/Ponder.ts"
import { freePort, measureStart } from "./indexing/Processes.ts"
import type { Run } from "./indexing/Processes.ts"
import { toDevnet, http, makeSwapChain } from "./indexing/SwapChain.ts"
import type { SwapChain } from "./indexing/SwapChain.ts"
import { median } from "./Measure.ts"

const swaps = Number(process.env["BENCH_SWAPS"] ?? 50_000)
const rounds = Number(process.env["BENCH_ROUNDS"] ?? 3)

const chainOptions = {
  seed: 1,
  swaps,
  swapsPerBlock: 100,
  idleBlocks: 64,
  progress: (done: number) => {
    if (done % 10_000 === 0) console.log(`  ${done} swaps on the chain`)
  }
}

const runOnce = async (candidate: Candidate, chain: SwapChain): Promise<Run> => {
  const folder = mkdtempSync(join(tmpdir(), "chaintape-bench-"))
  try {
    const port = await freePort()
    const command = candidate.command(chain, { port, dataDir: join(folder, "data") })
    const origin = `http://127.0.0.1:${port}`
    const { events, readyPath } = candidate
    return await measureStart({ ...command, origin, readyPath, events, logFile: join(folder, "log") })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const total = ({ events }: SwapChain, kinds: ReadonlyArray<string> = [...events.keys()]) =>
  kinds.reduce((sum, kind) => sum + (events.get(kind) ?? 0), 0)

const print = (runs: ReadonlyMap<string, ReadonlyArray<Run>>, events: number) => {
  const rows = [...runs].map(([name, all]) => ({
    name,
    seconds: median(all.map(({ seconds }) => seconds)),
    processor: median(all.map(({ processorSeconds }) => processorSeconds)),
    peakMb: median(all.map(({ peakMb }) => peakMb))
  }))
  const first = rows[0] ?? { seconds: 1, processor: 1, peakMb: 1 }
  const cell = (text: string, width: number) => text.padStart(width)
  const ratio = (value: number) => cell(`${value.toFixed(2)}x`, 6)
  for (const { name, peakMb, processor, seconds } of rows) {
    console.log(
      [
        `  ${name.padEnd(16)}`,
        cell(`${seconds.toFixed(1)} s`, 8),
        cell(`${Math.round(events / seconds)} events/s`, 15),
        ratio(first.seconds / seconds),
        cell(`processor ${processor.toFixed(1)} s`, 18),
        ratio(processor / first.processor),
        cell(`peak ${Math.round(peakMb)} MB`, 13),
        ratio(peakMb / first.peakMb)
      ].join(" ")
    )
  }
}

const describe = ({ peakMb, processorSeconds, seconds }: Run) =>
  `${seconds.toFixed(1)} s, processor ${processorSeconds.toFixed(1)} s, ${Math.round(peakMb)} MB`

const compare = async (chain: SwapChain): Promise<void> => {
  const candidates = [ponder("1.0.0"), ponder("0.16.10"), chaintape]
  const events = total(chain)
  const listed = [...chain.events].map(([name, count]) => `${count} ${name}`).join(", ")
  console.log(`  block 1 to ${chain.head}: ${events} events (${listed})`)
  const runs = new Map(candidates.map(({ name }): [string, Array<Run>] => [name, []]))
  for (let round = 1; round <= rounds; round++) {
    for (const candidate of candidates) {
      const run = await runOnce(candidate, chain)
      const expected = total(chain, candidate.counts)
      if (run.events !== expected) throw new Error(`${candidate.name} has ${run.events} of ${expected} events.`)
      runs.get(candidate.name)?.push(run)
      const load = (loadavg()[0] ?? 0).toFixed(1)
      console.log(`  round ${round}: ${candidate.name.padEnd(16)} ${describe(run)}; load of the machine ${load}`)
    }
  }
  console.log(`Medians of ${rounds} rounds:`)
  print(runs, events)
}

/** Generates the chain, keeps its node running, and measures. */
export const indexSpeed = (): Promise<void> => {
  console.log(`\nIndexing from start to ready\n  Embedded databases, one local node. The ratio is to the first row.`)
  return Effect.runPromise(
    makeSwapChain(chainOptions).pipe(
      Effect.flatMap((chain) => Effect.promise(() => compare(chain))),
      Effect.provide([toDevnet(chainOptions), http]),
      Effect.scoped
    )
  )
}
