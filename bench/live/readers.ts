/** Readers of the stream of trades in a process of their own: port, how many, their key. */
import { LineReader, newSeen } from "./LineReader.ts"
import type { ReadersReport } from "./ReadersReport.ts"

const [port = "", count = "", key = "", path = ""] = process.argv.slice(2)
let seen = newSeen()
const readers = Array.from({ length: Number(count) }, () => new LineReader(Number(port), path, key, () => seen))

const opensEveryMs = 5
for (const [at, reader] of readers.entries()) setTimeout(() => reader.open(), at * opensEveryMs)

let turn = 0
let cutting: NodeJS.Timeout | undefined

/** Cuts some of the readers, one after the other, and lets them resume. */
const cut = (perSecond: number) => {
  clearInterval(cutting)
  if (perSecond === 0) return
  const everyMs = 50
  const each = Math.max(1, Math.round((perSecond * everyMs) / 1000))
  cutting = setInterval(() => {
    for (let one = 0; one < each; one++) readers[turn++ % readers.length]?.resume()
  }, everyMs)
}

const percentile = (part: number): number => {
  const all = seen.latencies.reduce((sum, number) => sum + number, 0)
  let below = 0
  for (const [ms, number] of seen.latencies.entries()) {
    below += number
    if (below >= all * part && number > 0) return ms
  }
  return 0
}

const report = (): ReadersReport => {
  const sequences = readers.map(({ sequence }) => sequence ?? 0)
  const { latencies: _, ...counts } = seen
  return {
    ...counts,
    slowest: sequences.reduce((least, one) => Math.min(least, one), Number.POSITIVE_INFINITY),
    newest: sequences.reduce((most, one) => Math.max(most, one), 0),
    median: percentile(0.5),
    p90: percentile(0.9),
    p99: percentile(0.99),
    longest: percentile(1)
  }
}

process.on("message", (message) => {
  if (typeof message !== "string") return
  if (message.startsWith("cut ")) cut(Number(message.slice(4)))
  const now = report()
  if (message === "begin") seen = newSeen()
  process.send?.(now)
})
process.once("disconnect", () => process.exit(0))
process.send?.(report())
