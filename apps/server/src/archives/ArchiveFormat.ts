import { createHash } from "node:crypto"
import type { Effect } from "effect"
import { Schema } from "effect"

/** The fields that the entry of a day has in every archive. */
export const entryFields = {
  /** `yyyy-mm-dd`, UTC. */
  day: Schema.String,
  /** The name of its file, beside the manifest. */
  file: Schema.String,
  bytes: Schema.Int,
  /** Of the file, in hexadecimal. */
  sha256: Schema.String,
  rows: Schema.Int
}

const Entry = Schema.Struct(entryFields)

/** The fields of the entry of a day that every kind has. */
export type Entry = typeof Entry.Type

/** The entry of a day, with the fields that only its kind has. */
export type Day<Details> = Entry & Details

/** An entry with its chain: the SHA-256 of the entry and of the chain of the entry before. */
export type Chained<Details> = Day<Details> & { readonly chain: string }

/** The version of every manifest. Another number is another format. */
export const archiveVersion = 1

/** The kinds of archives. A manifest without a kind is of `trades`. */
export type ArchiveKind = "trades" | "dex-trades" | "blocks"

/** A manifest as the reads and writes of all kinds see it. */
export interface Manifest<Details> {
  /** In order. */
  readonly days: ReadonlyArray<Chained<Details>>
}

/** The part of an archive that depends on the kind of its rows. */
export interface ArchiveFormat<Details, Whole extends Manifest<Details>> {
  readonly kind: ArchiveKind
  readonly decode: (text: string) => Effect.Effect<Whole, Schema.SchemaError>
  /** The subject of the archive, for a sentence. */
  readonly toTitle: (manifest: Whole) => string
  /** The chain before the first day. */
  readonly toSeed: (manifest: Omit<Whole, "days">) => string
  /** The fields of an entry that only this kind has, in the order in which they are hashed. */
  readonly toHashed: (details: Details) => ReadonlyArray<unknown>
  /** Whether the rows of a day continue those of the entry before; absent if no entry states it. */
  readonly follows?: (before: Details, day: Details) => boolean
  /** Whether the rows of a day are proven. */
  readonly isProven: (manifest: Whole, day: Details) => boolean
}

type Hashed<Details> = Pick<ArchiveFormat<Details, Manifest<Details>>, "toHashed">

/** The chain of a day, from the chain of the day before. */
export const computeChain = <Details>({ toHashed }: Hashed<Details>, before: string, entry: Day<Details>): string => {
  const { bytes, day, file, rows, sha256 } = entry
  return createHash("sha256")
    .update(JSON.stringify([before, day, file, bytes, sha256, rows, ...toHashed(entry)]))
    .digest("hex")
}

/** The days with their chains, each to the one before. */
export const toChain = <Details>(
  format: Hashed<Details>,
  seed: string,
  days: ReadonlyArray<Day<Details>>
): ReadonlyArray<Chained<Details>> => {
  let before = seed
  return days.map((day) => {
    before = computeChain(format, before, day)
    return { ...day, chain: before }
  })
}
