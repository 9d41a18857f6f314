import { Effect } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { groupDigits } from "../../internal/groupDigits.ts"
import { toFilesFailure } from "../store/StoreFailure.ts"
import { storeLocation } from "../store/withStore.ts"
import { toFailure } from "../terminal/CommandError.ts"
import { writeResult } from "../terminal/writeLine.ts"

const embeddedDirectory = Effect.gen(function* () {
  const { dataDir, url } = yield* storeLocation
  if (url === undefined) return dataDir
  return yield* toFailure(
    "DATABASE_URL is set: the store is a PostgreSQL server. Use pg_dump and pg_restore, or unset it for the embedded one."
  )
})

const file = Argument.String("file")

const forceFlag = (what: string) => Flag.Boolean("force").pipe(Flag.withDescription(what), Flag.withDefault(false))

const megabytes = (bytes: number) => `${groupDigits(Math.ceil(bytes / 1_000_000))} MB`

export const backup = Command.make(
  "backup",
  {
    file: file.pipe(Argument.withDescription("Where to write the archive, such as chaintape.tar.gz")),
    force: forceFlag("Replaces the file, if it is there")
  },
  Effect.fnUntraced(function* (input) {
    const dataDir = yield* embeddedDirectory
    const { backUp } = yield* Effect.promise(() => import("../../store/Backup.ts"))
    const { bytes, files } = yield* backUp(dataDir, input.file, input.force).pipe(Effect.mapError(toFilesFailure))
    yield* writeResult(`The embedded store, ${groupDigits(files)} files with ${megabytes(bytes)}, is in ${input.file}.`)
  })
).pipe(
  Command.withShortDescription("Write the embedded store into an archive"),
  Command.withDescription(
    "Writes the embedded store into an archive with checksums. Stop the service before. The archive holds " +
      "everything that the service knows: keep it like the store itself."
  )
)

export const restore = Command.make(
  "restore",
  {
    file: file.pipe(Argument.withDescription("An archive that `chaintape backup` has written")),
    force: forceFlag("Replaces the store that is there")
  },
  Effect.fnUntraced(function* (input) {
    const dataDir = yield* embeddedDirectory
    const module = yield* Effect.promise(() => import("../../store/Restore.ts"))
    const { bytes, createdAt, files } = yield* module
      .restore(input.file, dataDir, input.force)
      .pipe(Effect.mapError(toFilesFailure))
    yield* writeResult(
      `Restored the backup of ${createdAt}: ${groupDigits(files)} files with ${megabytes(bytes)}, whose checksums match.`
    )
  })
).pipe(
  Command.withShortDescription("Restore the embedded store from a backup"),
  Command.withDescription(
    "Puts the store of an archive in the place of the embedded one, after comparing every file with its checksum. " +
      "Until then, and after any failure, the old store is untouched. Stop the service before."
  )
)
