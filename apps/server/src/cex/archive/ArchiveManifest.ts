import { createHash } from "node:crypto"
import { Schema } from "effect"

/** A run of the tape without a gap within a day: `null` where it continues on the day before, or on the day after. */
const Run = Schema.Tuple([Schema.NullOr(Schema.Int), Schema.NullOr(Schema.Int)])

/** The trades of a UTC day. */
export const ArchiveDay = Schema.Struct({
  /** `yyyy-mm-dd`. */
  day: Schema.String,
  /** The name of its file, beside the manifest. */
  file: Schema.String,
  bytes: Schema.Int,
  /** Of the file, in hexadecimal. */
  sha256: Schema.String,
  rows: Schema.Int,
  /** The lowest and the highest sequence. */
  from: Schema.Int,
  to: Schema.Int,
  /** What is missing between two runs is a gap. */
  runs: Schema.Array(Run),
  /** SHA-256 of this entry without this field, and of the same field of the entry before. */
  chain: Schema.String
})

export type ArchiveDay = typeof ArchiveDay.Type

/** The content of an archive of one market. */
export const ArchiveManifest = Schema.Struct({
  /** Another number is another format. */
  chaintapeArchive: Schema.Literal(1),
  exchange: Schema.String,
  /** `BASE/QUOTE`. */
  market: Schema.String,
  /** Whether sequences are consecutive ids of the exchange, which prove that nothing is missing within a run. */
  continuity: Schema.Literals(["sequence", "overlap"]),
  /** The sequence of the market's first trade, if it is known. */
  firstId: Schema.NullOr(Schema.Int),
  /** In order. A day without trades is absent. */
  days: Schema.Array(ArchiveDay)
})

export type ArchiveManifest = typeof ArchiveManifest.Type

export const manifestName = "manifest.json"

/** In the metadata of every file of a day. */
export const formatKey = "chaintape.trades"
export const format = "1"

const json = Schema.fromJsonString(ArchiveManifest)

export const decodeManifest = Schema.decodeUnknownEffect(json)

export const encodeManifest = (manifest: ArchiveManifest): string => `${JSON.stringify(manifest, null, 2)}\n`

/** The version that a manifest states. */
export const decodeVersion = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Struct({ chaintapeArchive: Schema.Int }))
)

/** The chain of a day, from the chain of the day before; empty for the first one. */
export const computeChain = (before: string, day: Omit<ArchiveDay, "chain">): string => {
  const { bytes, file, from, rows, runs, sha256, to } = day
  return createHash("sha256")
    .update(JSON.stringify([before, day.day, file, bytes, sha256, rows, from, to, runs]))
    .digest("hex")
}

/** The days with their chains, each to the one before. */
export const toChain = (days: ReadonlyArray<Omit<ArchiveDay, "chain">>): ReadonlyArray<ArchiveDay> => {
  let before = ""
  return days.map((day) => {
    before = computeChain(before, day)
    return { ...day, chain: before }
  })
}

/** Whether every trade of the day is there: proven by consecutive ids from the day before to the day after. */
export const isComplete = ({ continuity, firstId }: ArchiveManifest, { runs }: ArchiveDay): boolean => {
  const [run, ...others] = runs
  if (continuity !== "sequence" || run === undefined || others.length > 0) return false
  const [from, to] = run
  return (from === null || from === firstId) && to === null
}
