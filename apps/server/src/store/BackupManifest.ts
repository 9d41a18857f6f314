import { Schema } from "effect"

/** The first entry of a backup. */
export const BackupHead = Schema.Struct({
  /** A different number means a different format. */
  chaintapeBackup: Schema.Literal(1),
  createdAt: Schema.String,
  /** The major version of PostgreSQL whose files these are. */
  postgres: Schema.String
})

export type BackupHead = typeof BackupHead.Type

/** The last entry, which a truncated archive lacks. */
export const BackupChecksums = Schema.Struct({
  files: Schema.Array(Schema.Struct({ path: Schema.String, size: Schema.Int, sha256: Schema.String })),
  directories: Schema.Int
})

export type BackupChecksums = typeof BackupChecksums.Type

export const headName = "chaintape-backup.json"
export const checksumsName = "checksums.json"

/** The database's files are below this path in the archive. */
export const filesRoot = "database"

const head = Schema.fromJsonString(BackupHead)
const checksums = Schema.fromJsonString(BackupChecksums)

export const encodeHead = Schema.encodeSync(head)
export const decodeHead = Schema.decodeUnknownSync(head)
export const encodeChecksums = Schema.encodeSync(checksums)
export const decodeChecksums = Schema.decodeUnknownSync(checksums)

export interface BackupFigures {
  readonly createdAt: string
  readonly files: number
  /** Of the files, not of the archive. */
  readonly bytes: number
}

export const toFigures = ({ createdAt }: BackupHead, { files }: BackupChecksums): BackupFigures => ({
  createdAt,
  files: files.length,
  bytes: files.reduce((sum, { size }) => sum + size, 0)
})
