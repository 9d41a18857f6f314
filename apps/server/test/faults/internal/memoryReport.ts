/** Loaded before a program, so that its memory can be followed: `MEMORY_REPORT` names the file that is kept. */
import { writeFileSync } from "node:fs"
import { memoryUsage } from "node:process"

const file = process.env["MEMORY_REPORT"] ?? ""
const sampleMs = 200
const windowMs = 10_000

/** What is used right after a collection of garbage is the least that a window of time shows. */
let least = memoryUsage()
let begun = performance.now()

const sample = () => {
  const now = memoryUsage()
  least = {
    ...now,
    heapUsed: Math.min(least.heapUsed, now.heapUsed),
    external: Math.min(least.external, now.external)
  }
  if (performance.now() - begun < windowMs) return
  writeFileSync(file, JSON.stringify(least))
  least = now
  begun = performance.now()
}

if (file !== "") setInterval(sample, sampleMs).unref()
