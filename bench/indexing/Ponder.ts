import { execFileSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Candidate } from "./Candidate.ts"

const application = fileURLToPath(new URL("../ponder", import.meta.url))
const installs = fileURLToPath(new URL("../../artifacts/bench", import.meta.url))

/** Installs the application beside packages of its own, outside the workspace, at the first use. */
const install = (version: string): string => {
  const folder = join(installs, `ponder-${version}`)
  mkdirSync(folder, { recursive: true })
  for (const name of ["abis.ts", "ponder.schema.ts", "src"])
    cpSync(join(application, name), join(folder, name), { recursive: true })
  for (const name of ["package.json", "ponder.config.ts"]) cpSync(join(application, version, name), join(folder, name))
  if (!existsSync(join(folder, "node_modules/ponder"))) {
    console.log(`  installing ponder ${version} into ${folder}`)
    execFileSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: folder, stdio: "inherit" })
  }
  return folder
}

const countEvents = async (origin: string): Promise<number> => {
  const response = await fetch(`${origin}/events`)
  const found = /"events":(\d+)/.exec(await response.text())
  if (found === null) throw new Error(`ponder counts no events, and answers with ${response.status}.`)
  return Number(found[1])
}

/** ponder with its default database, which is embedded, in an empty directory. */
export const ponder = (version: "1.0.0" | "0.16.10"): Candidate => {
  const folder = install(version)
  return {
    name: `ponder ${version}`,
    command: (chain, { dataDir, port }) => ({
      cwd: folder,
      args: [
        "node_modules/ponder/dist/esm/bin/ponder.js",
        "start",
        "--schema=bench",
        "--hostname=127.0.0.1",
        `--port=${port}`
      ],
      env: {
        PONDER_TELEMETRY_DISABLED: "1",
        BENCH_CHAIN_ID: String(chain.chainId),
        BENCH_DATA_DIR: dataDir,
        BENCH_FACTORY: chain.config.factory,
        BENCH_RPC: chain.rpc,
        BENCH_START_BLOCK: String(chain.config.startBlock)
      }
    }),
    readyPath: "/ready",
    counts: ["PoolCreated", "Initialize", "Mint", "Burn", "Collect", "Flash", "Swap"],
    events: countEvents
  }
}
