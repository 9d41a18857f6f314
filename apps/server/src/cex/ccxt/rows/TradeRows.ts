import { Option, Result, Schema } from "effect"
import * as ExactDecimal from "../../../internal/ExactDecimal.ts"
import { invalidMember } from "../../../internal/invalidMember.ts"
import type { SourceTrade } from "../../ExchangeSource.ts"
import { clockTolerance, earliestTrade } from "../../TradeTime.ts"
import type { ParsedRow } from "../class/CcxtStream.ts"

const Row = Schema.Struct({
  // No controls, halves of characters, or characters that are not shown: ids are stored, printed and compared.
  id: Schema.optional(Schema.NullOr(Schema.String.check(Schema.isPattern(/^[^\p{C}\p{Zl}\p{Zp}]{1,128}$/u)))),
  symbol: Schema.optional(Schema.NullOr(Schema.String)),
  timestamp: Schema.Int.check(Schema.isGreaterThanOrEqualTo(earliestTrade)),
  price: Schema.String,
  amount: Schema.String,
  side: Schema.Literals(["buy", "sell"])
})

const decodeRow = Schema.decodeUnknownResult(Row)

/** Trades of one page, oldest first, without duplicates. */
export interface TradePage {
  readonly trades: ReadonlyArray<SourceTrade>
  /** Whether every id is an integer, so that ids define the order and can prove that none is missing. */
  readonly hasNumericIds: boolean
  /** Whether the exchange assigns every id itself; otherwise ids are derived from the trades' values. */
  readonly hasOwnIds: boolean
  /** Rows that repeat an id with different content. The first row is used. */
  readonly conflicts: number
}

export const emptyPage: TradePage = { trades: [], hasNumericIds: true, hasOwnIds: true, conflicts: 0 }

export interface TradeRowsOptions {
  readonly symbol: string
  /** Unix milliseconds. */
  readonly now: number
  readonly rawTrade?: Readonly<Record<string, ReadonlyArray<string>>> | undefined
}

/** Decodes the trades of a page. One bad row fails the page; the failure names the defect. */
export const decodeTrades = (
  rows: ReadonlyArray<ParsedRow>,
  options: TradeRowsOptions
): Result.Result<TradePage, string> =>
  Result.flatMap(decodeRows(rows, options), (drafts) =>
    drafts.length === 0 && rows.length > 0
      ? Result.fail(`none of its trades is of "${options.symbol}"`)
      : Result.succeed(arrange(drafts))
  )

/** Decodes trades of a stream: in order of arrival, with every repetition. Each must have an id of its own. */
export const decodeFrames = (
  rows: ReadonlyArray<ParsedRow>,
  options: TradeRowsOptions
): Result.Result<ReadonlyArray<SourceTrade>, string> =>
  Result.flatMap(decodeRows(rows, options), (drafts) => {
    const trades: Array<SourceTrade> = []
    for (const draft of drafts) {
      const { id } = draft
      if (id === undefined) return Result.fail('a trade has no "id"')
      trades.push({ ...draft, id })
    }
    return Result.succeed(trades)
  })

const decodeRows = (
  rows: ReadonlyArray<ParsedRow>,
  options: TradeRowsOptions
): Result.Result<ReadonlyArray<Draft>, string> => {
  const drafts: Array<Draft> = []
  for (const { parsed, raw } of rows) {
    const draft = decode(parsed, raw, options)
    if (Result.isFailure(draft)) return Result.fail(draft.failure)
    if (Option.isSome(draft.success)) drafts.push(draft.success.value)
  }
  return Result.succeed(drafts)
}

type Draft = Omit<SourceTrade, "id"> & { readonly id: string | undefined }

const decode = (
  parsed: unknown,
  raw: unknown,
  options: TradeRowsOptions
): Result.Result<Option.Option<Draft>, string> => {
  const row = decodeRow(parsed)
  if (Result.isFailure(row)) return Result.fail(unreadable(row.failure))
  const { id, symbol, timestamp, side } = row.success
  for (const [member, allowed] of Object.entries(options.rawTrade ?? {})) {
    if (!allowed.includes(String(readMember(raw, member)))) return Result.fail(`a trade has no valid "${member}"`)
  }
  if (timestamp > options.now + clockTolerance) {
    const seconds = Math.round((timestamp - options.now) / 1000)
    return Result.fail(`a trade lies ${seconds} s in the future (is the clock of this machine right?)`)
  }
  const price = toPositive(row.success.price)
  const size = toPositive(row.success.amount)
  if (price === undefined || size === undefined) {
    return Result.fail("a trade has a price or a size that is not a positive decimal")
  }
  const cost = ExactDecimal.multiply(price, size)
  if (![price, size, cost].every(ExactDecimal.fitsFloat)) {
    return Result.fail("a trade has a price, a size or a cost that is outside of the range of numbers")
  }
  // An exchange may return the trades of all of its markets at once.
  if (symbol != null && symbol !== options.symbol) return Result.succeedNone
  return Result.succeedSome({ id: id ?? undefined, timestamp, price, size, cost, side })
}

const ownNames: Readonly<Record<string, string>> = { timestamp: "time", amount: "size" }

const unreadable = (error: Schema.SchemaError): string =>
  Option.match(invalidMember(error), {
    onNone: () => "a trade is not an object",
    onSome: (member) => `a trade has no valid "${ownNames[member] ?? member}"`
  })

const readMember = (raw: unknown, member: string): unknown =>
  typeof raw === "object" && raw !== null ? Object.getOwnPropertyDescriptor(raw, member)?.value : undefined

const toPositive = (text: string): string | undefined => {
  const value = ExactDecimal.canonical(text)
  return value !== undefined && ExactDecimal.isPositive(value) ? value : undefined
}

const arrange = (drafts: ReadonlyArray<Draft>): TradePage => {
  const hasNumericIds = drafts.every(({ id }) => id !== undefined && /^\d{1,40}$/.test(id))
  const { conflicts, different } = withoutRepetitions(drafts)
  const first = different[0]?.timestamp ?? 0
  const last = different[different.length - 1]?.timestamp ?? 0
  const wireOrder = first > last ? different.toReversed() : different
  const ordered = wireOrder.toSorted(
    (left, right) => left.timestamp - right.timestamp || (hasNumericIds ? compareIds(left.id ?? "", right.id ?? "") : 0)
  )
  const ordinals = new Map<string, number>()
  const trades = ordered.map((draft): SourceTrade => ({ ...draft, id: draft.id ?? syntheticId(draft, ordinals) }))
  const hasOwnIds = hasNumericIds || drafts.every(({ id }) => id !== undefined)
  return { trades, hasNumericIds, hasOwnIds, conflicts }
}

/** The first row of each id in the order of the page, which is often newest first; rows without an id all differ. */
const withoutRepetitions = (drafts: ReadonlyArray<Draft>) => {
  const known = new Map<string, Draft>()
  const different: Array<Draft> = []
  let conflicts = 0
  for (const draft of drafts) {
    const first = draft.id === undefined ? undefined : known.get(draft.id)
    if (first === undefined) {
      different.push(draft)
      if (draft.id !== undefined) known.set(draft.id, draft)
    } else if (!isSame(first, draft)) conflicts++
  }
  return { different, conflicts }
}

/** Derived from the trade's own values; the ordinal distinguishes equal trades of one millisecond. */
const syntheticId = ({ timestamp, side, price, size }: Draft, ordinals: Map<string, number>): string => {
  const key = `${timestamp}-${side}-${price}-${size}`
  const ordinal = ordinals.get(key) ?? 0
  ordinals.set(key, ordinal + 1)
  return `${key}-${ordinal}`
}

/** Whether two trades with one id have the same content. */
export const isSame = (left: Omit<Draft, "id">, right: Omit<Draft, "id">): boolean =>
  left.timestamp === right.timestamp &&
  left.price === right.price &&
  left.size === right.size &&
  left.side === right.side

/** Orders integer ids of any length as integers. */
export const compareIds = (left: string, right: string): number => {
  const a = left.replace(/^0+(?=\d)/, "")
  const b = right.replace(/^0+(?=\d)/, "")
  return a.length - b.length || (a < b ? -1 : a > b ? 1 : 0)
}
