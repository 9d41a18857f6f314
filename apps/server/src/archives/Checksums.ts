import type { Entry } from "./ArchiveFormat.ts"

/** The file of the hashes, beside the manifest. */
export const checksumsFile = "SHA256SUMS"

/** The hashes of the files in the layout of `sha256sum`. */
export const formatChecksums = (days: ReadonlyArray<Pick<Entry, "file" | "sha256">>): string =>
  days.map(({ file, sha256 }) => `${sha256}  ${file}\n`).join("")
