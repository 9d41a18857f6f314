import { Data, Effect, FileSystem, Schema, SchemaIssue } from "effect"
import type { PlatformError } from "effect"
import { defaultProtocol, hasOneFee, protocolNames } from "../dex/ProtocolIds.ts"
import { hasCode } from "../internal/files/hasCode.ts"
import { toMessage } from "../internal/toMessage.ts"
import { ConfigFile } from "./Config.ts"

/** In the data directory: the configuration of the sandbox that is running, or ran last. */
export const sandboxConfigFile = "sandbox.json"

class ConfigFileError extends Data.TaggedError("ConfigFileError")<{ readonly message: string }> {}

const decodeFile = Schema.decodeUnknownEffect(ConfigFile, { errors: "all", onExcessProperty: "error" })

/** The message of the runtime states the line and the column. */
const parseJson = (file: string, text: string) =>
  Effect.try({
    try: (): unknown => JSON.parse(text),
    catch: (cause) => failure(file, [`no JSON: ${toMessage(cause)}`])
  })

const formatIssues = SchemaIssue.makeFormatterStandardSchemaV1()

const getPath = (path: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined) =>
  (path ?? [])
    .map((segment) => (typeof segment === "object" ? segment.key : segment))
    .map((key) => (typeof key === "number" ? `[${key}]` : `.${String(key)}`))
    .join("")
    .replace(/^\./, "")

const mistakes = (error: Schema.SchemaError): ReadonlyArray<string> =>
  formatIssues(error.issue).issues.map(({ message, path }) => {
    const where = getPath(path)
    return where === "" ? message : `${where}: ${message}`
  })

const unknownDrivers = (config: ConfigFile, isKnownDriver: (id: string) => boolean): ReadonlyArray<string> =>
  (config.exchanges ?? []).flatMap(({ driver, id }, index) =>
    isKnownDriver(driver ?? id)
      ? []
      : [
          `exchanges[${index}].${driver === undefined ? "id" : "driver"}: "${driver ?? id}" is not in the catalog: see /v2/cex/exchanges`
        ]
  )

const unknownBlockchains = ({ blockchains = [], dexes = [] }: ConfigFile): ReadonlyArray<string> =>
  dexes.flatMap(({ blockchain, source }, index) =>
    source === "subgraph" || blockchains.some(({ id }) => id === blockchain)
      ? []
      : [`dexes[${index}].blockchain: "${blockchain}" is not under blockchains, and an index needs its nodes`]
  )

const statedFees = ({ dexes = [] }: ConfigFile): ReadonlyArray<string> =>
  dexes.flatMap((entry, index) => {
    if (!("factory" in entry) || entry.fee === undefined) return []
    const { protocol = defaultProtocol } = entry
    return hasOneFee(protocol)
      ? []
      : [`dexes[${index}].fee: each pool of ${protocolNames[protocol]} states its own fee: leave it out`]
  })

const failure = (file: string, found: ReadonlyArray<string>) =>
  new ConfigFileError({
    message: `The configuration file "${file}" is wrong:\n${found.map((one) => `  - ${one}`).join("\n")}`
  })

/** Why the file cannot be read. */
const toReason = ({ cause, reason }: PlatformError.PlatformError): string => {
  if (reason._tag === "NotFound") return "there is no such file"
  return hasCode(cause, "EISDIR") ? "it is a folder, so give the path of a file" : toMessage(cause ?? reason)
}

/**
 * Reads the file. A malformed file fails with every mistake, each with its path. `isKnownDriver` returns whether an
 * exchange is supported.
 */
export const readConfigFile = Effect.fn("ReadConfigFile.read")(function* (
  file: string,
  isKnownDriver: (id: string) => boolean
) {
  const files = yield* FileSystem.FileSystem
  const text = yield* files
    .readFileString(file)
    .pipe(
      Effect.mapError(
        (error) =>
          new ConfigFileError({ message: `The configuration file "${file}" cannot be read: ${toReason(error)}` })
      )
    )
  const json = yield* parseJson(file, text)
  const config = yield* decodeFile(json).pipe(Effect.mapError((error) => failure(file, mistakes(error))))
  const wrong = [...unknownDrivers(config, isKnownDriver), ...unknownBlockchains(config), ...statedFees(config)]
  if (wrong.length > 0) return yield* failure(file, wrong)
  return config
})
