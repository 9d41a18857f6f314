import { Effect, FileSystem, Option, Path, Schema } from "effect"
import type { ChainReader } from "../../dex/index/chain/ChainReader.ts"
import type { IndexConfig } from "../../dex/index/IndexConfig.ts"
import { makeDirectory } from "../../internal/files/makeDirectory.ts"
import { replaceFile } from "../../internal/files/replaceFile.ts"
import { toMessage } from "../../internal/toMessage.ts"
import type { CommandError } from "../terminal/CommandError.ts"
import { toFailure } from "../terminal/CommandError.ts"

const VerificationProgress = Schema.Struct({
  number: Schema.Int,
  hash: Schema.String,
  /** Read and proven from the first block up to this one. */
  receipts: Schema.Int,
  logs: Schema.Int,
  /** The first block that cannot be proven. */
  unproven: Schema.NullOr(Schema.Int)
})

/** How far a verification came. */
export type VerificationProgress = typeof VerificationProgress.Type

/** `reached` has a range that is about to be stored, and the one before it. */
const EvidenceFile = Schema.Struct({ rules: Schema.String, reached: Schema.Array(VerificationProgress) })

const decodeFile = Schema.decodeUnknownEffect(Schema.fromJsonString(EvidenceFile))

/** The inputs on which the numbers of a verification depend. The nodes that are asked are none of them. */
const toRules = ({ rpc: _, verify: __, ...rules }: IndexConfig): string => JSON.stringify(rules)

export interface Evidence {
  readonly reached: ReadonlyArray<VerificationProgress>
  readonly save: (reached: ReadonlyArray<VerificationProgress>) => Effect.Effect<void, CommandError>
}

/** The file of the evidence, in the directory of a verification. */
export const evidenceFile = "verification.json"

/** The evidence of an interrupted verification in a directory. Fails if it is of another deployment. */
const openEvidence = Effect.fn("Evidence.open")(function* (directory: string, config: IndexConfig) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const file = path.join(directory, evidenceFile)
  const rules = toRules(config)
  yield* Effect.try({
    try: () => makeDirectory(directory),
    catch: (cause) => toFailure(`The directory "${directory}" cannot be made: ${toMessage(cause)}. Give another --dir.`)
  })
  const text = yield* Effect.option(files.readFileString(file))
  const stored = yield* Effect.option(Effect.flatMap(Effect.fromOption(text), decodeFile))
  if (Option.isSome(text) && (Option.isNone(stored) || stored.value.rules !== rules)) {
    return yield* toFailure(
      `${directory} holds a verification of another deployment, or of other rules. Give another --dir, or remove it.`
    )
  }
  return {
    reached: Option.match(stored, { onNone: () => [], onSome: (known) => known.reached }),
    save: (reached) =>
      replaceFile(file, JSON.stringify({ rules, reached } satisfies typeof EvidenceFile.Type)).pipe(
        Effect.provideService(FileSystem.FileSystem, files),
        Effect.mapError(({ message }) => toFailure(`The file "${file}" cannot be written: ${message}`))
      )
  } satisfies Evidence
})

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
