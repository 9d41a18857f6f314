import { Effect } from "effect"
import { ArchiveError } from "../../archives/ArchiveError.ts"
import { readManifestText } from "../../archives/ReadManifest.ts"
import { verifyArchive } from "../../archives/VerifyArchive.ts"
import { tradesFormat } from "../../cex/archive/TradesArchive.ts"
import { blocksFormat, dexTradesFormat } from "../../dex/index/archive/IndexArchive.ts"

/** Verifies an archive of any kind. */
export const verifyDirectory = Effect.fnUntraced(function* (
  directory: string,
  onDay: (done: number, days: number) => Effect.Effect<void>
) {
  const found = yield* readManifestText(directory)
  if (found === undefined) {
    return yield* new ArchiveError({ message: `"${directory}" has no manifest: it is no archive.` })
  }
  switch (found.kind) {
    case "trades":
      return yield* verifyArchive(directory, tradesFormat, found, onDay)
    case "dex-trades":
      return yield* verifyArchive(directory, dexTradesFormat, found, onDay)
    case "blocks":
      return yield* verifyArchive(directory, blocksFormat, found, onDay)
    default: {
      const message = `"${found.path}" is of an archive of "${found.kind}", which this version of Chaintape does not know.`
      return yield* new ArchiveError({ message })
    }
  }
})
