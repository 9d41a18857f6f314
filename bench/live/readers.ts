/** Readers of the stream of trades in their own process: port, number, key. */
import { LineReader, newSeen } from "./LineReader.ts"
import { toReport } from "./ReadersReport.ts"
import type { ReadersReport } from "./ReadersReport.ts"

const [port = "", count = "", key = "", path = ""] = process.argv.slice(2)
let seen = newSeen()
const readers = Array.from({ length: Number(count) }, () => new LineReader(Number(port), path, key, () => seen))

const opensEveryMs = 5
for (const [at, reader] of readers.entries()) setTimeout(() => reader.open(), at * opensEveryMs)

let turn = 0
let cutting: NodeJS.Timeout | undefined

/** Drops some of the connections, one after the other, and lets the readers resume. */
const cut = (perSecond: number) => {
  clearInterval(cutting)
  if (perSecond === 0) return
  const everyMs = 50
  const each = Math.max(1, Math.round((perSecond * everyMs) / 1000))
  cutting = setInterval(() => {
    for (let one = 0; one < each; one++) readers[turn++ % readers.length]?.resume()
  }, everyMs)
}

const report = (): ReadersReport =>
  toReport(
    seen,
    readers.map(({ sequence }) => sequence ?? 0)
  )

process.on("message", (message) => {
  if (typeof message !== "string") return
  if (message.startsWith("cut ")) cut(Number(message.slice(4)))
  const now = report()
  if (message === "begin") seen = newSeen()
  process.send?.(now)
})
process.once("disconnect", () => process.exit(0))
process.send?.(report())
