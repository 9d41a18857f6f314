/** The start of a candle, and the trades of which it is made. */
export interface CandleMark {
  /** Unix milliseconds. */
  readonly start: number
  readonly trades: number
  /** Sequences of the opening and the closing trade. */
  readonly openSequence: number
  readonly closeSequence: number
}

/** Candles of the tape, oldest first, in serialized form. */
export interface CandlePage {
  readonly count: number
  /** The elements of a JSON list. */
  readonly rows: string
  /** The first and the last of them. */
  readonly ends: readonly [first: CandleMark, last: CandleMark] | undefined
  /** All of them, if a sequence is missing between the first trade and the last one; otherwise undefined. */
  readonly breaks: ReadonlyArray<CandleMark> | undefined
  /** The sequence of the last trade before the candles, and of the first one after them, if there is any. */
  readonly before: number | undefined
  readonly after: number | undefined
}

/** Unix milliseconds, both inclusive, of the starts of candles. */
export interface StartRange {
  readonly from: number
  readonly to: number
}

interface Edges {
  /** The sequence of the market's first trade. */
  readonly firstId: number
  /** The sequence of the market's newest trade, if the tape is certain to have it. */
  readonly newestId: number | undefined
}

const isFollowed = (close: number, after: number | undefined, newestId: number | undefined): boolean =>
  after === undefined ? newestId !== undefined && close >= newestId : close + 1 === after

const isWhole = ({ closeSequence, openSequence, trades }: CandleMark): boolean =>
  trades === closeSequence - openSequence + 1

/** Whether no trade is missing between the neighbors of an empty page. */
const isProvenEmpty = ({ after, before }: CandlePage, { firstId, newestId }: Edges): boolean =>
  before === undefined ? after !== undefined && after <= firstId : isFollowed(before, after, newestId)

/** The union of ranges in ascending order; adjacent ones become one. */
export const joinRanges = (ranges: ReadonlyArray<StartRange>, frame: number): ReadonlyArray<StartRange> => {
  const result: Array<StartRange> = []
  for (const range of ranges) {
    const last = result.at(-1)
    if (last === undefined || range.from > last.to + frame) result.push(range)
    else result[result.length - 1] = { from: last.from, to: Math.max(last.to, range.to) }
  }
  return result
}

/**
 * The ranges of starts within `scope` whose candles, or whose lack of a candle, the page does not prove: a sequence is
 * missing inside a candle, or between it and its neighbor. Sequences are consecutive, so that those of a proven candle
 * continue those of the candle before it.
 */
export const toUnproven = (
  page: CandlePage,
  edges: Edges,
  scope: StartRange,
  frame: number
): ReadonlyArray<StartRange> => {
  const { after, before, breaks, ends } = page
  if (ends === undefined) return isProvenEmpty(page, edges) ? [] : [scope]
  const [first, last] = ends
  const isPreceded = before === undefined ? first.openSequence <= edges.firstId : before + 1 === first.openSequence
  const ranges: Array<StartRange> = isPreceded ? [] : [{ from: scope.from, to: first.start }]
  let previous: CandleMark | undefined
  for (const mark of breaks ?? []) {
    if (previous !== undefined && previous.closeSequence + 1 !== mark.openSequence)
      ranges.push({ from: previous.start, to: mark.start })
    if (!isWhole(mark)) ranges.push({ from: mark.start, to: mark.start })
    previous = mark
  }
  if (!isFollowed(last.closeSequence, after, edges.newestId)) ranges.push({ from: last.start, to: scope.to })
  return joinRanges(ranges, frame)
}
