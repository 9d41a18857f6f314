import { existsSync } from "node:fs"
import { enableCompileCache } from "node:module"
import process from "node:process"
import type { Worker } from "node:worker_threads"
import { startSandbox } from "./SandboxProcess.ts"
import type { SandboxProcess } from "./SandboxProcess.ts"
import { startEngineThread } from "./store/embedded/Engine.ts"

/** The configuration file that is read where none is named. */
export const standardConfigFile = "chaintape.config.json"

const given = (name: string): string | undefined => {
  const value = process.env[name]
  return value === undefined || value === "" ? undefined : value
}

interface EarlyStart {
  readonly sandbox: SandboxProcess | undefined
  readonly engine: Worker | undefined
}

const startEngine = () => {
  const thread = startEngineThread()
  // A program that ends before it takes it does not wait for it.
  thread.unref()
  return thread
}

/**
 * What need not wait until the service is loaded: the sandbox and the engine of the embedded database, where they are
 * wanted. What Node compiles is kept beside the data, for this process and those that it starts, so that the next start
 * loads it instead.
 */
export const startEarly = (): EarlyStart => {
  const dataDir = given("CHAINTAPE_DATA_DIR") ?? ".chaintape"
  const { directory } = enableCompileCache(`${dataDir}/compiled`)
  if (directory !== undefined) process.env["NODE_COMPILE_CACHE"] ??= `${dataDir}/compiled`
  const isOffline = process.env["CHAINTAPE_CONFIG"] === undefined && !existsSync(standardConfigFile)
  return {
    sandbox: isOffline ? startSandbox(dataDir) : undefined,
    engine: given("DATABASE_URL") === undefined ? startEngine() : undefined
  }
}
