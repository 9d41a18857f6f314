import { createHash } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import type { TapeTrade } from "../../../src/cex/tape/Tape.ts"
import * as ExactDecimal from "../../../src/internal/ExactDecimal.ts"
import { toZip } from "./ZipFile.ts"

const dayMs = 86_400_000
/** Five days in milliseconds and five in microseconds. */
const begins = Date.UTC(2024, 11, 27)
const days = 10
const firstId = 3_000_000_001

export interface DumpWorldOptions {
  readonly trades: number
}

const canonical = (text: string): string => ExactDecimal.canonical(text) ?? "0"

/** A journal of consecutive trades over ten days, its daily files, and what is planted in them. */
export const makeDumpWorld = ({ trades: total }: DumpWorldOptions) => {
  const ofDay = total / days
  const step = dayMs / ofDay

  const toRaw = (at: number) => ({
    id: firstId + at,
    time: begins + Math.floor(at * step),
    price: `${60_000 + ((at * 7919) % 1000)}.${String((at * 31) % 100).padStart(2, "0")}000000`,
    size: `0.${String(1 + ((at * 104_729) % 99_999)).padStart(5, "0")}000`,
    isMaker: at % 3 === 0
  })

  const toTrade = (at: number): TapeTrade => {
    const { id, isMaker, price, size, time } = toRaw(at)
    const [exactPrice, exactSize] = [canonical(price), canonical(size)]
    return {
      id: String(id),
      sequence: id,
      timestamp: time,
      price: exactPrice,
      size: exactSize,
      cost: ExactDecimal.multiply(exactPrice, exactSize),
      side: isMaker ? "sell" : "buy",
      receivedAt: time + 30
    }
  }

  // Holes within a day, across midnight, of one id, and one that the recording closes.
  const holes = [
    { from: Math.floor(ofDay * 1.5), to: Math.floor(ofDay * 1.5) + 99 },
    { from: ofDay * 3 - 20, to: ofDay * 3 + 20 },
    { from: Math.floor(ofDay * 6.1), to: Math.floor(ofDay * 6.1) },
    { from: Math.floor(ofDay * 8.25), to: Math.floor(ofDay * 8.25) + 7 }
  ]
  const recorded = { from: Math.floor(ofDay * 8.2), to: Math.floor(ofDay * 8.3) }
  /** A trade that the files have with another price than the recording. */
  const altered = recorded.from + 5
  const isRecorded = (at: number) => at >= recorded.from && at <= recorded.to
  const isMissing = (at: number) => holes.some(({ from, to }) => at >= from && at <= to)
  const isExpected = (at: number) => isRecorded(at) || !isMissing(at)

  const toRow = (at: number) => {
    const { id, isMaker, price, size, time } = toRaw(at)
    const stamp = time >= Date.UTC(2025, 0, 1) ? `${time}${String(at % 1000).padStart(3, "0")}` : String(time)
    return `${id},${at === altered ? "1.00000000" : price},${size},${id},${id},${stamp},${isMaker ? "True" : "False"},True`
  }

  const toRows = (day: number): Array<string> => {
    const rows: Array<string> = []
    for (let at = day * ofDay; at < (day + 1) * ofDay; at++) {
      if (isMissing(at)) continue
      rows.push(toRow(at))
      // Twice, and the last row of the day before again.
      if (at % 997 === 0) rows.push(toRow(at))
    }
    if (day > 0 && !isMissing(day * ofDay - 1)) rows.unshift(toRow(day * ofDay - 1))
    return day === 4 ? rows.reverse() : rows
  }

  const toName = (day: number) => `BTCUSDT-aggTrades-${new Date(begins + day * dayMs).toISOString().slice(0, 10)}`

  /** Writes the daily files: most as zip, one each as gzip and as plain text, and their checksums. Returns their paths. */
  const writeFiles = (folder: string): ReadonlyArray<string> =>
    Array.from({ length: days }, (_, day) => {
      const header =
        "agg_trade_id,price,quantity,first_trade_id,last_trade_id,transact_time,is_buyer_maker,is_best_match\n"
      const text = `${day === 7 ? header : ""}${toRows(day).join(day === 6 ? "\r\n" : "\n")}\n`
      const [extension, bytes] =
        day === 2
          ? (["csv.gz", gzipSync(text, { level: 1 })] as const)
          : day === 5
            ? (["csv", Buffer.from(text)] as const)
            : (["zip", toZip(`${toName(day)}.csv`, text)] as const)
      const path = join(folder, `${toName(day)}.${extension}`)
      writeFileSync(path, bytes)
      const digest = createHash("sha256").update(bytes).digest("hex")
      writeFileSync(`${path}.CHECKSUM`, `${digest}  ${toName(day)}.${extension}\n`)
      return path
    })

  /** The expected trades, in order. */
  function* expected(): Generator<TapeTrade> {
    for (let at = 0; at < total; at++) if (isExpected(at)) yield toTrade(at)
  }

  return {
    total,
    holes: holes
      .filter(({ from }) => !isRecorded(from))
      .map(({ from, to }) => ({ from: firstId + from, to: firstId + to })),
    alteredId: firstId + altered,
    recording: Array.from({ length: recorded.to - recorded.from + 1 }, (_, at) => toTrade(recorded.from + at)),
    toTrade,
    writeFiles,
    expected
  }
}

export type DumpWorld = ReturnType<typeof makeDumpWorld>
