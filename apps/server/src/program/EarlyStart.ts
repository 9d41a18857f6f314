import { existsSync } from "node:fs"
import { enableCompileCache } from "node:module"
import process from "node:process"
import type { Worker } from "node:worker_threads"
import { earlyDataDirectory, makeCompiledFolder } from "../internal/process/dataDirectory.ts"
import { startEngineThread } from "../store/embedded/Engine.ts"
import { startSandbox } from "./SandboxProcess.ts"
import type { SandboxProcess } from "./SandboxProcess.ts"

/** The default path of the configuration file. */
export const standardConfigFile = "chaintape.config.json"

const getVariable = (name: string): string | undefined => {
  const value = process.env[name]
  return value === undefined || value === "" ? undefined : value
}

interface EarlyStart {
  readonly sandbox: SandboxProcess | undefined
  readonly engine: Worker | undefined
}

const startEngine = () => {
  const thread = startEngineThread()
  // A program that ends before using it does not wait for it.
  thread.unref()
  return thread
}

const startSandboxEarly = (dataDir: string) => {
  try {
    return startSandbox(dataDir)
  } catch {
    // The program tries it again, and says why.
    return undefined
  }
}

/**
 * Starts what does not depend on the rest of the service: the sandbox and the engine of the embedded database, if they
 * are needed. Node's compile cache is stored beside the data, for this process and its children, which makes the next
 * start faster.
 */
export const startEarly = (): EarlyStart => {
  const dataDir = earlyDataDirectory()
  const compiled = makeCompiledFolder()
  if (compiled !== undefined && enableCompileCache(compiled).directory !== undefined) {
    process.env["NODE_COMPILE_CACHE"] ??= compiled
  }
  const isOffline = getVariable("CHAINTAPE_CONFIG") === undefined && !existsSync(standardConfigFile)
  return {
    sandbox: isOffline ? startSandboxEarly(dataDir) : undefined,
    engine: getVariable("DATABASE_URL") === undefined ? startEngine() : undefined
  }
}
