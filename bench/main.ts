/** Benchmarks of this machine: `pnpm bench` runs all, `pnpm bench index` one of them. */
import { availableParallelism, totalmem } from "node:os"
import "effect/schema/SchemaJITCompiler/enable"
import { bundleSizes } from "./BundleSizes.ts"
import { candlePages } from "./candles/CandlePages.ts"
import { decoding } from "./Decoding.ts"
import { importSpeed } from "./ImportSpeed.ts"
import { indexSpeed } from "./IndexSpeed.ts"
import { largeResponses } from "./LargeResponses.ts"
import { liveSpeed } from "./live/LiveSpeed.ts"
import { memoryUse } from "./MemoryUse.ts"
import { readSpeed } from "./ReadSpeed.ts"
import { recordingSpeed } from "./RecordingSpeed.ts"
import { servingSpeed } from "./ServingSpeed.ts"
import { startSpeed } from "./StartSpeed.ts"
import { tapeReads } from "./TapeReads.ts"
import { tradeParsing } from "./TradeParsing.ts"

const benchmarks: { readonly [name: string]: () => void | Promise<void> } = {
  responses: largeResponses,
  bundles: bundleSizes,
  candles: candlePages,
  decoding,
  reads: readSpeed,
  import: importSpeed,
  index: indexSpeed,
  live: liveSpeed,
  memory: memoryUse,
  recording: recordingSpeed,
  serving: servingSpeed,
  start: startSpeed,
  parsing: tradeParsing,
  tape: tapeReads
}

// An exit ends child processes, and a signal does not.
for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => process.exit(1))

const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !(name in benchmarks))
if (unknown.length > 0) {
  console.error(`There is no benchmark "${unknown.join(" ")}". Take some of: ${Object.keys(benchmarks).join(", ")}.`)
  process.exitCode = 1
} else {
  const cores = availableParallelism()
  console.log(`Node ${process.version}, ${process.arch}, ${cores} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`)
  for (const [name, run] of Object.entries(benchmarks)) if (wanted.length === 0 || wanted.includes(name)) await run()
}
