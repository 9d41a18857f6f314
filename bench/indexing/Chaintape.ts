import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Candidate } from "./Candidate.ts"

const root = fileURLToPath(new URL("../..", import.meta.url))
const key = "a-key-of-the-benchmark-only"

const transactions = async (origin: string): Promise<number> => {
  const response = await fetch(`${origin}/v2/dex/uniswap-v3/devnet`, { headers: { "api-key": key } })
  const found = /"txCount":"?(\d+)/.exec(await response.text())
  if (found === null) throw new Error(`The service states no totals, and answers with ${response.status}.`)
  return Number(found[1])
}

/** This service, started as by its users, with its embedded store in an empty directory. */
export const chaintape: Candidate = {
  name: "chaintape",
  command: (chain, { dataDir, port }) => {
    mkdirSync(dataDir, { recursive: true })
    const config = join(dataDir, "chaintape.config.json")
    const dex = { id: "uniswap-v3", name: "Uniswap V3", blockchain: "devnet", source: "index", ...chain.config }
    const blockchains = [{ id: "devnet", name: "Devnet", rpc: [chain.rpc] }]
    writeFileSync(config, JSON.stringify({ blockchains, dexes: [dex] }))
    return {
      cwd: root,
      args: ["--conditions=chaintape-source", "apps/server/src/main.ts"],
      env: {
        PORT: String(port),
        METRICS_PORT: "0",
        CHAINTAPE_CONFIG: config,
        CHAINTAPE_DATA_DIR: join(dataDir, "data"),
        CHAINTAPE_BOOTSTRAP_KEY: key
      }
    }
  },
  readyPath: "/health/ready",
  // The field of its totals that counts transactions.
  counts: ["Mint", "Burn", "Swap"],
  events: transactions
}
