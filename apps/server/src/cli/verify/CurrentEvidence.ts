import { Effect, FileSystem, Path } from "effect"
import type { ChainReader } from "../../dex/index/chain/ChainReader.ts"
import type { IndexConfig } from "../../dex/index/IndexConfig.ts"
import { toFailure } from "../terminal/CommandFailure.ts"
import { evidenceFile, openEvidence } from "./Evidence.ts"
import type { Evidence } from "./Evidence.ts"

/** The store, in the directory of a verification. */
export const databaseDirectory = "database"

/** Removes the evidence of another chain, and its store. Fails if the chain of the evidence cannot have started over. */
const removeIfStartedOver = Effect.fnUntraced(function* (
  directory: string,
  { reached }: Evidence,
  target: IndexConfig,
  reader: ChainReader
) {
  const known = reached.at(0)
  if (known === undefined) return false
  const isSame = yield* reader.headers([known.number]).pipe(
    Effect.map(([header]) => header?.hash === known.hash),
    // An ephemeral chain that started over may be shorter.
    Effect.catchTag("BlockSourceError", (error) =>
      target.ephemeral === true ? Effect.succeed(false) : Effect.fail(toFailure(error.message))
    )
  )
  if (isSame) return false
  if (target.ephemeral !== true) {
    return yield* toFailure(
      `The nodes have another block ${known.number} than when ${directory} was begun. Remove ${directory} to start again.`
    )
  }
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  // The directory may hold other files.
  for (const name of [databaseDirectory, evidenceFile]) {
    yield* files
      .remove(path.join(directory, name), { recursive: true, force: true })
      .pipe(Effect.mapError(({ message }) => toFailure(`"${name}" in ${directory} cannot be removed: ${message}`)))
  }
  return true
})

/** The evidence of the directory, empty if the chain has started over since. */
export const openCurrentEvidence = Effect.fnUntraced(function* (
  directory: string,
  target: IndexConfig,
  reader: ChainReader
) {
  const evidence = yield* openEvidence(directory, target)
  return (yield* removeIfStartedOver(directory, evidence, target, reader))
    ? yield* openEvidence(directory, target)
    : evidence
})
