import { spawn } from "node:child_process"
import { delimiter, join } from "node:path"
import { stripVTControlCharacters } from "node:util"

export interface Finished {
  readonly code: number
  /** Both streams in the order of arrival, without colours. */
  readonly output: string
}

export interface CommandOptions {
  readonly cwd: string
  readonly env?: { readonly [name: string]: string | undefined }
  /** Shows the output while it arrives, and also collects it. */
  readonly show?: boolean
}

/** The root folder of the repository. */
export const repository = join(import.meta.dirname, "..")

const binaries = join(repository, "node_modules", ".bin")

const environment = (extra: CommandOptions["env"]): NodeJS.ProcessEnv => ({
  ...process.env,
  PATH: [binaries, process.env.PATH].join(delimiter),
  // A check behaves the same with and without a terminal.
  NO_COLOR: "1",
  FORCE_COLOR: undefined,
  TURBO_TELEMETRY_DISABLED: "1",
  // A check uses what is installed. pnpm would install first, also into a fixture.
  pnpm_config_verify_deps_before_run: "false",
  ...extra
})

/** Runs a program without input. The repository's own binaries come first in its `PATH`. */
export const run = (program: string, args: ReadonlyArray<string>, options: CommandOptions): Promise<Finished> =>
  new Promise((resolve) => {
    const child = spawn(program, args, {
      cwd: options.cwd,
      env: environment(options.env),
      stdio: ["ignore", "pipe", "pipe"],
      // On Windows the binaries are command files.
      shell: process.platform === "win32"
    })
    let output = ""
    const keep = (chunk: Buffer) => {
      output += chunk.toString()
      if (options.show === true) process.stdout.write(chunk)
    }
    child.stdout.on("data", keep)
    child.stderr.on("data", keep)
    child.on("error", (error) =>
      resolve({ code: 127, output: `${output}"${program}" did not start: ${error.message}\n` })
    )
    child.on("close", (code) => resolve({ code: code ?? 1, output: stripVTControlCharacters(output) }))
  })
