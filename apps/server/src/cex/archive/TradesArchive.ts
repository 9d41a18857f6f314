import { Schema } from "effect"
import type { ArchiveFormat } from "../../archives/ArchiveFormat.ts"
import { archiveVersion, entryFields } from "../../archives/ArchiveFormat.ts"
import { Continuity } from "../TradeFlow.ts"

/** A run of the tape without a gap within a day: `null` where it continues on the day before, or on the day after. */
const Run = Schema.Tuple([Schema.NullOr(Schema.Int), Schema.NullOr(Schema.Int)])

const detailFields = {
  /** The lowest and the highest sequence. */
  from: Schema.Int,
  to: Schema.Int,
  /** The ids between two runs are a gap. */
  runs: Schema.Array(Run)
}

/** The members of a UTC day's entry that are about its trades. */
export type TradesDetails = Schema.Struct.Type<typeof detailFields>

/** The content of an archive of one market. */
const TradesManifest = Schema.Struct({
  chaintapeArchive: Schema.Literal(archiveVersion),
  exchange: Schema.String,
  /** `BASE/QUOTE`. */
  market: Schema.String,
  /** Whether sequences are consecutive ids of the exchange, which prove that nothing is missing within a run. */
  continuity: Continuity,
  /** The sequence of the market's first trade, if it is known. */
  firstId: Schema.NullOr(Schema.Int),
  /** In order. A day without trades is absent. */
  days: Schema.Array(Schema.Struct({ ...entryFields, ...detailFields, chain: Schema.String }))
})

export type TradesManifest = typeof TradesManifest.Type

/** In the metadata of every file of a day. */
export const formatKey = "chaintape.trades"
export const format = "1"

/** Whether every trade of the day is there: proven by consecutive ids from the day before to the day after. */
export const isComplete = ({ continuity, firstId }: TradesManifest, { runs }: TradesDetails): boolean => {
  const [run, ...others] = runs
  if (continuity !== "sequence" || run === undefined || others.length > 0) return false
  const [from, to] = run
  return (from === null || from === firstId) && to === null
}

/** Archives of the trades of a market. */
export const tradesFormat: ArchiveFormat<TradesDetails, TradesManifest> = {
  kind: "trades",
  decode: Schema.decodeUnknownEffect(Schema.fromJsonString(TradesManifest)),
  toTitle: ({ exchange, market }) => `${market} on ${exchange}`,
  toSeed: () => "",
  toHashed: ({ from, runs, to }) => [from, to, runs],
  isProven: isComplete
}
