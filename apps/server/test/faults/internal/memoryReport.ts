/** Loaded before a program, to sample its memory and the delays of its event loop: `MEMORY_REPORT` names the output file. */
import { writeFileSync } from "node:fs"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { memoryUsage } from "node:process"
import { isMainThread } from "node:worker_threads"

const file = process.env["MEMORY_REPORT"] ?? ""
const sampleMs = 200
const windowMs = 10_000

/** The use right after a garbage collection is the minimum of a window of time. */
let least = memoryUsage()
let begun = performance.now()
const delays = monitorEventLoopDelay({ resolution: 20 })

const sample = () => {
  const now = memoryUsage()
  least = {
    ...now,
    heapUsed: Math.min(least.heapUsed, now.heapUsed),
    external: Math.min(least.external, now.external)
  }
  if (performance.now() - begun < windowMs) return
  writeFileSync(file, JSON.stringify({ ...least, delayMs: delays.percentile(99) / 1e6 }))
  delays.reset()
  least = now
  begun = performance.now()
}

// The thread of the embedded store has a heap of its own, and would write to the same file.
if (file !== "" && isMainThread) {
  delays.enable()
  setInterval(sample, sampleMs).unref()
}
