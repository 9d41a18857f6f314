import { Effect, FileSystem, Path } from "effect"
import * as FixedPoint from "./FixedPoint.ts"
import type { Journal } from "./Journal.ts"
import { createFolder } from "./JournalFolder.ts"
import { toJournalStoreError } from "./JournalStoreError.ts"
import type { JournalStoreError } from "./JournalStoreError.ts"
import type { Product } from "./Product.ts"
import type { Trade } from "./Trade.ts"

/**
 * One line of the file: id, sequence, microseconds, maker's side, price, size, maker's order, taker's order. A start
 * reads some ten thousand of them: decoding each with a schema would take longer than everything else.
 */
const row =
  /^\[([1-9]\d{0,15}),([1-9]\d{0,15}),(\d{1,16}),"(buy|sell)","(\d[\d.]*)","(\d[\d.]*)",([1-9]\d{0,15}),([1-9]\d{0,15})\]$/

export const encodeRow = (product: Product, trade: Trade): string =>
  `[${trade.tradeId},${trade.sequence},${trade.time},"${trade.side}",` +
  `"${FixedPoint.format(trade.price, product.priceDecimals)}","${FixedPoint.format(trade.size, product.sizeDecimals)}",` +
  `${trade.makerOrder},${trade.takerOrder}]\n`

const encodeRows = (product: Product, trades: ReadonlyArray<Trade>): string =>
  trades.map((trade) => encodeRow(product, trade)).join("")

const parseRow = (product: Product, line: string): Trade | undefined => {
  const fields = row.exec(line)
  if (fields === null) return undefined
  const whole = (column: number) => Number(fields[column])
  const [tradeId, sequence, time, makerOrder, takerOrder] = [whole(1), whole(2), whole(3), whole(7), whole(8)]
  if (![tradeId, sequence, time, makerOrder, takerOrder].every(Number.isSafeInteger)) return undefined
  const side = fields[4] === "buy" ? "buy" : "sell"
  const price = FixedPoint.parse(fields[5] ?? "", product.priceDecimals)
  const size = FixedPoint.parse(fields[6] ?? "", product.sizeDecimals)
  if (price === undefined || size === undefined || price === 0 || size === 0) return undefined
  return { tradeId, sequence, time, side, price, size, makerOrder, takerOrder }
}

/** What a file is known to have. All characters of a row are ASCII. */
interface Written {
  readonly rows: number
  readonly bytes: number
}

const nothing: Written = { rows: 0, bytes: 0 }

export interface Parsed {
  readonly trades: ReadonlyArray<Trade>
  /** Characters parsed; the rest of the text is damaged. */
  readonly length: number
}

/** The longest valid prefix of a file: whole lines, consecutive ids, times that do not decrease. */
export const parseRows = (product: Product, text: string): Parsed => {
  const trades: Array<Trade> = []
  let start = 0
  for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
    const trade = parseRow(product, text.slice(start, end))
    const previous = trades.at(-1)
    if (trade === undefined) break
    if (previous !== undefined && (trade.tradeId !== previous.tradeId + 1 || trade.time < previous.time)) break
    trades.push(trade)
    start = end + 1
  }
  return { trades, length: start }
}

/**
 * The tape of each product as a file of lines. A trade is written before it is visible, so that an exchange that was
 * killed restarts with every trade that it ever showed.
 */
export class JournalStore {
  readonly #fs: FileSystem.FileSystem
  readonly #path: Path.Path
  readonly #directory: string
  readonly #retain: number
  readonly #written = new Map<string, Written>()

  private constructor(fs: FileSystem.FileSystem, path: Path.Path, directory: string, retain: number) {
    this.#fs = fs
    this.#path = path
    this.#directory = directory
    this.#retain = retain
  }

  static readonly open = Effect.fn("JournalStore.open")(function* (directory: string, retain: number) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    yield* createFolder(directory).pipe(Effect.mapError(failed("create", directory)))
    return new JournalStore(fs, path, directory, retain)
  })

  /** The newest trades of an earlier run, oldest first. Rewrites the file with only these. */
  load(product: Product): Effect.Effect<ReadonlyArray<Trade>, JournalStoreError> {
    const file = this.#fileOf(product)
    return Effect.gen({ self: this }, function* () {
      if (!(yield* this.#fs.exists(file))) return []
      const text = yield* this.#fs.readFileString(file)
      const { length, trades } = parseRows(product, text)
      const retained = trades.slice(-this.#retain)
      const isWhole = length === text.length && retained.length === trades.length
      if (isWhole) this.#written.set(product.id, { rows: retained.length, bytes: length })
      else yield* this.#replace(product, retained)
      if (length < text.length) {
        yield* Effect.logWarning(`The journal "${file}" is damaged after ${trades.length} trades and was cut there.`)
      }
      return retained
    }).pipe(Effect.mapError(failed("read", file)))
  }

  append(product: Product, trades: ReadonlyArray<Trade>): Effect.Effect<void, JournalStoreError> {
    const file = this.#fileOf(product)
    const text = encodeRows(product, trades)
    return Effect.gen({ self: this }, function* () {
      const { bytes, rows } = this.#written.get(product.id) ?? nothing
      yield* this.#fs.writeFileString(file, text, { flag: "a" })
      this.#written.set(product.id, { rows: rows + trades.length, bytes: bytes + text.length })
    }).pipe(Effect.mapError(failed("append to", file)))
  }

  /** Removes what a failed `append` has written, such as half of a line. */
  repair(product: Product, journal: Journal): Effect.Effect<void, JournalStoreError> {
    const file = this.#fileOf(product)
    return Effect.gen({ self: this }, function* () {
      const { bytes } = this.#written.get(product.id) ?? nothing
      const size = (yield* this.#fs.exists(file)) ? (yield* this.#fs.stat(file)).size : 0n
      if (size > bytes) yield* this.#fs.truncate(file, bytes)
      else if (size < bytes) yield* this.#replace(product, this.#newest(journal))
    }).pipe(Effect.mapError(failed("repair", file)))
  }

  /** Whether the file has grown to twice what is retained. */
  isLarge(product: Product): boolean {
    return (this.#written.get(product.id) ?? nothing).rows > 2 * this.#retain
  }

  /** Rewrites the file with only the newest trades. */
  compact(product: Product, journal: Journal): Effect.Effect<void, JournalStoreError> {
    return this.#replace(product, this.#newest(journal)).pipe(Effect.mapError(failed("compact", this.#fileOf(product))))
  }

  #newest(journal: Journal): ReadonlyArray<Trade> {
    return journal.from(journal.last - this.#retain + 1)
  }

  #replace(product: Product, trades: ReadonlyArray<Trade>) {
    const file = this.#fileOf(product)
    const text = encodeRows(product, trades)
    return this.#fs.writeFileString(`${file}.new`, text).pipe(
      Effect.andThen(this.#fs.rename(`${file}.new`, file)),
      Effect.tap(() => Effect.sync(() => this.#written.set(product.id, { rows: trades.length, bytes: text.length })))
    )
  }

  #fileOf(product: Product): string {
    return this.#path.join(this.#directory, `${product.id}.ndjson`)
  }
}

const failed = (verb: string, file: string) => toJournalStoreError(verb, `its journal "${file}"`)
