import { Config, Effect, FileSystem, Option, Path } from "effect"
import { toDeploymentKey } from "../../dex/Deployments.ts"
import type { IndexConfig } from "../../dex/index/IndexConfig.ts"
import { allPresets, toPresetName } from "../../dex/presets/ForkPresets.ts"
import { presets } from "../../dex/presets/Presets.ts"
import { standardConfigFile } from "../../program/EarlyStart.ts"
import { toIndexConfigs } from "../../program/IndexConfigs.ts"
import { readConfigFile, sandboxConfigFile } from "../../program/ReadConfigFile.ts"
import { wrongUsage } from "../terminal/CommandError.ts"
import { dataDirectory } from "../terminal/dataDirectory.ts"
import type { Deployment } from "./ServiceReads.ts"

interface TargetInput extends Deployment {
  readonly config: Option.Option<string>
  /** Addresses of nodes, which replace those of the configuration. */
  readonly rpc: ReadonlyArray<string>
}

/** The file of the option, of the environment or of this directory, or that of the running sandbox. */
export const findConfigFile = Effect.fnUntraced(function* (given: Option.Option<string>) {
  const files = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  if (Option.isSome(given)) return given
  const ofEnvironment = yield* Config.option(Config.String("CHAINTAPE_CONFIG"))
  if (Option.isSome(ofEnvironment)) return ofEnvironment
  for (const file of [standardConfigFile, path.join(yield* dataDirectory, sandboxConfigFile)]) {
    // A place that cannot be looked at has no configuration that this command could read.
    if (yield* Effect.orElseSucceed(files.exists(file), () => false)) return Option.some(file)
  }
  return Option.none<string>()
})

/** The rules of a public deployment; its nodes are those of the command. */
const findPresetTargets = ({ blockchain, exchange, rpc }: TargetInput): ReadonlyArray<IndexConfig> => {
  const [first, ...others] = rpc
  const preset = toPresetName(exchange, blockchain)
  return !allPresets.has(preset) || first === undefined
    ? []
    : toIndexConfigs({
        blockchains: [{ id: blockchain, name: blockchain, rpc: [first, ...others] }],
        dexes: [{ id: exchange, name: exchange, blockchain, source: "index", preset }]
      })
}

/** The index to verify, of the configuration file or of a preset. */
export const findTarget = Effect.fn("Target.find")(function* (input: TargetInput) {
  const { blockchain, exchange, rpc } = input
  const file = yield* findConfigFile(input.config)
  const configured = Option.isNone(file)
    ? []
    : toIndexConfigs(
        yield* readConfigFile(file.value, () => true).pipe(Effect.mapError(({ message }) => wrongUsage(message)))
      )
  const found = [...configured, ...findPresetTargets(input)].find(
    ({ key }) => key === toDeploymentKey(exchange, blockchain)
  )
  if (found === undefined) {
    const where = Option.match(file, { onNone: () => "There is no configuration file", onSome: (name) => `"${name}"` })
    return yield* wrongUsage(
      `${where}${Option.isNone(file) ? "" : " has no index"} of ${exchange} on ${blockchain}. Name with --config the file ` +
        `that describes it, or with --rpc the nodes of a chain that has a preset: ${[...presets.keys()].join(", ")}.`
    )
  }
  return { ...found, rpc: rpc.length === 0 ? found.rpc : rpc, verify: "all" } satisfies IndexConfig
})
