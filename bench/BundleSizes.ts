/** The bundle size of a program that reads one price: with this client, and with others. */
import { execFileSync } from "node:child_process"
import { cpSync, existsSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { bundle, lastTrade, lastTradeFunction } from "../scripts/Bundle.ts"

const source = fileURLToPath(new URL("./bundles", import.meta.url))
const folder = fileURLToPath(new URL("../artifacts/bench/bundles", import.meta.url))

/** Installs the peers beside packages of their own, outside the workspace, at the first use. */
const install = (): void => {
  cpSync(source, folder, { recursive: true })
  if (existsSync(join(folder, "node_modules/viem"))) return
  console.log(`  installing ccxt, the CoinGecko SDK and viem into ${folder}`)
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error"], { cwd: folder, stdio: "inherit" })
}

const others: ReadonlyArray<readonly [label: string, program: string]> = [
  ["CoinGecko SDK 8.2.0, one price", "coingecko.ts"],
  ["viem 2.56.9, the last swap of a pool", "viem.ts"],
  ["ccxt 4.5.84, the last trade of one exchange", "ccxt.ts"]
]

const grouped = (value: number): string => value.toLocaleString("en-US").padStart(12)

export const bundleSizes = async (): Promise<void> => {
  console.log("\nBundles for a browser: one last trade, minified by rolldown")
  const own = await bundle(lastTradeFunction)
  const print = (label: string, { gzip, minified }: { readonly gzip: number; readonly minified: number }) =>
    console.log(`  ${label.padEnd(44)}${grouped(minified)}${grouped(gzip)}  ${(gzip / own.gzip).toFixed(2)}x`)
  console.log(`  ${"".padEnd(44)}${"minified".padStart(12)}${"gzip".padStart(12)}  ratio`)
  const whole = await bundle(lastTrade)
  print(`one function, ours ${own.ours} gzip`, own)
  print(`Cex, all operations of it, ours ${whole.ours} gzip`, whole)
  install()
  for (const [label, program] of others) print(label, await bundle(join(folder, program)))
}
