import { spawn } from "node:child_process"
import process from "node:process"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { makeDirectory } from "../internal/files/makeDirectory.ts"
import { toMessage } from "../internal/toMessage.ts"

const program = fileURLToPath(import.meta.resolve("@chaintape/sandbox/main"))

/** The process of the sandbox. */
export interface SandboxProcess {
  /** The first line that it writes: its announcement. */
  readonly firstLine: Promise<string>
  /** Why the process ended. */
  readonly ended: Promise<string>
  /** Ends it. It also ends when this process is killed. */
  readonly end: () => void
  /** For a process that does not end. */
  readonly kill: () => void
}

/** The sandbox would not end where its directory cannot be made. */
const makeJournals = (dataDir: string): string => {
  const journals = `${dataDir}/sandbox`
  try {
    makeDirectory(journals)
  } catch (cause) {
    throw new Error(
      `"${dataDir}" cannot be written: make it writable for the user of the service, or set CHAINTAPE_DATA_DIR to another directory (${toMessage(cause)}).`,
      { cause }
    )
  }
  return journals
}

/**
 * Starts the sandbox as a child process. Throws if its directory cannot be made. Uses only Node, so that it can be started before any other module is loaded.
 */
export const startSandbox = (dataDir: string): SandboxProcess => {
  const journals = makeJournals(dataDir)
  const child = spawn(process.execPath, ["--max-semi-space-size=8", "--conditions=chaintape-source", program], {
    env: { ...process.env, SANDBOX_ATTACHED: "true", SANDBOX_JOURNAL_DIR: journals },
    stdio: ["pipe", "pipe", "inherit"],
    // Ctrl-C in a terminal is for this process, which ends the sandbox in order.
    detached: true
  })
  child.stdin.on("error", () => {
    // The process has exited: `ended` resolves.
  })
  return {
    firstLine: new Promise((resolve) => createInterface({ input: child.stdout }).once("line", resolve)),
    ended: new Promise((resolve) => {
      child.once("error", ({ message }) => resolve(`The sandbox cannot be started: ${message}`))
      child.once("exit", () => resolve("The sandbox has ended by itself: its last words stand above."))
    }),
    end: () => child.stdin.end(),
    kill: () => child.kill("SIGKILL")
  }
}
